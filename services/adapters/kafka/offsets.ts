import { ListOffsetTimestamps, type Admin } from '@platformatic/kafka';
import type { LogRange } from '../../kernel/log-watch.ts';

/** What is asked about places in the log. */
export interface LogOffsets {
  /** Where each partition of the topics starts and ends now. */
  ranges(topics: readonly string[]): Promise<readonly LogRange[]>;
  /** Offsets that a group has committed, by `topic:partition`; partitions without are left out. */
  committed(group: string, topics: readonly string[]): Promise<ReadonlyMap<string, bigint>>;
  /** The same forevery topic in which the group has committed anything. */
  committedEverywhere(group: string): Promise<ReadonlyMap<string, bigint>>;
  /** Offset of the first record since a time, by `topic:partition`; -1 where there is none. */
  firstSince(
    topicPartitions: readonly { readonly topic: string; readonly partition: number }[],
    sinceMs: number,
  ): Promise<ReadonlyMap<string, bigint>>;
}

/** Asks again while a cluster under load does not know what it has just made. */
type Insist = <T>(what: string, action: () => Promise<T>) => Promise<T>;

/** Makes the questions about offsets, by `topic:partition`. */
export function createOffsets(admin: Admin, insist: Insist): LogOffsets {
  async function partitionsOf(
    topics: readonly string[],
  ): Promise<readonly { readonly topic: string; readonly partition: number }[]> {
    const metadata = await admin.metadata({ topics: [...topics], forceUpdate: true });
    return topics.flatMap((topic) => Array.from(
      { length: metadata.topics.get(topic)?.partitionsCount ?? 0 },
      (_, partition) => ({ topic, partition }),
    ));
  }

  async function offsetsAt(
    topicPartitions: readonly { readonly topic: string; readonly partition: number }[],
    timestamp: bigint,
  ): Promise<Map<string, bigint>> {
    const byTopic = Map.groupBy(topicPartitions, ({ topic }) => topic);
    const listed = await admin.listOffsets({
      topics: [...byTopic].map(([name, partitions]) => ({
        name,
        partitions: partitions.map(({ partition }) => ({ partitionIndex: partition, timestamp })),
      })),
    });
    const found = new Map<string, bigint>();
    for (const { name, partitions } of listed) {
      for (const { partitionIndex, offset } of partitions) {
        found.set(`${name}:${partitionIndex}`, offset);
      }
    }
    return found;
  }

  async function ranges(topics: readonly string[]): Promise<readonly LogRange[]> {
    return insist('ranges', async () => {
      const topicPartitions = await partitionsOf(topics);
      // At once: a group whose members have changed stands still until it knows.
      const [ends, starts] = await Promise.all([
        offsetsAt(topicPartitions, ListOffsetTimestamps.LATEST),
        offsetsAt(topicPartitions, ListOffsetTimestamps.EARLIEST),
      ]);
      return [...ends].map(([name, end]) => {
        const at = name.lastIndexOf(':');
        const partition = Number(name.slice(at + 1));
        return { topic: name.slice(0, at), partition, start: starts.get(name) ?? 0n, end };
      });
    });
  }

  async function committed(
    group: string,
    topics?: readonly string[],
  ): Promise<ReadonlyMap<string, bigint>> {
    const wanted = topics === undefined ? undefined : new Set(topics);
    const groups = await insist('committed', () => (
      admin.listConsumerGroupOffsets({ groups: [group], requireStable: false })
    ));
    const found = new Map<string, bigint>();
    for (const { name, partitions } of groups.flatMap((entry) => entry.topics)) {
      if (wanted?.has(name) === false) continue;
      for (const { partitionIndex, committedOffset } of partitions) {
        if (committedOffset >= 0n) found.set(`${name}:${partitionIndex}`, committedOffset);
      }
    }
    return found;
  }

  return {
    ranges,
    committed,
    committedEverywhere: (group) => committed(group),
    firstSince: (topicPartitions, sinceMs) => (
      insist('firstSince', () => offsetsAt(topicPartitions, BigInt(sinceMs)))
    ),
  };
}
