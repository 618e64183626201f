import { TOPICS } from '../../schemas/generated/catalog.ts';
import { Unavailable } from '../../services/kernel/unavailable.ts';
import { RecordTooLarge, recordBytes } from '../../services/kernel/record-size.ts';
import type { OutgoingRecord, RecordLog } from '../../services/kernel/record-log.ts';

const LIMITS = new Map(
  Object.values(TOPICS).map((topic): [string, number] => [topic.name, topic.message_bytes_max]),
);

/** The ways in which the port {@link RecordLog} may refuse. */
export type AppendFailure = 'log_unavailable' | 'log_timeout' | 'capacity_exhausted';

/** One record that the fake took, its value parsed, in the order of the appends. */
export interface FakeAppend {
  readonly topic: string;
  readonly key: string;
  readonly value: unknown;
  readonly bytes: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  readonly deadlineMs: number;
  /** The schema that the record names, where its writer said which. */
  readonly schemaId: number | undefined;
}

/** A {@link RecordLog} in memory, for the tests of who writes to the log. */
export interface FakeRecordLog extends RecordLog {
  /** Everything in the log, also records whose append answered `log_timeout` after writing. */
  readonly appended: readonly FakeAppend[];
  /** Records of one topic, oldest first. */
  of(topic: string): readonly FakeAppend[];
  /** Fails the next `times` appends (all of them by default) without writing. */
  failWith(code: AppendFailure, times?: number): void;
  /** Writes, but loses the answer: the next `times` appends reject with `log_timeout`. */
  loseAnswers(times?: number): void;
  /** Ends every failure asked for. */
  heal(): void;
  /** Holds every further append back until {@link FakeRecordLog.release}. */
  hold(): void;
  /** Lets the held appends go on, in their order. */
  release(): void;
  /** Number of appends that wait for {@link FakeRecordLog.release}. */
  held(): number;
}

/**
 * Makes a log that keeps what is appended in memory and fails only on request, or for a record that
 * its topic does not take. Values must be JSON, as in the real log; anything else throws, because
 * it is a bug of the caller.
 */
export function fakeRecordLog(): FakeRecordLog {
  const appended: FakeAppend[] = [];
  const waiting: (() => void)[] = [];
  let failure: { code: AppendFailure; left: number; writes: boolean } | undefined;
  let holding = false;

  async function append(record: OutgoingRecord, deadlineMs: number): Promise<void> {
    const value: unknown = JSON.parse(Buffer.from(record.value).toString('utf8'));
    const bytesMax = LIMITS.get(record.topic) ?? Infinity;
    const bytes = recordBytes(record);
    if (bytes > bytesMax) throw new RecordTooLarge(record.topic, bytes, bytesMax);
    if (holding) await new Promise<void>((resolve) => waiting.push(resolve));
    const failing = failure !== undefined && failure.left > 0 ? failure : undefined;
    if (failing !== undefined) failing.left -= 1;
    if (failing === undefined || failing.writes) {
      const { topic, key, headers, schemaId } = record;
      appended.push({ topic, key, value, bytes: record.value, headers, deadlineMs, schemaId });
    }
    if (failing !== undefined) throw new Unavailable(failing.code, 'append', 'as the test asked');
  }

  return {
    append,
    appended,
    of: (topic) => appended.filter((record) => record.topic === topic),
    failWith: (code, times = Infinity) => { failure = { code, left: times, writes: false }; },
    loseAnswers: (times = Infinity) => {
      failure = { code: 'log_timeout', left: times, writes: true };
    },
    heal: () => { failure = undefined; },
    hold: () => { holding = true; },
    release: () => {
      holding = false;
      for (const go of waiting.splice(0)) go();
    },
    held: () => waiting.length,
  };
}
