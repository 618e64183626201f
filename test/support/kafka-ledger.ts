import { isUnavailable } from '../../services/kernel/unavailable.ts';
import type { AnyRecord } from '../../services/adapters/kafka/frame.ts';
import type { RecordLog } from '../../services/kernel/record-log.ts';
import { decoded } from './kafka-logs.ts';

/** The results of the appends of a test, to be compared with what the log holds. */
export interface AppendLedger {
  /** Appends record `number` of `key`; settles without rejecting, whatever comes of it. */
  append(key: string, number: number): Promise<void>;
  /** Appends every number of `numbers` under `key` without waiting in between. */
  appendAll(key: string, numbers: readonly number[]): Promise<void>;
  acked(): number;
  /** Codes of the faults, one per append that was not acknowledged. */
  faults(): readonly string[];
}

/** The differences between a ledger and the log; all empty when nothing went wrong. */
export interface Audit {
  /** Acknowledged, but not in the log: the worst that can happen. */
  readonly lost: readonly string[];
  /** In the log more than once. */
  readonly doubled: readonly string[];
  /** First appearance in the log after a record of the same key that was appended later. */
  readonly reordered: readonly string[];
}

const PAD = 'x'.repeat(300);

/** Keeps account of appends to `topic`; `deadlineMsMax` from the call is the deadline of each. */
export function openLedger(log: RecordLog, topic: string, deadlineMsMax: number): AppendLedger & {
  audit(records: readonly AnyRecord[]): Audit;
} {
  const acks = new Set<string>();
  const faults: string[] = [];

  async function append(key: string, number: number): Promise<void> {
    const id = `${key}#${number}`;
    const value = Buffer.from(JSON.stringify({ id, number, pad: PAD }));
    try {
      await log.append({ topic, key, value, headers: { id } }, Date.now() + deadlineMsMax);
      acks.add(id);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      faults.push(error.code);
    }
  }

  function audit(records: readonly AnyRecord[]): Audit {
    const seen = new Map<string, number>();
    const lastOfKey = new Map<string, number>();
    const reordered: string[] = [];
    for (const { key, headers, value } of decoded(records)) {
      const id = headers['id'] ?? '';
      const times = seen.get(id) ?? 0;
      seen.set(id, times + 1);
      const { number } = JSON.parse(value.toString('utf8')) as { number: number };
      if (times > 0) continue;
      if (number < (lastOfKey.get(key) ?? -1)) reordered.push(id);
      lastOfKey.set(key, number);
    }
    const doubled = [...seen].filter(([, times]) => times > 1).map(([id]) => id);
    return { lost: [...acks].filter((id) => !seen.has(id)), doubled, reordered };
  }

  return {
    append,
    appendAll: async (key, numbers) => {
      await Promise.all(numbers.map((number) => append(key, number)));
    },
    acked: () => acks.size,
    faults: () => faults,
    audit,
  };
}

/** What an audit of a log without any loss, double or wrong order looks like. */
export const FLAWLESS: Audit = { lost: [], doubled: [], reordered: [] };
