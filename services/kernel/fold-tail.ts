import type { FoldCheckpoint } from './fold-checkpoints.ts';
import type { LogRange } from './log-watch.ts';

/** Whether all that was folded is of these topics, and not beyond their ends. */
export function isFoldedOf(
  topics: FoldCheckpoint['topics'], ids: ReadonlyMap<string, string>, ranges: readonly LogRange[],
): boolean {
  return topics.every(({ topic, topic_id, next }) => ids.get(topic) === topic_id
    && Object.entries(next).every(([partition, offset]) => ranges.some((range) => (
      range.topic === topic && range.partition === Number(partition) && BigInt(offset) <= range.end
    ))));
}

/** What of a range is not folded yet. */
export function tailOf(range: LogRange, topics: FoldCheckpoint['topics']): LogRange {
  const folded = topics.find(({ topic }) => topic === range.topic)?.next[range.partition];
  const next = folded === undefined ? range.start : BigInt(folded);
  return { ...range, start: next > range.start ? next : range.start };
}

/** Up to where all is folded once these ranges are read to their ends. */
export function foldedOf(
  ids: ReadonlyMap<string, string>, ranges: readonly LogRange[],
): FoldCheckpoint['topics'] {
  return [...Map.groupBy(ranges, ({ topic }) => topic)].map(([topic, own]) => ({
    topic, topic_id: ids.get(topic) ?? '',
    next: Object.fromEntries(own.map(({ partition, end }) => [partition, String(end)])),
  }));
}
