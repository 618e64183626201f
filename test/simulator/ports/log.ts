import { Unavailable } from '../../../services/kernel/unavailable.ts';
import type { FoldSource } from '../../../services/kernel/fold.ts';
import type { LogRange } from '../../../services/kernel/log-watch.ts';
import type {
  LogReader, LogRecord, OutgoingRecord, RecordLog,
} from '../../../services/kernel/record-log.ts';
import type { SimProcess } from '../core/scheduler.ts';
import type { Wire } from '../core/wire.ts';

/** A record in the log, with the step at which it came in. */
export interface AppendedRecord extends LogRecord {
  readonly step: number;
}

/** The log that all processes of a schedule share. */
export interface SimLog {
  /** Takes records for a process in the way of the real append path. */
  appendOf(process: SimProcess): RecordLog;
  readerOf(process: SimProcess): LogReader;
  /** The same log, of which a process reads parts. */
  partsOf(process: SimProcess): FoldSource;
  /** Writes at once, as if it had always been there. */
  write(record: OutgoingRecord): AppendedRecord;
  records(topic: string): readonly AppendedRecord[];
  partitions(topic: string): readonly (readonly AppendedRecord[])[];
  onAppended(listener: (record: AppendedRecord) => void): void;
}

interface Waiter {
  readonly record: OutgoingRecord;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  isAnswered: boolean;
}

const PARTITIONS = 3;
const RETRY_MS = 100;
const READ_MAX = 4;
const SLOW_MS_MIN = 300;
const SLOW_MS_MAX = 4_500;

/**
 * Makes an empty log. Keys go to partitions in the order in which they first appear, the same in
 * every topic, so that a schedule does not depend on what its keys are made of.
 */
export function createSimLog(wire: Wire): SimLog {
  const { scheduler, weather } = wire;
  const topics = new Map<string, AppendedRecord[][]>();
  const places = new Map<string, number>();
  const appended = new Map<string, AppendedRecord[]>();
  const listeners: ((record: AppendedRecord) => void)[] = [];

  function partitionsOf(topic: string): AppendedRecord[][] {
    const found = topics.get(topic) ?? Array.from({ length: PARTITIONS }, () => []);
    topics.set(topic, found);
    return found;
  }

  function partitionOf(key: string): number {
    const place = places.get(key) ?? places.size;
    places.set(key, place);
    return place % PARTITIONS;
  }

  function write({ topic, key, value, headers }: OutgoingRecord): AppendedRecord {
    const partition = partitionOf(key);
    const own = partitionsOf(topic)[partition] ?? [];
    const record: AppendedRecord = {
      topic, topicId: `${topic}-id`, partition, offset: BigInt(own.length), key,
      value: Buffer.from(value), schemaId: 1, headers, timestampMs: scheduler.nowMs(),
      step: scheduler.step(),
    };
    own.push(record);
    appended.set(topic, [...appended.get(topic) ?? [], record]);
    for (const listener of listeners) listener(record);
    return record;
  }

  /** One send in flight; one with an unknown outcome goes again, first, until it is answered. */
  function createQueue(
    process: SimProcess, topic: string,
  ): (waiter: Waiter, waitMs: number) => void {
    const waiting: Waiter[] = [];
    let inFlight: Waiter | undefined;

    function sendNext(): void {
      if (inFlight !== undefined) return;
      inFlight = waiting.shift();
      if (inFlight !== undefined) send(inFlight, false);
    }

    function send(waiter: Waiter, isWritten: boolean): void {
      const latencyMs = weather.chance('slowLog')
        ? scheduler.dice.between(SLOW_MS_MIN, SLOW_MS_MAX)
        : weather.latencyMs();
      scheduler.post(process, 'request', `append to ${topic}`, latencyMs, () => {
        const outcome = weather.outcome();
        const writes = outcome !== 'dropped' && (!isWritten || weather.chance('doubled'));
        if (writes) write(waiter.record);
        const label = `append to ${topic} ${writes ? 'written' : 'not written'}, ${outcome}`;
        scheduler.post(process, 'answer', label, weather.latencyMs(), () => {
          if (outcome !== 'ok') {
            scheduler.post(process, 'timer', `append to ${topic} again`, RETRY_MS,
              () => send(waiter, isWritten || writes));
            return;
          }
          inFlight = undefined;
          answer(waiter, waiter.resolve);
          sendNext();
        });
      });
    }

    function answer(waiter: Waiter, run: () => void): void {
      if (waiter.isAnswered) return;
      waiter.isAnswered = true;
      run();
    }

    return function append(waiter, waitMs) {
      waiting.push(waiter);
      scheduler.post(process, 'timer', `deadline of an append to ${topic}`, waitMs, () => {
        const at = waiting.indexOf(waiter);
        if (at >= 0) waiting.splice(at, 1);
        answer(waiter, () => waiter.reject(
          new Unavailable(at >= 0 ? 'log_unavailable' : 'log_timeout', 'append', 'past its deadline'),
        ));
      });
      sendNext();
    };
  }

  function appendOf(process: SimProcess): RecordLog {
    const queues = new Map<string, ReturnType<typeof createQueue>>();
    const clock = wire.clockOf(process);
    return {
      async append(record, deadlineMs) {
        const waitMs = deadlineMs - clock.nowMs();
        if (waitMs <= 0) throw new Unavailable('log_unavailable', 'append', 'past its deadline');
        if (weather.chance('full')) throw new Unavailable('capacity_exhausted', 'append', 'full');
        const name = `${record.topic}:${partitionOf(record.key)}`;
        const append = queues.get(name) ?? createQueue(process, record.topic);
        queues.set(name, append);
        await new Promise<void>((resolve, reject) => {
          append({ record, resolve, reject, isAnswered: false }, waitMs);
        });
      },
    };
  }

  function partsOf(process: SimProcess): FoldSource {
    const ask = <Answer>(label: string, effect: () => Answer): Promise<Answer> =>
      wire.exchange(process, label, 'log_unavailable', effect);
    return {
      watch: {
        ranges: (names) => ask('log.ends', () => names.flatMap((topic) =>
          partitionsOf(topic).map((own, partition): LogRange => (
            { topic, partition, start: 0n, end: BigInt(own.length) })))),
      },
      topicIds: (names) => ask('log.ids', () => new Map(names.map((each) => [each, `${each}-id`]))),
      rangeReader: {
        async readRanges(ranges, onRecords) {
          const cursors = ranges.map(({ topic, partition, start, end }) => (
            { topic, partition, at: Number(start), end: Number(end) }));
          let open = cursors.filter(({ at, end }) => at < end);
          while (open.length > 0) {
            const cursor = scheduler.dice.pick(open);
            const { topic, partition, at } = cursor;
            const upTo = Math.min(cursor.end, at + READ_MAX);
            await onRecords(await ask('log.read', () => (
              partitionsOf(topic)[partition]?.slice(at, upTo) ?? [])));
            cursor.at = upTo;
            open = open.filter((each) => each.at < each.end);
          }
        },
      },
    };
  }

  function readerOf(process: SimProcess): LogReader {
    const { watch, rangeReader } = partsOf(process);
    return {
      readToEnd: async (names, onRecords) => (
        rangeReader.readRanges(await watch.ranges(names), onRecords)),
    };
  }

  return {
    appendOf,
    readerOf,
    partsOf,
    write,
    records: (topic) => appended.get(topic) ?? [],
    partitions: (topic) => partitionsOf(topic),
    onAppended: (listener) => { listeners.push(listener); },
  };
}
