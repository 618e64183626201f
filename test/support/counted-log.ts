import type { FoldSource } from '../../services/kernel/fold.ts';
import type { LogRecord } from '../../services/kernel/record-log.ts';
import { aLogRecord } from './fake-log-reader.ts';

/** A log in memory of many records, which counts those that are read. */
export interface CountedLog extends FoldSource {
  append(topic: string, value: unknown, change?: Partial<LogRecord>): void;
  /** Lets the log forget the records of a partition before an offset. */
  forget(topic: string, partition: number, start: number): void;
  /** Records read since it was asked last. */
  counted(): number;
}

/** How the reads of a log are in the way of each other. */
export interface CountedLogOptions {
  readonly partitions?: number;
  readonly batchRecordsMax?: number;
  /** Which of so many open ranges goes on next. */
  readonly pick?: (count: number) => number;
  /** Called before the ends of topics are taken. */
  readonly onEnds?: (topics: readonly string[]) => void;
}

/** Makes an empty log. */
export function countedLog(
  { partitions = 1, batchRecordsMax = 1_000, pick = () => 0, onEnds = () => undefined }:
  CountedLogOptions = {},
): CountedLog {
  const records = new Map<string, LogRecord[]>();
  const starts = new Map<string, number>();
  let count = 0;
  const nameOf = (topic: string, partition: number): string => `${topic}:${partition}`;
  const ownOf = (topic: string, partition: number): LogRecord[] => {
    const name = nameOf(topic, partition);
    const own = records.get(name) ?? [];
    records.set(name, own);
    return own;
  };

  return {
    append(topic, value, change = {}) {
      const own = ownOf(topic, change.partition ?? 0);
      own.push(aLogRecord(topic, own.length, value, change));
    },
    forget: (topic, partition, start) => { starts.set(nameOf(topic, partition), start); },
    counted() {
      const counted = count;
      count = 0;
      return counted;
    },
    watch: {
      async ranges(topics) {
        onEnds(topics);
        return topics.flatMap((topic) => Array.from({ length: partitions }, (_, partition) => ({
          topic, partition, start: BigInt(starts.get(nameOf(topic, partition)) ?? 0),
          end: BigInt(ownOf(topic, partition).length),
        })));
      },
    },
    topicIds: async (topics) => new Map(topics.map((topic) => [topic, `${topic}-id`])),
    rangeReader: {
      async readRanges(ranges, onRecords) {
        const all = ranges.map(({ topic, partition, start, end }) => (
          { own: ownOf(topic, partition), at: Number(start), end: Number(end) }));
        let open = all.filter(({ at, end }) => at < end);
        while (open.length > 0) {
          const cursor = open[pick(open.length) % open.length] as (typeof all)[number];
          const upTo = Math.min(cursor.at + batchRecordsMax, cursor.end);
          const some = cursor.own.slice(cursor.at, upTo);
          cursor.at += some.length;
          count += some.length;
          await onRecords(some);
          open = open.filter(({ at, end }) => at < end);
        }
      },
    },
  };
}
