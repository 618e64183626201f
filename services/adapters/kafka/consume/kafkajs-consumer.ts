import kafkajs, {
  type Consumer, type EachBatchPayload, type Kafka, type TopicPartitionOffsetAndMetadata,
} from 'kafkajs';
import type {
  CommitOffset, LogConsumer, LogHandler, TopicPartition,
} from '../../../kernel/record-log.ts';
import { pause } from '../backoff.ts';
import type { ConsumerOptions } from '../config.ts';
import { commitMetadata } from '../commit-metadata.ts';
import { reasonOf } from '../errors.ts';
import { unframe } from '../frame.ts';
import type { ConsumerPorts } from './consumer-ports.ts';
import { createBatchLoop, type BatchLoop } from './batch-loop.ts';
import { toRaw } from './kafkajs-records.ts';
import { OffsetOutOfRange, commitUnset, startOffsets } from './start-offsets.ts';
import { waitForOffsets } from './wait-out.ts';

type FetchedBatch = EachBatchPayload['batch'] & { readonly fetchedOffset: string };

/** One generation of the group: what is ours, and which offset of each partition comes next. */
interface Session {
  readonly left: AbortController;
  readonly next: Map<string, bigint>;
  readonly topicIds: ReadonlyMap<string, string>;
}

const PARTITIONS_AT_ONCE_MAX = 256;
// kafkajs repeats a commit eight times with these waits, and the handler waits for it.
const RETRY_WAIT_MS_MAX = 500;

/**
 * A member of a consumer group by kafkajs. All partitions of a fetch go to the batch loop at once,
 * and the next fetch waits until they are handled. kafkajs sets an offset that is out of range
 * silently to the first record, and commits that. So we check that each batch begins where the one
 * before ended.
 */
export function kafkajsConsumer(
  kafka: Kafka,
  options: ConsumerOptions,
  ports: ConsumerPorts,
): LogConsumer {
  const { group, topics } = options;
  const { signals, admin } = ports;
  const consumer = openMember(kafka, options);
  let session: Promise<Session> | undefined;
  let left = new AbortController();
  let batchLoop: BatchLoop | undefined;
  let stopping: Promise<void> | undefined;
  /** Of the assignment whose offsets are committed. */
  let topicIds: ReadonlyMap<string, string> = new Map();

  async function begin(
    feed: BatchLoop,
    assignment: Readonly<Record<string, readonly number[]>>,
    here: AbortController,
  ): Promise<Session> {
    await feed.revoke();
    const waited = await waitForOffsets(topics, topicIds, here, { ...options, ...ports });
    const { next, unset } = waited;
    topicIds = waited.ids;
    const partitions = partitionsOf(assignment, topicIds);
    if (!here.signal.aborted) await commitUnset(unset, partitions, { group, signals, commit });
    if (!here.signal.aborted) await feed.assign(partitions);
    return { left: here, next: new Map(next), topicIds };
  }

  function leaveSession(): AbortController {
    left.abort();
    left = new AbortController();
    return left;
  }

  async function eachBatch(payload: EachBatchPayload): Promise<void> {
    const feed = batchLoop;
    const mine = await session;
    if (feed === undefined || mine === undefined || stopping !== undefined) throw stale();
    const batch = payload.batch as FetchedBatch;
    const name = `${batch.topic}:${batch.partition}`;
    const topicId = mine.topicIds.get(batch.topic) ?? '';
    if ((await admin.topicIds([batch.topic])).get(batch.topic) !== topicId) throw rejoin();
    await follows(mine, batch, name);
    feed.offer(batch.messages.map((message) => unframe(toRaw(batch, topicId, message))));
    await beatUntil(feed.handled(), payload, feed);
    // What a new generation did not get handled must be fetched again, from its own position.
    if (mine.left.signal.aborted) throw stale();
    mine.next.set(name, BigInt(batch.lastOffset()) + 1n);
    payload.resolveOffset(batch.lastOffset());
  }

  /** kafkajs heartbeats only when asked to, so a long batch has to ask. */
  async function beatUntil(
    handled: Promise<void>,
    payload: EachBatchPayload,
    feed: BatchLoop,
  ): Promise<void> {
    const enough = new AbortController();
    const isEnough = (): boolean => enough.signal.aborted;
    const done = handled.then(() => enough.abort());
    while (!isEnough()) {
      await pause(options.heartbeatMs, enough.signal);
      if (isEnough()) break;
      try {
        await payload.heartbeat();
      } catch (error) {
        leaveSession();
        await feed.revoke();
        throw error;
      }
    }
    await done;
  }

  async function follows(mine: Session, batch: FetchedBatch, name: string): Promise<void> {
    const next = mine.next.get(name);
    if (mine.left.signal.aborted || next === undefined) throw stale();
    if (BigInt(batch.fetchedOffset) === next) return;
    const ranges = await admin.ranges([batch.topic]);
    const range = ranges.find(({ partition }) => partition === batch.partition);
    if (range === undefined || range.start <= next) throw stale();
    const error = new OffsetOutOfRange(`The log does not have offset ${next} of ${name} any more.`);
    // kafkajs has overwritten the committed offset; with it back, a restart stops here again.
    await commit([{ topic: batch.topic, partition: batch.partition, nextOffset: next }]);
    crash(error);
    throw stale();
  }

  function crash(error: unknown): void {
    if (stopping !== undefined) return;
    signals.consumerCrashed({ group, reason: reasonOf(error) });
    stopping = shutDown().finally(() => ports.onCrash(error));
  }

  async function shutDown(): Promise<void> {
    leaveSession();
    await batchLoop?.revoke();
    await consumer.disconnect();
  }

  const commit = (offsets: readonly CommitOffset[]): Promise<void> => (
    consumer.commitOffsets(offsets.map((each) => commitOf(each, topicIds)))
  );

  async function start(handler: LogHandler): Promise<void> {
    const feed = createBatchLoop(options, { ...ports, handler, group, commit, crashed: crash });
    batchLoop = feed;
    await startOffsets(admin, group, topics);
    consumer.on(consumer.events.REBALANCING, () => {
      leaveSession();
      void feed.revoke();
    });
    consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => {
      // A batch without any record left (compaction) never reaches eachBatch.
      if (payload.batchSize > 0) return;
      const { topic, partition, lastOffset } = payload;
      void session?.then((mine) => {
        mine.next.set(`${topic}:${partition}`, BigInt(lastOffset) + 1n);
      });
    });
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      if (!payload.restart) crash(payload.error);
    });
    const joined = new Promise<void>((resolve) => {
      consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
        const here = leaveSession();
        session = begin(feed, payload.memberAssignment, here);
        session.then(() => resolve(), crash);
      });
    });
    await consumer.connect();
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: PARTITIONS_AT_ONCE_MAX,
      eachBatch,
    });
    await joined;
  }

  async function stop(): Promise<void> {
    stopping ??= shutDown();
    await stopping;
  }

  return { start, stop };
}

/** A commit as kafkajs sends it, with the id of its topic. */
function commitOf(
  { topic, partition, nextOffset }: CommitOffset, topicIds: ReadonlyMap<string, string>,
): TopicPartitionOffsetAndMetadata {
  const metadata = commitMetadata(topicIds.get(topic) ?? '');
  return { topic, partition, offset: nextOffset.toString(), metadata };
}

function partitionsOf(
  assignment: Readonly<Record<string, readonly number[]>>, ids: ReadonlyMap<string, string>,
): readonly TopicPartition[] {
  return Object.entries(assignment).flatMap(([topic, numbers]) => (
    numbers.map((partition) => ({ topic, partition, topicId: ids.get(topic) ?? '' }))
  ));
}

/**
 * Makes kafkajs join again, as after a rebalance. It fetches by name, and would go on at the old
 * offset in a topic that was made again.
 */
function rejoin(): Error {
  const reason = new Error('a topic of the assignment was made again');
  return new kafkajs.KafkaJSProtocolError(
    Object.assign(reason, { type: 'REBALANCE_IN_PROGRESS', code: 27, retriable: true }));
}

/** Makes kafkajs fetch again; it is no failure and nothing is lost by it. */
function stale(): Error {
  return new kafkajs.KafkaJSError('the batch belongs to an assignment that was taken away', {
    retriable: true,
  });
}

function openMember(kafka: Kafka, options: ConsumerOptions): Consumer {
  return kafka.consumer({
    groupId: options.group,
    partitionAssigners: [kafkajs.PartitionAssigners.roundRobin],
    sessionTimeout: options.sessionTimeoutMs,
    rebalanceTimeout: Math.max(options.rebalanceTimeoutMs, options.sessionTimeoutMs),
    heartbeatInterval: options.heartbeatMs,
    maxWaitTimeInMs: options.fetchWaitMs,
    minBytes: 1,
    maxBytes: options.fetchBytesMax,
    maxBytesPerPartition: options.fetchBytesMax,
    allowAutoTopicCreation: false,
    readUncommitted: true,
    retry: {
      initialRetryTime: options.backoffMsMin,
      maxRetryTime: RETRY_WAIT_MS_MAX,
      retries: 8,
      factor: 0.2,
      multiplier: 2,
      restartOnFailure: () => Promise.resolve(true),
    },
  });
}
