import type { GroupOffset, LogWatch } from '../../kernel/log-watch.ts';

/** What came into one topic, by its offsets. */
export interface TopicFigures {
  readonly topic: string;
  readonly partitions: number;
  /** Records that were ever appended, also those that retention has taken. */
  readonly appended: number;
  /** Of them, those of the last minute and of the last 15 minutes, by the clock of the brokers. */
  readonly inMinute: number;
  readonly in15Minutes: number;
}

const MINUTE_MS = 60_000;

/**
 * What came into each topic that is there. The log says which record is the first since a time, so
 * nothing has to be kept between two reads, and every copy of a gateway answers the same.
 */
export async function readTopics(
  watch: Pick<LogWatch, 'ranges' | 'firstSince'>, topics: readonly string[], nowMs: number,
): Promise<readonly TopicFigures[]> {
  const ranges: readonly GroupOffset[] = (await watch.ranges(topics))
    .map((range) => ({ ...range, next: range.end }));
  const since = async (ms: number): Promise<(range: GroupOffset) => number> => {
    const firsts = await watch.firstSince(ranges, nowMs - ms);
    // A record that came since the range was read may be the first.
    return ({ topic, partition, end }) => (
      Math.max(0, Number(end - (firsts.get(`${topic}:${partition}`) ?? end))));
  };
  const inMinute = await since(MINUTE_MS);
  const in15Minutes = await since(15 * MINUTE_MS);
  const sum = (own: readonly GroupOffset[], of: (range: GroupOffset) => number): number => (
    own.reduce((total, range) => total + of(range), 0));
  return [...Map.groupBy(ranges, ({ topic }) => topic)].map(([topic, own]) => ({
    topic, partitions: own.length, appended: sum(own, ({ end }) => Number(end)),
    inMinute: sum(own, inMinute), in15Minutes: sum(own, in15Minutes),
  }));
}
