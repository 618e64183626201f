import type { GroupOffset, LogRange, LogWatch } from '../../services/kernel/log-watch.ts';

/** A log in memory of which only places and times are kept, and who has committed what. */
export interface FakeLogWatch extends LogWatch {
  /** Appends records of these times (epoch ms, rising) to a partition; makes the topic. */
  append(topic: string, partition: number, timesMs: readonly number[]): void;
  commit(group: string, topic: string, partition: number, next: bigint): void;
}

/** Makes an empty log. */
export function fakeLogWatch(): FakeLogWatch {
  const topics = new Map<string, Map<number, number[]>>();
  const groups = new Map<string, Map<string, bigint>>();

  const rangesOf = (names: readonly string[]): LogRange[] => names.flatMap((topic) => (
    [...topics.get(topic) ?? []].map(([partition, times]) => (
      { topic, partition, start: 0n, end: BigInt(times.length) }
    ))
  ));

  return {
    append(topic, partition, timesMs) {
      const own = topics.get(topic) ?? new Map<number, number[]>();
      topics.set(topic, own.set(partition, [...own.get(partition) ?? [], ...timesMs]));
    },
    commit(group, topic, partition, next) {
      const own = groups.get(group) ?? new Map<string, bigint>();
      groups.set(group, own.set(`${topic}:${partition}`, next));
    },
    groups: async (prefix) => [...groups.keys()].filter((name) => name.startsWith(prefix)).sort(),
    async offsets(group, wanted) {
      const committed = groups.get(group) ?? new Map<string, bigint>();
      const watched = wanted ?? new Set([...committed.keys()].map((name) => name.split(':')[0] ?? ''));
      return rangesOf([...watched]).map((range): GroupOffset => (
        { ...range, next: committed.get(`${range.topic}:${range.partition}`) ?? range.start }
      ));
    },
    ranges: async (names) => rangesOf(names),
    firstSince: async (offsets, sinceMs) => new Map(offsets.map(({ topic, partition, end }) => {
      const first = topics.get(topic)?.get(partition)?.findIndex((atMs) => atMs >= sinceMs) ?? -1;
      return [`${topic}:${partition}`, first < 0 ? end : BigInt(first)] as const;
    })),
  };
}
