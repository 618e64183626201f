import type { Readiness } from '../../../services/kernel/readiness.ts';
import type { FakeStateStore } from '../fake-state-store.ts';

/** The right to rebuild, which one owner has for a time. */
export interface RebuildRight {
  take(owner: string, leaseMs: number): boolean;
  renew(owner: string, leaseMs: number): boolean;
  /** Ends it; false when the owner has lost it. */
  giveBack(owner: string): boolean;
  forget(): void;
}

/** Makes a right that no process has. */
export function createRebuildRight(nowMs: () => number): RebuildRight {
  let kept: { readonly owner: string; readonly untilMs: number } | undefined;
  const isHeld = (owner: string): boolean => kept?.owner === owner && kept.untilMs > nowMs();

  function hold(owner: string, leaseMs: number): boolean {
    kept = { owner, untilMs: nowMs() + leaseMs };
    return true;
  }

  return {
    take: (owner, leaseMs) =>
      (kept === undefined || kept.untilMs <= nowMs() || isHeld(owner)) && hold(owner, leaseMs),
    renew: (owner, leaseMs) => isHeld(owner) && hold(owner, leaseMs),
    giveBack(owner) {
      if (!isHeld(owner)) return false;
      kept = undefined;
      return true;
    },
    forget: () => { kept = undefined; },
  };
}

/** {@link Readiness} of the store in memory. */
export function fakeReadiness(
  store: FakeStateStore, right: RebuildRight, doubtMs: number,
): Readiness {
  const guarded = <Answer>(run: () => Answer): Answer => {
    store.guard({ requireReady: false });
    return run();
  };
  return {
    isReady: async () => guarded(store.isReady),
    claimRebuild: async (owner, leaseMs) => guarded(() => right.take(owner, leaseMs)),
    renewRebuild: async (owner, leaseMs) => guarded(() => right.renew(owner, leaseMs)),
    markReady: async (owner) => guarded(() => {
      if (!right.giveBack(owner)) return false;
      store.setReady(true);
      store.doubtUntil(store.nowMs() + doubtMs);
      return true;
    }),
  };
}
