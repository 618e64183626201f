import type { LogRange } from '../../kernel/log-watch.ts';

type NumberedPartition = Pick<LogRange, 'topic' | 'partition'>;

/** What is asked about places in the log. */
export interface LogOffsets {
  /** Where each partition of the topics starts and ends now. */
  ranges(topics: readonly string[]): Promise<readonly LogRange[]>;
  /**
   * Offsets that a group has committed, by `topic:partition`; partitions without are left out, and
   * so are commits of a topic that was made again under its name since.
   */
  committed(group: string, topics: readonly string[]): Promise<ReadonlyMap<string, bigint>>;
  /** The same, and the names of the topics of which there are only commits of a former one. */
  commits(group: string, topics: readonly string[]): Promise<GroupCommits>;
  /** The same for every topic in which the group has committed anything. */
  committedEverywhere(group: string): Promise<ReadonlyMap<string, bigint>>;
  /** Offset of the first record since a time, by `topic:partition`; -1 where there is none. */
  firstSince(
    topicPartitions: readonly NumberedPartition[], sinceMs: number,
  ): Promise<ReadonlyMap<string, bigint>>;
}

/** The commits of a group in some topics. */
export interface GroupCommits {
  readonly offsets: ReadonlyMap<string, bigint>;
  readonly former: readonly string[];
}

/** One commit of a group: below 0 for none; the id of its topic, empty where it names none. */
export interface StoredCommit extends NumberedPartition {
  readonly offset: bigint;
  readonly topicId: string;
}

/** What a client library answers about places in the log, asked once. */
export interface OffsetCalls extends Pick<LogOffsets, 'ranges' | 'firstSince'> {
  committedBy(group: string): Promise<readonly StoredCommit[]>;
  topicIds(topics: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** Asks again while a cluster under load does not know what it has just made. */
type Insist = <T>(what: string, action: () => Promise<T>) => Promise<T>;

/** Makes the questions about offsets, by `topic:partition`. */
export function createOffsets(calls: OffsetCalls, insist: Insist): LogOffsets {
  async function storedCommits(group: string): Promise<readonly StoredCommit[]> {
    const stored = await insist('committed', () => calls.committedBy(group));
    return stored.filter(({ offset }) => offset >= 0n);
  }

  async function commits(group: string, topics: readonly string[]): Promise<GroupCommits> {
    const stored = (await storedCommits(group)).filter(({ topic }) => topics.includes(topic));
    const named = new Set(stored.filter(({ topicId }) => topicId !== '').map(({ topic }) => topic));
    const ids = named.size === 0
      ? new Map<string, string>()
      : await insist('topicIds', () => calls.topicIds([...named]));
    const isFormer = ({ topic, topicId }: StoredCommit): boolean => (
      topicId !== '' && topicId !== ids.get(topic)
    );
    return {
      offsets: byName(stored.filter((commit) => !isFormer(commit))),
      former: [...new Set(stored.filter(isFormer).map(({ topic }) => topic))],
    };
  }

  return {
    ranges: (topics) => insist('ranges', () => calls.ranges(topics)),
    commits,
    committed: async (group, topics) => (await commits(group, topics)).offsets,
    committedEverywhere: async (group) => byName(await storedCommits(group)),
    firstSince: (topicPartitions, sinceMs) => (
      insist('firstSince', () => calls.firstSince(topicPartitions, sinceMs))
    ),
  };
}

function byName(commits: readonly StoredCommit[]): ReadonlyMap<string, bigint> {
  return new Map(commits.map(({ topic, partition, offset }) => (
    [`${topic}:${partition}`, offset] as const
  )));
}
