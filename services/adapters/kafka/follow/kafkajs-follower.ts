import { randomUUID } from 'node:crypto';
import type { EachBatchPayload, Kafka } from 'kafkajs';
import {
  LogCut, type FollowedPartition, type LogFollower,
} from '../../../kernel/log-follower.ts';
import { toRaw } from '../consume/kafkajs-records.ts';
import { hasReason } from '../errors.ts';
import { unframe } from '../frame.ts';
import { openMember } from '../read/kafkajs-reader.ts';
import type { ReaderPorts } from '../read/platformatic-reader.ts';
import type { FollowLimits } from './follow-limits.ts';

type FetchedBatch = EachBatchPayload['batch'] & { readonly fetchedOffset: string };

/**
 * Follows with kafkajs, as the only member of a group with a random name that commits nothing.
 * kafkajs moves an offset that the log lost silently: so each batch must be fetched where the one
 * before ended.
 */
export function kafkajsFollow(
  kafka: Kafka, limits: FollowLimits, { admin }: ReaderPorts,
): LogFollower['follow'] {
  return async function follow(from, onRecords, left) {
    const groupId = `rastro-read-${randomUUID()}`;
    const consumer = openMember(kafka, groupId, limits);
    const open = new Map(from.map((each) => [nameOf(each), { ...each }]));
    const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<void>();
    // What fails before it is waited for is no failure of the process.
    ended.catch(() => undefined);
    const stop = (): void => { end(); };
    left.addEventListener('abort', stop, { once: true });
    if (left.aborted) end();
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      if (!payload.restart) fail(payload.error);
    });

    // A member that joined again has forgotten where it reads.
    consumer.on(consumer.events.GROUP_JOIN, () => {
      for (const { topic, partition, next } of open.values()) {
        consumer.seek({ topic, partition, offset: String(next) });
      }
    });

    async function eachBatch(payload: EachBatchPayload): Promise<void> {
      const batch = payload.batch as FetchedBatch;
      const known = open.get(nameOf(batch));
      // What was asked for before it knew where to read may still come.
      if (known === undefined || left.aborted || BigInt(batch.lastOffset()) < known.next) return;
      if (await isLost(known, BigInt(batch.fetchedOffset))) {
        fail(new LogCut(`The log does not have offset ${known.next} of ${nameOf(known)}.`));
        return;
      }
      const raw = batch.messages.map((message) => toRaw(batch, known.topicId, message))
        .filter(({ offset }) => offset >= known.next);
      try {
        if (raw.length > 0) onRecords(raw.map(unframe));
      } catch (error) {
        fail(error);
        return;
      }
      known.next = BigInt(batch.lastOffset()) + 1n;
      await payload.heartbeat();
    }

    /** Fetched behind the place: it was moved, unless the records between were compacted away. */
    async function isLost({ topic, topicId, partition, next }: FollowedPartition, at: bigint) {
      if (at <= next) return false;
      const ids = await admin.topicIds([topic]);
      const ranges = await admin.ranges([topic]);
      const start = ranges.find((range) => range.partition === partition)?.start ?? 0n;
      return start > next || ids.get(topic) !== topicId;
    }

    const topics = [...new Set(from.map(({ topic }) => topic))];
    try {
      await consumer.connect();
      await consumer.subscribe({ topics, fromBeginning: true });
      await consumer.run({ autoCommit: false, eachBatchAutoResolve: true, eachBatch });
      await ended;
    } catch (error) {
      throw hasReason(error, 'UNKNOWN_TOPIC_OR_PARTITION')
        ? new LogCut('A topic that was followed is gone.', { cause: error }) : error;
    } finally {
      left.removeEventListener('abort', stop);
      await consumer.disconnect();
      await admin.deleteGroup(groupId).catch(() => undefined);
    }
  };
}

function nameOf({ topic, partition }: { topic: string; partition: number }): string {
  return `${topic}:${partition}`;
}
