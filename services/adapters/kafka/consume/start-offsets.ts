import type { CommitOffset } from '../../../kernel/record-log.ts';
import type { Signals } from '../../../kernel/signals.ts';
import type { LogAdmin } from '../admin.ts';
import { reasonOf } from '../errors.ts';

/**
 * The committed offset of a group is outside of the log: retention deleted its records, or the
 * topic was recreated. Going on would skip records silently, so the consumer stops.
 */
export class OffsetOutOfRange extends Error {
  override readonly name = 'OffsetOutOfRange';
  readonly code = 'OFFSET_OUT_OF_RANGE';
}

/**
 * The topic of the assignment is gone, and another may have its name. Offsets of the one mean
 * nothing in the other, so the assignment ends. The next one reads what there is.
 */
export class TopicRecreated extends Error {
  override readonly name = 'TopicRecreated';
  readonly code = 'TOPIC_RECREATED';
}

/** Where a group begins. */
export interface StartOffsets {
  /** Offset of the next record, by `topic:partition`. */
  readonly next: ReadonlyMap<string, bigint>;
  /** Where the group has none: what {@link commitUnset} is for. */
  readonly unset: readonly CommitOffset[];
  /** Topics that were made again since the group committed. */
  readonly former: readonly string[];
}

/**
 * Where a group goes on: at its committed offset, or at the first record when it has none. A commit
 * of a topic that was made again counts as none. Rejects with {@link OffsetOutOfRange} when a
 * committed offset is not in the log.
 */
export async function startOffsets(
  admin: LogAdmin,
  group: string,
  topics: readonly string[],
): Promise<StartOffsets> {
  const { offsets: committed, former } = await admin.commits(group, topics);
  const offsets = new Map<string, bigint>();
  const unset: CommitOffset[] = [];
  for (const { topic, partition, start, end } of await admin.ranges(topics)) {
    const name = `${topic}:${partition}`;
    const next = committed.get(name);
    if (next !== undefined && (next < start || next > end)) {
      throw new OffsetOutOfRange(
        `Group ${group} is at offset ${next} of ${name}, but the log has ${start} to ${end}. `
        + 'Records may be missing; reset the offsets of the group on purpose to go on.',
      );
    }
    if (next === undefined) unset.push({ topic, partition, nextOffset: start });
    offsets.set(name, next ?? start);
  }
  return { next: offsets, unset, former };
}

/**
 * Commits the first offsets of an assignment before anything of it is read: else what retention
 * took before the first commit would be skipped, unnoticed. That the assignment has changed
 * meanwhile is no error: its next owner does the same.
 */
export async function commitUnset(
  unset: readonly CommitOffset[],
  assignment: readonly Pick<CommitOffset, 'topic' | 'partition'>[],
  { group, signals, commit }: {
    readonly group: string;
    readonly signals: Signals;
    readonly commit: (next: readonly CommitOffset[]) => Promise<void>;
  },
): Promise<void> {
  const ours = unset.filter(({ topic, partition }) => (
    assignment.some((own) => own.topic === topic && own.partition === partition)
  ));
  if (ours.length === 0) return;
  try {
    await commit(ours);
  } catch (error) {
    signals.commitFailed({ group, reason: reasonOf(error) });
  }
}
