import type { Clock, Pause } from '../../../kernel/clock.ts';
import type { LogWatch } from '../../../kernel/log-watch.ts';
import type { Overflow } from '../../../kernel/overflow.ts';
import type { Signals } from '../../../kernel/signals.ts';
import type { DiversionConfig } from './config.ts';

/** What knowing about keys takes. */
export interface KeyPorts {
  /** Reads all decisions of the log. */
  readonly read: () => Promise<Overflow>;
  readonly watch: Pick<LogWatch, 'ranges' | 'offsets'>;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly signals: Signals;
}

/** Which way keys go, for the partitions of one worker. */
export interface OverflowKeys {
  /** Forgets everything and reads the decisions: before the first record of a share. */
  begin(): Promise<void>;
  /** Reads them again when the last time is too long ago. */
  poll(): Promise<void>;
  /** False for every key without a decision. */
  knows(key: string): boolean;
  /**
   * True when records of a key go to the overflow topic. `mayBegin` is asked before the first one
   * goes there. A key that leaves is waited for, within limits, while the topic has records of it.
   */
  isDiverted(key: string, mayBegin: () => boolean): Promise<boolean>;
}

const LOOK_AGAIN_MS = 100;

/**
 * Keeps which keys are diverted. A key that any worker may have diverted before is one from the
 * beginning. It stops being one only when the overflow topic is applied past all of its records.
 */
export function createOverflowKeys(config: DiversionConfig, ports: KeyPorts): OverflowKeys {
  const { clock } = ports;
  let decided: Overflow = new Map();
  let polledMs = 0;
  let notBeforeMs = 0;
  const diverted = new Set<string>();

  async function read(): Promise<void> {
    decided = await ports.read();
    polledMs = clock.nowMs();
  }

  async function isGone(): Promise<boolean> {
    if (clock.nowMs() < notBeforeMs) return false;
    const isApplied = await hopeful(ports, () => overflowIsApplied(config, ports), false);
    if (!isApplied) notBeforeMs = clock.nowMs() + config.leaveAgainMs;
    return isApplied;
  }

  return {
    async begin() {
      diverted.clear();
      notBeforeMs = 0;
      await read();
      // The former owner of these partitions may have diverted any of them.
      for (const key of decided.keys()) diverted.add(key);
    },

    async poll() {
      if (clock.nowMs() - polledMs >= config.pollMs) await hopeful(ports, read, undefined);
    },

    knows: (key) => decided.has(key),

    async isDiverted(key, mayBegin) {
      if (decided.get(key)?.state === 'in') {
        if (!diverted.has(key) && !mayBegin()) return false;
        diverted.add(key);
        return true;
      }
      if (diverted.has(key) && !await isGone()) return true;
      diverted.delete(key);
      return false;
    },
  };
}

/** True once the lane is applied up to the end that it has now; waits for that within bounds. */
async function overflowIsApplied(
  { overflow, overflowGroup, leaveMsMax }: DiversionConfig, { watch, clock, pause }: KeyPorts,
): Promise<boolean> {
  const ends = (await watch.ranges([overflow])).filter(({ start, end }) => start < end);
  const untilMs = clock.nowMs() + leaveMsMax;
  for (;;) {
    const offsets = await watch.offsets(overflowGroup);
    const isBehind = ends.some(({ topic, partition, end }) => {
      const own = offsets.find((each) => each.topic === topic && each.partition === partition);
      return own === undefined || own.next < end;
    });
    if (!isBehind) return true;
    if (clock.nowMs() >= untilMs) return false;
    await pause(LOOK_AGAIN_MS);
  }
}

/** A question that can be asked again later: until then what was known before is safe. */
async function hopeful<Answer>(
  { signals }: KeyPorts, ask: () => Promise<Answer>, otherwise: Answer,
): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    signals.overflowPollFailed({ reason });
    return otherwise;
  }
}
