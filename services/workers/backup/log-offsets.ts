import type { LogRange, LogRangeReader, LogWatch } from '../../kernel/log-watch.ts';
import type { LogReader } from '../../kernel/record-log.ts';
import type { BackupOffset } from '../../kernel/table-backups.ts';

/** A group that writes tables, and the topics that it reads. */
export interface WritingGroup {
  readonly group: string;
  readonly topics: readonly string[];
}

/** What is asked of the log about its offsets. */
export interface OffsetPorts {
  readonly watch: Pick<LogWatch, 'offsets' | 'ranges'>;
  readonly topicIds: (topics: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

/** Records that the log does not hold any more and the backup may lack. */
export interface GoneRange {
  readonly topic: string;
  readonly partition: number;
  readonly from: bigint;
  readonly to: bigint;
}

/** What follows a backup in the log. */
export interface TableTail {
  readonly ranges: readonly LogRange[];
  readonly gone: readonly GoneRange[];
}

/** What the writers have committed, and so written: everything before is in the tables. */
export async function writtenOffsets(
  groups: readonly WritingGroup[], { watch, topicIds }: OffsetPorts,
): Promise<readonly BackupOffset[]> {
  const ids = await topicIds(groups.flatMap(({ topics }) => topics));
  const offsets: BackupOffset[] = [];
  for (const { group, topics } of groups) {
    for (const { topic, partition, next } of await watch.offsets(group, topics)) {
      offsets.push({ topic, topicId: ids.get(topic) ?? '', partition, next });
    }
  }
  return offsets;
}

/**
 * The log from the offsets of a backup on, as far as it goes now. A topic that was made again since
 * is read from its beginning: nothing of it can be in the backup.
 */
export async function tailAfter(
  offsets: readonly BackupOffset[], topics: readonly string[], { watch, topicIds }: OffsetPorts,
): Promise<TableTail> {
  const ids = await topicIds(topics);
  const known = new Map(offsets.map(({ topic, topicId, partition, next }) => (
    [`${topicId} ${topic}:${partition}`, next]
  )));
  const gone: GoneRange[] = [];
  const ranges = (await watch.ranges(topics)).map((range) => {
    const { topic, partition, start } = range;
    const next = known.get(`${ids.get(topic) ?? ''} ${topic}:${partition}`) ?? start;
    if (next >= start) return { ...range, start: next };
    gone.push({ topic, partition, from: next, to: start });
    return range;
  });
  return { ranges: ranges.filter(({ start, end }) => start < end), gone };
}

/** Reads of the topics with rows only their ranges; of others, such as erasures, everything. */
export function tailReader(
  ranges: readonly LogRange[], topics: readonly string[],
  { reader, rangeReader }: {
    readonly reader: LogReader; readonly rangeReader: Pick<LogRangeReader, 'readRanges'>;
  },
): LogReader {
  return {
    async readToEnd(asked, onRecords) {
      const others = asked.filter((topic) => !topics.includes(topic));
      if (others.length > 0) await reader.readToEnd(others, onRecords);
      await rangeReader.readRanges(ranges.filter(({ topic }) => asked.includes(topic)), onRecords);
    },
  };
}
