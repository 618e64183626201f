import type { ShownFleet } from './fleet.ts';
import { follow } from './follow.ts';
import type { Update } from './updates.ts';
import { TEXTS } from './texts.ts';

/** What following a fleet reports. */
export interface FollowFleetPorts {
  readonly onChange: () => void;
  readonly onStatus: (text: string) => void;
  readonly onSignedOut: () => void;
}

/** A fleet that is kept equal to a live feed. */
export interface FollowedFleet {
  /** Follows another feed from now on. */
  restart(address: string): void;
  /** The time of the gateway, as far as updates said it: clocks of browsers may be wrong. */
  nowMs(): number;
  /** Says how old the newest update is. */
  showAge(): void;
}

/** Keeps a fleet equal to a live feed until `leaving` is aborted. */
export function followFleet(
  fleet: ShownFleet, ports: FollowFleetPorts, leaving: AbortSignal,
): FollowedFleet {
  let aheadMs = 0;
  let updatedMs: number | undefined;
  let isLost = false;
  let following = new AbortController();

  function take(update: Update): void {
    aheadMs = update.atMs - Date.now();
    updatedMs = update.atMs;
    isLost = false;
    if (update.kind === 'reset') fleet.clear();
    for (const row of update.rows) fleet.put(row);
    for (const id of update.gone) fleet.remove(id);
    if (update.kind !== 'mark') ports.onChange();
  }

  const nowMs = (): number => Date.now() + aheadMs;
  return {
    nowMs,
    restart(address) {
      following.abort();
      following = new AbortController();
      updatedMs = undefined;
      const until = AbortSignal.any([leaving, following.signal]);
      const unlessLeft = <Values extends readonly unknown[]>(act: (...values: Values) => void) => (
        (...values: Values): void => { if (!until.aborted) act(...values); });
      void follow(address, {
        onUpdate: unlessLeft(take),
        onBegin: unlessLeft(() => {
          fleet.clear();
          ports.onChange();
        }),
        onLost: unlessLeft(() => { isLost = true; }),
        onRefused: unlessLeft((detail: string, status: number) => {
          updatedMs = undefined;
          ports.onStatus(TEXTS.feedRefused(detail));
          if (status === 401 || status === 403) ports.onSignedOut();
        }),
      }, until);
    },
    showAge() {
      if (isLost) ports.onStatus(TEXTS.reconnecting);
      else if (updatedMs !== undefined) {
        ports.onStatus(TEXTS.updated((nowMs() - updatedMs) / 1_000));
      }
    },
  };
}

