import type { CommitPosition } from '../../../kernel/record-log.ts';
import type { Signals } from '../../../kernel/signals.ts';
import type { LogAdmin } from '../admin.ts';
import { reasonOf } from '../errors.ts';

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

/** Where a group begins. */
export interface StartPositions {
  /** Offset of the next record, by `topic:partition`. */
  readonly next: ReadonlyMap<string, bigint>;
  /** Where the group has none: what {@link settleUnset} is for. */
  readonly unset: readonly CommitPosition[];
}

/**
 * Where a group goes on: at its committed offset, or at the first record when it has none. Rejects
 * with {@link OffsetOutOfRange} when a committed offset is not in the log.
 */
export async function startPositions(
  admin: LogAdmin,
  group: string,
  topics: readonly string[],
): Promise<StartPositions> {
  const committed = await admin.committed(group, topics);
  const positions = new Map<string, bigint>();
  const unset: CommitPosition[] = [];
  for (const { topic, partition, start, end } of await admin.ranges(topics)) {
    const name = `${topic}:${partition}`;
    const next = committed.get(name);
    if (next !== undefined && (next < start || next > end)) {
      throw new OffsetOutOfRange(
        `Group ${group} stands at offset ${next} of ${name}, but the log has ${start} to ${end}. `
        + 'Records may be missing; reset the offsets of the group on purpose to go on.',
      );
    }
    if (next === undefined) unset.push({ topic, partition, nextOffset: start });
    positions.set(name, next ?? start);
  }
  return { next: positions, unset };
}

/**
 * Commits the first positions of a share before anything of it is read: else what retention took
 * before the first commit would be skipped, and nobody could tell. That the share has changed
 * meanwhile is no error: its next owner does the same.
 */
export async function settleUnset(
  unset: readonly CommitPosition[],
  share: readonly Pick<CommitPosition, 'topic' | 'partition'>[],
  { group, signals, commit }: {
    readonly group: string;
    readonly signals: Signals;
    readonly commit: (positions: readonly CommitPosition[]) => Promise<void>;
  },
): Promise<void> {
  const ours = unset.filter(({ topic, partition }) => (
    share.some((place) => place.topic === topic && place.partition === partition)
  ));
  if (ours.length === 0) return;
  try {
    await commit(ours);
  } catch (error) {
    signals.commitFailed({ group, reason: reasonOf(error) });
  }
}
