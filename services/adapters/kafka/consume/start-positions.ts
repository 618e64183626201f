import type { LogAdmin } from '../admin.ts';

/**
 * The committed position of a group lies outside of what the log still has: retention has passed
 * it, or the topic was made anew. Going on would skip records silently, so the consumer stops.
 */
export class OffsetOutOfRange extends Error {
  override readonly name = 'OffsetOutOfRange';
  readonly code = 'OFFSET_OUT_OF_RANGE';
}

/**
 * The topic that was read is gone, and another may have its name: positions in the one mean nothing
 * in the other, so the consumer stops. A new start looks at what there is.
 */
export class TopicMadeAnew extends Error {
  override readonly name = 'TopicMadeAnew';
  readonly code = 'TOPIC_MADE_ANEW';
}

/**
 * Where a group goes on, by `topic:partition`: at its committed offset, or at the first record when
 * it has none. Rejects with {@link OffsetOutOfRange} when a committed offset is not in the log.
 */
export async function startPositions(
  admin: LogAdmin,
  group: string,
  topics: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const committed = await admin.committed(group, topics);
  const positions = new Map<string, bigint>();
  for (const { topic, partition, start, end } of await admin.ranges(topics)) {
    const name = `${topic}:${partition}`;
    const next = committed.get(name);
    if (next !== undefined && (next < start || next > end)) {
      throw new OffsetOutOfRange(
        `Group ${group} stands at offset ${next} of ${name}, but the log has ${start} to ${end}. `
        + 'Records may be missing; reset the offsets of the group on purpose to go on.',
      );
    }
    positions.set(name, next ?? start);
  }
  return positions;
}
