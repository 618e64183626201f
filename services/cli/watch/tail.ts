import type { LogRange, LogRangeReader, LogWatch } from '../../kernel/log-watch.ts';
import type { LogReader } from '../../kernel/record-log.ts';

/** What reading parts of the log takes. */
export interface LogTail {
  readonly watch: LogWatch;
  readonly rangeReader: LogRangeReader;
}

/** Which records count as the newest: both bounds hold. */
export interface TailBounds {
  /** Epoch ms of the oldest record. */
  readonly sinceMs: number;
  /** Most records of each partition. */
  readonly recordsMax: number;
}

/** The newest part of each range, so that the work does not grow with the log. */
export async function tailOf(
  watch: LogWatch, ranges: readonly LogRange[], { sinceMs, recordsMax }: TailBounds,
): Promise<readonly LogRange[]> {
  const firsts = await watch.firstSince(
    ranges.map((range) => ({ ...range, next: range.start })), sinceMs,
  );
  return ranges.map((range) => {
    const { topic, partition, start, end } = range;
    const starts = [start, firsts.get(`${topic}:${partition}`) ?? start, end - BigInt(recordsMax)];
    return { ...range, start: starts.reduce((a, b) => (b > a ? b : a)) };
  });
}

/** The partition of each topic in which a key's records are. */
export async function rangesOfKey(
  { watch, rangeReader }: LogTail, topics: readonly string[], key: string,
): Promise<readonly LogRange[]> {
  const byTopic = Map.groupBy(await watch.ranges(topics), ({ topic }) => topic);
  return [...byTopic.values()].flatMap((ranges) => ranges.filter(({ partition }) => (
    partition === rangeReader.partitionOf(key, ranges.length)
  )));
}

/** Reads of each topic only the partition of one key: for questions about that key. */
export function readerOfKey(log: LogTail, key: string): LogReader {
  return {
    readToEnd: async (topics, onRecords) => log.rangeReader.readRanges(
      await rangesOfKey(log, topics, key), onRecords,
    ),
  };
}
