import { isMoved } from '../../../domain/overflow/provider-overflow.ts';
import type { Clock, Pause } from '../../../kernel/clock.ts';
import type { LogWatch } from '../../../kernel/log-watch.ts';
import type { Overflow } from '../../../kernel/overflow.ts';
import type { LogRecord } from '../../../kernel/record-log.ts';
import type { Signals } from '../../../kernel/signals.ts';
import type { DiversionConfig } from './config.ts';

/** What knowing about keys takes. */
export interface KeyPorts {
  /** Reads all decisions of the log. */
  readonly read: () => Promise<Overflow>;
  /** The keys of the records in the overflow topic that are not applied yet. */
  readonly waitingKeys: () => Promise<Iterable<string>>;
  readonly watch: Pick<LogWatch, 'ranges' | 'offsets'>;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly signals: Signals;
}

/** What decides which way a record goes: its key, and its provider. */
export type RecordWay = Pick<LogRecord, 'key' | 'headers'>;

/** Which way records go, for the partitions of one worker. */
export interface OverflowKeys {
  /** Forgets everything, reads the decisions and what waits: before the first record of a share. */
  begin(): Promise<void>;
  /** Begins a call: reads the decisions again when the last time is too long ago. */
  poll(): Promise<void>;
  /** Reads the decisions now, after one was made here. */
  refresh(): Promise<void>;
  /** The decisions as they were read last. */
  decided(): Overflow;
  /** False for every record that goes directly without more questions. */
  knows(record: RecordWay): boolean;
  /**
   * True when a record and all others of its key in this call go to the overflow topic. `mayBegin`
   * is asked before the first one goes there. A key that leaves is waited for, within limits, while
   * the topic has records of it.
   */
  isDiverted(record: RecordWay, mayBegin: () => boolean): Promise<boolean>;
}

const LOOK_AGAIN_MS = 100;

/**
 * Keeps which keys are diverted: those that the overflow topic has records of at the beginning, and
 * each that goes there later. None stops being one before the topic is applied past its records.
 */
export function createOverflowKeys(config: DiversionConfig, ports: KeyPorts): OverflowKeys {
  const { clock } = ports;
  let decided: Overflow = { devices: new Map(), providers: new Map() };
  let polledMs = 0;
  let notBeforeMs = 0;
  let diverted = new Set<string>();
  /** Keys of which this call appends records: what is applied now is not all of them. */
  let inThisCall = new Set<string>();

  async function read(): Promise<void> {
    decided = await ports.read();
    polledMs = clock.nowMs();
  }

  /** True once the topic has no record of any key but of those in this call. */
  async function isGone(): Promise<boolean> {
    if (clock.nowMs() < notBeforeMs) return false;
    const isApplied = await hopeful(ports, () => overflowIsApplied(config, ports), false);
    if (isApplied) diverted = new Set(inThisCall);
    else notBeforeMs = clock.nowMs() + config.leaveAgainMs;
    return isApplied;
  }

  function goesIn({ key, headers }: RecordWay): boolean {
    if (decided.devices.get(key)?.state === 'in') return true;
    const decisions = decided.providers.get(headers['provider'] ?? '');
    return decisions !== undefined && isMoved(decisions, clock.nowMs());
  }

  return {
    async begin() {
      notBeforeMs = 0;
      inThisCall = new Set();
      await read();
      // The former owner of these partitions diverted all that it committed past.
      diverted = new Set(await ports.waitingKeys());
    },

    async poll() {
      inThisCall = new Set();
      if (clock.nowMs() - polledMs >= config.pollMs) await hopeful(ports, read, undefined);
    },

    refresh: () => hopeful(ports, read, undefined),
    decided: () => decided,
    knows: (record) => diverted.has(record.key) || goesIn(record),

    async isDiverted(record, mayBegin) {
      const { key } = record;
      const isAside = goesIn(record)
        ? diverted.has(key) || mayBegin()
        : diverted.has(key) && !await isGone();
      if (isAside) {
        diverted.add(key);
        inThisCall.add(key);
      } else {
        diverted.delete(key);
      }
      return isAside;
    },
  };
}

/** True once the topic is applied up to the end that it has now; waits for that within bounds. */
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
