import type { Consumer } from '@platformatic/kafka';
import type { LogConsumer, LogHandler } from '../../../kernel/record-log.ts';
import { backoffMs, pause } from '../backoff.ts';
import { platformaticLibrary } from '../clients/platformatic-library.ts';
import type { ConnectionLimits, ConsumerOptions } from '../config.ts';
import { reasonOf } from '../errors.ts';
import { createCommits } from './commits.ts';
import { nameTopicsInCommits } from './committing-member.ts';
import type { ConsumerPorts } from './consumer-ports.ts';
import { createBatchLoop, type BatchLoop } from './batch-loop.ts';
import { createFetcher, type Fetcher } from './fetcher.ts';
import { fetchAssignment } from './fetch-assignment.ts';
import { commitUnset, startOffsets, TopicRecreated } from './start-offsets.ts';
import { waitForOffsets, waitOut } from './wait-out.ts';
import { platformaticSecurity } from '../security.ts';

type Assignment = readonly { readonly topic: string; readonly partitions: readonly number[] }[];

/**
 * A member of a classic consumer group by @platformatic/kafka. The library joins and keeps the
 * membership alive in the background; fetching is ours. It calls `protocolsMetadata` before every
 * JoinGroup, and that is where we finish the batch in progress: the next owner starts after us.
 */
export function platformaticConsumer(
  connection: ConnectionLimits,
  options: ConsumerOptions,
  ports: ConsumerPorts,
): LogConsumer {
  const { group, topics } = options;
  const { signals, admin } = ports;
  const stopped = new AbortController();
  let session = new AbortController();
  let fetching: Promise<void> = Promise.resolve();
  let joining = false;
  let closing: Promise<void> | undefined;
  /** Of the assignment whose offsets are committed. */
  let topicIds: ReadonlyMap<string, string> = new Map();

  const fetcher: Fetcher = createFetcher(connection, topics, options);
  const member = openMember(connection, options, {
    beforeJoin: async () => {
      session.abort();
      if (batchLoop !== undefined) await commits.stayWhile(batchLoop.revoke());
      return Buffer.alloc(0);
    },
    topicIdOf: (topic) => topicIds.get(topic) ?? '',
  });
  const commits = createCommits(options, {
    ...ports,
    // The library's own retry would join again and commit what others own by then.
    send: (offsets) => member.commit({
      offsets: offsets.map(({ topic, partition, nextOffset }) => (
        { topic, partition, offset: nextOffset, leaderEpoch: -1 }
      )),
    }),
  });
  let batchLoop: BatchLoop | undefined;

  async function join(): Promise<void> {
    if (joining) return;
    joining = true;
    for (let attempt = 0; !stopped.signal.aborted; attempt += 1) {
      try {
        await member.joinGroup({});
        break;
      } catch (error) {
        signals.consumerJoinFailed({ group, attempt, reason: reasonOf(error) });
      }
      const { backoffMsMin, backoffMsMax } = options;
      await pause(backoffMs(attempt, backoffMsMin, backoffMsMax, ports.random()), stopped.signal);
    }
    joining = false;
  }

  async function run(
    assignment: Assignment, here: AbortController, feed: BatchLoop,
  ): Promise<void> {
    const left = (): boolean => here.signal.aborted;
    const { next, unset, ids } = await waitForOffsets(
      topics, topicIds, here, { ...options, ...ports });
    topicIds = ids;
    const fetchOffsets = assignment.flatMap(({ topic, partitions }) => (
      partitions.map((partition) => ({
        topic,
        topicId: ids.get(topic) ?? '',
        partition,
        next: next.get(`${topic}:${partition}`) ?? 0n,
      }))
    ));
    if (left()) return;
    commits.begin(fetchOffsets.map(({ topic, partition, next: nextOffset }) => (
      { topic, partition, nextOffset }
    )), here.signal);
    await commitUnset(unset, fetchOffsets, {
      group, signals, commit: (offsets) => commits.commit(offsets),
    });
    if (left()) return;
    await feed.assign(fetchOffsets.map(({ topic, topicId, partition }) => (
      { topic, topicId, partition }
    )));
    await fetchAssignment(fetcher, fetchOffsets, feed, options, {
      ...ports, left: here.signal, doubt: (isInDoubt) => { commits.doubt(isInDoubt); },
    });
  }

  function startSession(assignment: Assignment): void {
    session.abort();
    const here = new AbortController();
    session = here;
    fetching = fetching.then(async () => {
      if (batchLoop === undefined || stopped.signal.aborted || here.signal.aborted) return;
      try {
        await run(assignment, here, batchLoop);
      } catch (error) {
        if (error instanceof TopicRecreated) await joinAgain(here.signal, error);
        else crash(error);
      }
    });
  }

  /** A topic of the assignment is gone: when there is one of its name, the group shares it out. */
  async function joinAgain(left: AbortSignal, cause: TopicRecreated): Promise<void> {
    signals.consumerJoinFailed({ group, attempt: 0, reason: reasonOf(cause) });
    try {
      await waitOut(() => admin.ranges(topics), left, { ...options, ...ports });
    } catch (error) {
      return crash(error);
    }
    if (!left.aborted) void join();
  }

  function crash(error: unknown): void {
    if (stopped.signal.aborted) return;
    signals.consumerCrashed({ group, reason: reasonOf(error) });
    void close().finally(() => ports.onCrash(error));
  }

  async function start(handler: LogHandler): Promise<void> {
    const feed = createBatchLoop(options, {
      ...ports, handler, group, commit: (offsets) => commits.commit(offsets),
      crashed: crash,
    });
    batchLoop = feed;
    for (const topic of topics) member.topics.track(topic);
    member.on('consumer:group:join', ({ assignments }) => startSession(assignments ?? []));
    member.on('error', () => void join());
    await startOffsets(admin, group, topics);
    await join();
  }

  async function close(): Promise<void> {
    stopped.abort();
    session.abort();
    closing ??= (async () => {
      await batchLoop?.revoke();
      await Promise.allSettled([member.close(true), fetcher.close()]);
      await fetching;
    })();
    await closing;
  }

  return { start, stop: close };
}

function openMember(
  connection: ConnectionLimits,
  options: ConsumerOptions,
  { beforeJoin, topicIdOf }: {
    readonly beforeJoin: () => Promise<Buffer>;
    readonly topicIdOf: (topic: string) => string;
  },
): Consumer {
  const instance = options.instanceId === undefined ? {} : { groupInstanceId: options.instanceId };
  const { Consumer: Member } = platformaticLibrary();
  const member = new Member({
    clientId: connection.clientId,
    groupId: options.group,
    ...instance,
    bootstrapBrokers: [...connection.brokers],
    ...platformaticSecurity(connection),
    connectTimeout: connection.connectMsMax,
    requestTimeout: connection.requestMsMax,
    timeout: connection.requestMsMax,
    // Every retry is ours: the library's own would rejoin from inside a commit and wait for us.
    retries: 0,
    sessionTimeout: options.sessionTimeoutMs,
    rebalanceTimeout: Math.max(options.rebalanceTimeoutMs, options.sessionTimeoutMs),
    heartbeatInterval: options.heartbeatMs,
    protocols: [{ name: 'roundrobin', version: 1 }],
    protocolsMetadata: beforeJoin,
    autocommit: false,
    metadataMaxAge: 5_000,
    autocreateTopics: false,
    strict: false,
  });
  nameTopicsInCommits(member, topicIdOf);
  return member;
}
