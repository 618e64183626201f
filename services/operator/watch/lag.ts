import type { GroupPlace, LogWatch } from '../../kernel/log-watch.ts';

/** How far one group is behind in one topic. */
export interface Lag {
  readonly group: string;
  readonly topic: string;
  readonly partitions: number;
  /** Records that the group has not committed. */
  readonly records: number;
  /** Age of the oldest of them in s, to the second; 0 when there is none. */
  readonly seconds: number;
}

const AGE_S_MAX = 90 * 86_400;

/** The lag of every group whose name begins with `prefix`, the furthest behind first. */
export async function readLag(
  watch: LogWatch, prefix: string, nowMs: number,
): Promise<readonly Lag[]> {
  const lags: Lag[] = [];
  for (const group of await watch.groups(prefix)) {
    const byTopic = Map.groupBy(await watch.places(group), ({ topic }) => topic);
    for (const [topic, places] of byTopic) {
      const behind = places.filter(({ next, end }) => next < end);
      lags.push({
        group, topic, partitions: places.length,
        records: behind.reduce((sum, { next, end }) => sum + Number(end - next), 0),
        seconds: behind.length === 0 ? 0 : await oldestSeconds(watch, behind, nowMs),
      });
    }
  }
  return lags.toSorted((one, other) => (
    other.seconds - one.seconds || other.records - one.records
    || one.group.localeCompare(other.group) || one.topic.localeCompare(other.topic)
  ));
}

/**
 * The log can be asked for the first record since a time, not for the time of a record; so the age
 * of the oldest uncommitted one is closed in by halves.
 */
async function oldestSeconds(
  watch: LogWatch, behind: readonly GroupPlace[], nowMs: number,
): Promise<number> {
  let [young, old] = [0, AGE_S_MAX];
  while (old - young > 1) {
    const middle = Math.floor((young + old) / 2);
    const firsts = await watch.firstSince(behind, nowMs - middle * 1_000);
    const isOlder = behind.some(({ topic, partition, next }) => (
      (firsts.get(`${topic}:${partition}`) ?? next) > next
    ));
    if (isOlder) young = middle;
    else old = middle;
  }
  return old;
}
