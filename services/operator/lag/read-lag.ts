import { lagByTopic, type TopicLag } from '../../kernel/lag.ts';
import type { LogWatch } from '../../kernel/log-watch.ts';

/** How far one group is behind in one topic. */
export interface Lag extends TopicLag {
  readonly group: string;
}

/** How far one group is behind in the topics that it has committed something in. */
export interface LagOfGroup {
  readonly group: string;
  /** Its committed offsets, summed over partitions: the difference of two times is what it did. */
  readonly committed: bigint;
  readonly topics: readonly TopicLag[];
}

/** The lag of every group whose name begins with `prefix`, by name. */
export async function readGroupLags(
  watch: Pick<LogWatch, 'groups' | 'offsets' | 'firstSince'>, prefix: string, nowMs: number,
): Promise<readonly LagOfGroup[]> {
  return Promise.all((await watch.groups(prefix)).map(async (group) => {
    const offsets = await watch.offsets(group);
    return {
      group,
      committed: offsets.reduce((sum, { next }) => sum + next, 0n),
      topics: await lagByTopic(watch, offsets, nowMs),
    };
  }));
}

/** The same topic by topic, the furthest behind first. */
export async function readLag(
  watch: LogWatch, prefix: string, nowMs: number,
): Promise<readonly Lag[]> {
  const lags = (await readGroupLags(watch, prefix, nowMs))
    .flatMap(({ group, topics }) => topics.map((lag) => ({ group, ...lag })));
  return lags.toSorted((one, other) => (
    other.seconds - one.seconds || other.records - one.records
    || one.group.localeCompare(other.group) || one.topic.localeCompare(other.topic)
  ));
}
