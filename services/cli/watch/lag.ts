import { lagByTopic, type TopicLag } from '../../kernel/lag.ts';
import type { LogWatch } from '../../kernel/log-watch.ts';

/** How far one group is behind in one topic. */
export interface Lag extends TopicLag {
  readonly group: string;
}

/** The lag of every group whose name begins with `prefix`, the furthest behind first. */
export async function readLag(
  watch: LogWatch, prefix: string, nowMs: number,
): Promise<readonly Lag[]> {
  const lags: Lag[] = [];
  for (const group of await watch.groups(prefix)) {
    for (const lag of await lagByTopic(watch, await watch.offsets(group), nowMs)) {
      lags.push({ group, ...lag });
    }
  }
  return lags.toSorted((one, other) => (
    other.seconds - one.seconds || other.records - one.records
    || one.group.localeCompare(other.group) || one.topic.localeCompare(other.topic)
  ));
}
