import { partitionOf } from '../../services/adapters/kafka/murmur2.ts';
import type { LogFollower } from '../../services/kernel/log-follower.ts';
import type { GroupWatch, LogRange, LogRangeReader, LogWatch } from '../../services/kernel/log-watch.ts';
import type { LogReader, LogRecord } from '../../services/kernel/record-log.ts';
import { fakeLogReader } from './fake-log-reader.ts';

/** A log in memory that can be watched and read in parts. */
export interface FakeWatchedLog {
  readonly reader: LogReader;
  readonly watch: LogWatch & GroupWatch;
  readonly extents: LogFollower['extents'];
  readonly rangeReader: LogRangeReader;
  /** Records that were handed out by `rangeReader`. */
  read(): number;
}

/** Every topic has so many partitions; no group has ever committed anything. */
export function fakeWatchedLog(
  records: readonly LogRecord[], partitions = 1,
): FakeWatchedLog {
  let read = 0;
  const ranges = (topics: readonly string[]): LogRange[] => topics.flatMap((topic) => (
    Array.from({ length: partitions }, (_, partition) => {
      const own = records.filter((each) => each.topic === topic && each.partition === partition);
      const offsets = own.map(({ offset }) => offset);
      const start = offsets.reduce((a, b) => (b < a ? b : a), offsets[0] ?? 0n);
      const end = offsets.reduce((a, b) => (b >= a ? b + 1n : a), start);
      return { topic, partition, start, end };
    })
  ));
  return {
    reader: fakeLogReader(records),
    watch: {
      groups: () => Promise.resolve([]),
      members: () => Promise.resolve([]),
      offsets: () => Promise.resolve([]),
      ranges: (topics) => Promise.resolve(ranges(topics)),
      firstSince: (offsets, sinceMs) => Promise.resolve(new Map(offsets.map((place) => {
        const first = records.find((each) => each.topic === place.topic
          && each.partition === place.partition && each.timestampMs >= sinceMs);
        return [`${place.topic}:${place.partition}`, first?.offset ?? place.end];
      }))),
    },
    extents: (topics) => Promise.resolve(ranges(topics).map((range) => (
      { ...range, topicId: `${range.topic}-id` }
    ))),
    rangeReader: {
      async readRanges(wanted, onRecords) {
        for (const { topic, partition, start, end } of wanted) {
          const own = records.filter((each) => each.topic === topic
            && each.partition === partition && each.offset >= start && each.offset < end);
          read += own.length;
          await onRecords(own);
        }
      },
      partitionOf: (key, count) => partitionOf(Buffer.from(key), count),
    },
    read: () => read,
  };
}
