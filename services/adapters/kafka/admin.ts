import {
  Admin, ConfigResourceTypes, IncrementalAlterConfigOperationTypes,
} from '@platformatic/kafka';
import type { GroupMembers } from '../../kernel/log-watch.ts';
import type { Signals } from '../../kernel/signals.ts';
import { backoffMs, pause } from './backoff.ts';
import type { ConnectionLimits, TopicSpec } from './config.ts';
import { hasReason, reasonOf } from './errors.ts';
import { setGrants, type Grant } from './grants.ts';
import { createOffsets, type LogOffsets } from './offsets.ts';
import { platformaticSecurity } from './security.ts';
import { topicConfigs } from './topic-configs.ts';

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

/** Opens the administration of the cluster. One client does it for both, because only
 *  @platformatic/kafka knows topic ids. */
export function openAdmin(connection: ConnectionLimits, signals: Signals): LogAdmin {
  const admin = new Admin({
    clientId: `${connection.clientId}-admin`,
    bootstrapBrokers: [...connection.brokers],
    ...platformaticSecurity(connection),
    connectTimeout: connection.connectMsMax,
    requestTimeout: connection.requestMsMax,
    timeout: connection.requestMsMax,
    retries: 3,
    retryDelay: 200,
    autocreateTopics: false,
    strict: false,
  });

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
      await admin.createTopics({
        topics: [topic.name],
        partitions: topic.partitions,
        replicas,
        configs: configsOf(topic),
      });
    } catch (error) {
      if (!hasReason(error, 'TOPIC_ALREADY_EXISTS')) throw error;
    }
  }

  async function checkPartitions(topic: TopicSpec): Promise<void> {
    const metadata = await admin.metadata({ topics: [topic.name], forceUpdate: true });
    const found = metadata.topics.get(topic.name);
    if (found === undefined) throw new Error(`no metadata about ${topic.name} yet`);
    if (found.partitionsCount !== topic.partitions) {
      throw new PartitionCountMismatch(
        `Topic ${topic.name} has ${found.partitionsCount} partitions and the catalog says `
        + `${topic.partitions}; a keyed topic never changes its count: make a new version of it.`,
      );
    }
    if (found.partitions.some((partition) => partition.leader < 0)) {
      throw new Error(`${topic.name} has a partition without a leader`);
    }
  }

  async function setConfigs(topic: TopicSpec): Promise<void> {
    await admin.incrementalAlterConfigs({
      resources: [{
        resourceType: ConfigResourceTypes.TOPIC,
        resourceName: topic.name,
        configs: configsOf(topic).map(({ name, value }) => (
          { name, value, configOperation: IncrementalAlterConfigOperationTypes.SET }
        )),
      }],
    });
  }

  async function ensureTopics(topics: readonly TopicSpec[], replicas: number): Promise<void> {
    const present = new Set(await insist('listTopics', () => admin.listTopics({})));
    for (const topic of topics) {
      const missing = !present.has(topic.name);
      if (missing) await insist('createTopic', () => create(topic, replicas));
      await insist('checkPartitions', () => checkPartitions(topic));
      if (!missing) await insist('setConfigs', () => setConfigs(topic));
    }
  }

  async function topicIds(topics: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const metadata = await insist('topicIds', () => (
      admin.metadata({ topics: [...topics], forceUpdate: true })
    ));
    return new Map([...metadata.topics].map(([name, { id }]) => [name, id]));
  }

  const offsets = createOffsets(admin, insist);

  return {
    ensureTopics,
    setGrants: (grants) => insist('setGrants', () => setGrants(admin, grants)),
    topicIds,
    ...offsets,
    async groups(prefix) {
      const groups = await insist('groups', () => admin.listGroups({}));
      return [...groups.keys()].filter((id) => id.startsWith(prefix)).toSorted();
    },
    async members(groups) {
      if (groups.length === 0) return [];
      const found = await insist('members', () => (
        admin.describeGroups({ groups: [...groups], includeAuthorizedOperations: false })
      ));
      return [...found.values()].map(({ id, members, state }) => ({
        group: id,
        members: [...members.keys()],
        isStable: STABLE_STATES.includes(state.toUpperCase()),
      }));
    },
    topics: () => insist('topics', () => admin.listTopics({})),
    deleteGroup: (group) => admin.deleteGroups({ groups: [group] }),
    close: () => admin.close(),
  };
}

const configsOf = (topic: TopicSpec): { name: string; value: string }[] => (
  Object.entries(topicConfigs(topic)).map(([name, value]) => ({ name, value: String(value) }))
);
