import type { GroupMembers } from '../../kernel/log-watch.ts';
import type { Signals } from '../../kernel/signals.ts';
import type { ClusterCalls } from './admin/cluster-calls.ts';
import { backoffMs, pause } from './backoff.ts';
import type { TopicSpec } from './config.ts';
import { hasReason, reasonOf } from './errors.ts';
import { setGrants, type Grant } from './grants.ts';
import { createOffsets, type LogOffsets } from './offsets.ts';

/** The topic exists with another number of partitions: keys would change their partition. */
export class PartitionCountMismatch extends Error {
  override readonly name = 'PartitionCountMismatch';
}

/** What is asked of the cluster beside writing and reading. */
export interface LogAdmin extends LogOffsets {
  /**
   * Makes the topics that are missing, sets the configs of all, and waits until each partition has
   * a leader. Rejects with {@link PartitionCountMismatch} rather than change a count.
   */
  ensureTopics(topics: readonly TopicSpec[], replicas: number): Promise<void>;
  /**
   * Grants the users just this, and takes away what they had beyond it. False where the brokers
   * have no authorizer, so that everyone may do everything.
   */
  setGrants(grants: readonly Grant[]): Promise<boolean>;
  /** The UUID of each topic; a topic recreated under an old name has another one. */
  topicIds(topics: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Names of the groups that begin with the prefix, sorted. */
  groups(prefix: string): Promise<readonly string[]>;
  /** Who reads in each of the named groups at the moment. */
  members(groups: readonly string[]): Promise<readonly GroupMembers[]>;
  topics(): Promise<readonly string[]>;
  deleteGroup(group: string): Promise<void>;
  close(): Promise<void>;
}

const ATTEMPTS_MAX = 60;
/** States of a group in which no one is about to join or leave. */
const STABLE_STATES = ['STABLE', 'EMPTY', 'DEAD'];
const WAIT_MS_MIN = 50;
const WAIT_MS_MAX = 1_000;

/** Opens the administration of the cluster, whose questions one of the client libraries asks. */
export function openAdmin(calls: ClusterCalls, signals: Signals): LogAdmin {
  /** A cluster under load answers UNKNOWN_TOPIC_OR_PARTITION about what it has just made. */
  async function insist<T>(what: string, action: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await action();
      } catch (error) {
        if (error instanceof PartitionCountMismatch || attempt >= ATTEMPTS_MAX) throw error;
        signals.logAdminRetried({ what, attempt, reason: reasonOf(error) });
        await pause(backoffMs(attempt, WAIT_MS_MIN, WAIT_MS_MAX, 0));
      }
    }
  }

  async function create(topic: TopicSpec, replicas: number): Promise<void> {
    try {
      await calls.createTopic(topic, replicas);
    } catch (error) {
      if (!hasReason(error, 'TOPIC_ALREADY_EXISTS')) throw error;
    }
  }

  async function checkPartitions({ name, partitions }: TopicSpec): Promise<void> {
    const leaders = await calls.leaders(name);
    if (leaders === undefined) throw new Error(`no metadata about ${name} yet`);
    if (leaders.length !== partitions) {
      throw new PartitionCountMismatch(
        `Topic ${name} has ${leaders.length} partitions and the catalog says `
        + `${partitions}; a keyed topic never changes its count: make a new version of it.`,
      );
    }
    if (leaders.some((leader) => leader < 0)) {
      throw new Error(`${name} has a partition without a leader`);
    }
  }

  async function ensureTopics(topics: readonly TopicSpec[], replicas: number): Promise<void> {
    const present = new Set(await insist('listTopics', () => calls.listTopics()));
    for (const topic of topics) {
      const missing = !present.has(topic.name);
      if (missing) await insist('createTopic', () => create(topic, replicas));
      await insist('checkPartitions', () => checkPartitions(topic));
      if (!missing) await insist('setConfigs', () => calls.setConfigs(topic));
    }
  }

  const offsets = createOffsets(calls, insist);

  return {
    ensureTopics,
    setGrants: (grants) => insist('setGrants', () => setGrants(calls, grants)),
    topicIds: (topics) => insist('topicIds', () => calls.topicIds(topics)),
    ...offsets,
    async groups(prefix) {
      const groups = await insist('groups', () => calls.listGroups());
      return groups.filter((id) => id.startsWith(prefix)).toSorted();
    },
    async members(groups) {
      if (groups.length === 0) return [];
      const found = await insist('members', () => calls.describeGroups(groups));
      return found.map(({ group, members, state }) => (
        { group, members, isStable: STABLE_STATES.includes(state.toUpperCase()) }
      ));
    },
    topics: () => insist('topics', () => calls.listTopics()),
    deleteGroup: (group) => calls.deleteGroup(group),
    close: () => calls.close(),
  };
}
