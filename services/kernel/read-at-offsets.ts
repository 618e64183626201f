import type { LogRange, LogRangeReader } from './log-watch.ts';
import { isDecoded, type LogRecord } from './record-log.ts';

/** Which record of the log. */
export interface RecordOffset {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
}

/** Records between two that are read with them, which costs less than one more request. */
const GAP_RECORDS_MAX = 32n;

/**
 * Reads the records at these offsets, those of a partition in order: work that goes with these
 * and not with the log. What the log has no more is left out.
 */
export async function readAtOffsets(
  { readRanges }: Pick<LogRangeReader, 'readRanges'>, offsets: Iterable<RecordOffset>,
  onRecord: (record: LogRecord) => void,
): Promise<void> {
  const wanted = new Map([...offsets].map((each) => [nameOf(each), each]));
  if (wanted.size === 0) return;
  await readRanges(rangesOf([...wanted.values()]), (records) => {
    for (const record of records) {
      if (isDecoded(record) && wanted.has(nameOf(record))) onRecord(record);
    }
    return Promise.resolve();
  });
}

function rangesOf(offsets: readonly RecordOffset[]): readonly LogRange[] {
  const ranges: LogRange[] = [];
  for (const own of Map.groupBy(offsets, ({ topic, partition }) => `${topic}:${partition}`).values()) {
    let open: { topic: string; partition: number; start: bigint; end: bigint } | undefined;
    for (const { topic, partition, offset } of own.toSorted(inOrder)) {
      if (open !== undefined && offset - open.end <= GAP_RECORDS_MAX) {
        open.end = offset + 1n;
      } else {
        open = { topic, partition, start: offset, end: offset + 1n };
        ranges.push(open);
      }
    }
  }
  return ranges;
}

function inOrder(a: RecordOffset, b: RecordOffset): number {
  return a.offset < b.offset ? -1 : 1;
}

function nameOf({ topic, partition, offset }: RecordOffset): string {
  return `${topic}:${partition}:${offset}`;
}
