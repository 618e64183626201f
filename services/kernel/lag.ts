import type { GroupOffset, LogWatch } from './log-watch.ts';

/** The lag of a group in one topic. */
export interface TopicLag {
  readonly topic: string;
  readonly partitions: number;
  /** Records that the group has not committed. */
  readonly records: number;
  /** Age of the oldest of them in s, to the second; 0 when there is none. */
  readonly seconds: number;
}

const AGE_S_MAX = 90 * 86_400;

/** The lag in each topic of these partitions. Asks nothing more of the log where there is none. */
export async function lagByTopic(
  watch: Pick<LogWatch, 'firstSince'>, offsets: readonly GroupOffset[], nowMs: number,
): Promise<readonly TopicLag[]> {
  const lags: TopicLag[] = [];
  for (const [topic, own] of Map.groupBy(offsets, (offset) => offset.topic)) {
    const behind = own.filter(({ next, end }) => next < end);
    lags.push({
      topic,
      partitions: own.length,
      records: behind.reduce((sum, { next, end }) => sum + Number(end - next), 0),
      seconds: behind.length === 0 ? 0 : await oldestSeconds(watch, behind, nowMs),
    });
  }
  return lags;
}

/**
 * The log can be asked for the first record since a time, not for the time of a record; so the age
 * of the oldest uncommitted one is doubled up to and then closed in by halves. One question is
 * enough for a group that keeps up.
 */
async function oldestSeconds(
  watch: Pick<LogWatch, 'firstSince'>, behind: readonly GroupOffset[], nowMs: number,
): Promise<number> {
  const isOlder = async (seconds: number): Promise<boolean> => {
    const firsts = await watch.firstSince(behind, nowMs - seconds * 1_000);
    return behind.some(({ topic, partition, next }) => (
      (firsts.get(`${topic}:${partition}`) ?? next) > next
    ));
  };
  let [young, old] = [0, 1];
  while (old < AGE_S_MAX && await isOlder(old)) [young, old] = [old, Math.min(old * 2, AGE_S_MAX)];
  while (old - young > 1) {
    const middle = Math.floor((young + old) / 2);
    if (await isOlder(middle)) young = middle;
    else old = middle;
  }
  return old;
}
