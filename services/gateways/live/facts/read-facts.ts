import {
  recordsBetween, type FeedLayout, type FeedOffsets,
} from '../../../domain/live/offsets.ts';
import type { LogFollower } from '../../../kernel/log-follower.ts';
import type { LogRangeReader } from '../../../kernel/log-watch.ts';
import { isDecoded } from '../../../kernel/record-log.ts';
import { feedFact, type FactUpdate, type FeedFact } from './feed-fact.ts';

/** What reading facts again needs from outside. */
export interface ReadFactsPorts {
  readonly follower: Pick<LogFollower, 'extents'>;
  readonly reader: Pick<LogRangeReader, 'readRanges'>;
}

/** From where to where, in which partitions. */
export interface FactRange {
  readonly layout: FeedLayout;
  readonly from: FeedOffsets;
  readonly to: FeedOffsets;
  /** Of the others nothing is read. */
  readonly topics: ReadonlySet<string>;
}

/** The result of a reading: all was read, no more was wanted, or why it cannot be read. */
export type FactsRead = 'read' | 'left' | 'removed' | 'remade' | 'too_far';

/**
 * Reads what lies between two places again from the log and hands it over as updates. Nothing is
 * left out silently: what the log does not have any more is said, before and after the reading. No
 * more is read once `onUpdate` answers false.
 */
export async function readFacts(
  { follower, reader }: ReadFactsPorts,
  { layout, from, to, topics }: FactRange,
  recordsMax: number,
  onUpdate: (update: Omit<FactUpdate, 'number'>) => Promise<boolean>,
): Promise<FactsRead> {
  const ranges = layout.flatMap(({ topic, partition }, at) => {
    const [start = 0, end = 0] = [from[at], to[at]];
    return topics.has(topic) && start < end
      ? [{ topic, partition, at, start: BigInt(start), end: BigInt(end) }] : [];
  });
  if (ranges.length === 0) return 'read';
  if (recordsBetween(
    ranges.map(({ start }) => Number(start)), ranges.map(({ end }) => Number(end)),
  ) > recordsMax) return 'too_far';
  const indexOf = new Map(ranges.map(({ topic, partition, at }) => [`${topic}:${partition}`, at]));

  async function lost(): Promise<'removed' | 'remade' | undefined> {
    const extents = await follower.extents([...new Set(ranges.map(({ topic }) => topic))]);
    for (const { topic, partition, topicId, start } of extents) {
      const at = indexOf.get(`${topic}:${partition}`);
      if (at === undefined) continue;
      if (layout[at]?.topicId !== topicId) return 'remade';
      if (start > BigInt(from[at] ?? 0)) return 'removed';
    }
    return undefined;
  }

  const missing = await lost();
  if (missing !== undefined) return missing;
  let reached = from;
  const isLeft = await stopped(() => reader.readRanges(ranges, async (records) => {
    const facts: FeedFact[] = [];
    const after = [...reached];
    for (const record of records) {
      const at = indexOf.get(`${record.topic}:${record.partition}`);
      if (at === undefined) continue;
      after[at] = Number(record.offset) + 1;
      const fact = isDecoded(record) ? feedFact(record, at) : undefined;
      if (fact !== undefined) facts.push(fact);
    }
    if (!await onUpdate({ before: reached, after, facts })) throw new Left();
    reached = after;
  }));
  return isLeft ? 'left' : await lost() ?? 'read';
}

/** The only way to end a reading before its end is to throw. */
class Left extends Error {
  override readonly name = 'Left';
}

async function stopped(read: () => Promise<void>): Promise<boolean> {
  try {
    await read();
    return false;
  } catch (error) {
    if (error instanceof Left) return true;
    throw error;
  }
}
