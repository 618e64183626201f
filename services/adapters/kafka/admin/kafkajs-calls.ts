import kafkajs, { type AclEntry, type Admin, type Kafka } from 'kafkajs';
import type { LogRange } from '../../../kernel/log-watch.ts';
import type { AccessRule } from '../grants.ts';
import { topicIdIn } from '../commit-metadata.ts';
import { configsOf, type ClusterCalls } from './cluster-calls.ts';
import { openTopicIds } from './kafkajs-topic-ids.ts';

/** One connection; the next is made after a failure. */
interface Generation {
  readonly admin: Admin;
  readonly connected: Promise<void>;
}

const RETRIES = 3;
/** Topics of the brokers themselves, which the other library leaves out. */
const INTERNAL = '__';
/** Of a config that was set on the topic, and is no default. */
const SET_ON_TOPIC = kafkajs.ConfigSource.TOPIC_CONFIG;

/**
 * Asks the cluster with kafkajs. Its admin remembers each topic that it was asked about, and
 * rejects every question while one of them is gone; so after a failure the next question gets a
 * new one.
 */
export function kafkajsCalls(kafka: Kafka): ClusterCalls {
  const ids = openTopicIds(kafka);
  let current: Generation | undefined;

  function retire(generation: Generation): void {
    if (current !== generation) return;
    current = undefined;
    void generation.admin.disconnect().catch(() => undefined);
  }

  async function ask<T>(question: (admin: Admin) => Promise<T>): Promise<T> {
    if (current === undefined) {
      const admin = kafka.admin({ retry: { retries: RETRIES } });
      current = { admin, connected: admin.connect() };
    }
    const generation = current;
    try {
      await generation.connected;
      return await question(generation.admin);
    } catch (error) {
      retire(generation);
      throw error;
    }
  }

  async function rangesOf(topic: string): Promise<readonly LogRange[]> {
    const offsets = await ask((admin) => admin.fetchTopicOffsets(topic));
    return offsets.map(({ partition, low, high }) => (
      { topic, partition, start: BigInt(low), end: BigInt(high) }
    ));
  }

  /** Where there is no such record kafkajs answers the end, so an earlier end is compared. */
  async function firstIn(topic: string, sinceMs: number): Promise<[string, bigint][]> {
    const ends = new Map((await rangesOf(topic)).map(({ partition, end }) => [partition, end]));
    const firsts = await ask((admin) => admin.fetchTopicOffsetsByTimestamp(topic, sinceMs));
    return firsts.map(({ partition, offset }) => {
      const first = BigInt(offset);
      return [`${topic}:${partition}`, first < (ends.get(partition) ?? 0n) ? first : -1n];
    });
  }

  return {
    listTopics: async () => {
      const topics = await ask((admin) => admin.listTopics());
      return topics.filter((topic) => !topic.startsWith(INTERNAL));
    },
    createTopic: async (topic, replicas) => {
      await ask((admin) => admin.createTopics({
        waitForLeaders: false,
        topics: [{
          topic: topic.name, numPartitions: topic.partitions, replicationFactor: replicas,
          configEntries: configsOf(topic),
        }],
      }));
    },
    leaders: async (topic) => {
      const { topics } = await ask((admin) => admin.fetchTopicMetadata({ topics: [topic] }));
      return topics.find(({ name }) => name === topic)?.partitions.map(({ leader }) => leader);
    },
    // It can only replace all configs of a topic, so those that are set already go along.
    setConfigs: (topic) => ask(async (admin) => {
      const type = kafkajs.ConfigResourceTypes.TOPIC;
      const { resources: [found] } = await admin.describeConfigs({
        includeSynonyms: false, resources: [{ type, name: topic.name }],
      });
      const present = (found?.configEntries ?? [])
        .filter(({ configSource }) => configSource === SET_ON_TOPIC)
        .map(({ configName, configValue }) => [configName, configValue] as const);
      const wanted = configsOf(topic).map(({ name, value }) => [name, value] as const);
      const configEntries = [...new Map([...present, ...wanted])]
        .map(([name, value]) => ({ name, value }));
      await admin.alterConfigs({
        validateOnly: false, resources: [{ type, name: topic.name, configEntries }],
      });
    }),
    topicIds: (topics) => ids.topicIds(topics),
    listGroups: async () => {
      const { groups } = await ask((admin) => admin.listGroups());
      return groups.map(({ groupId }) => groupId);
    },
    describeGroups: async (names) => {
      const { groups } = await ask((admin) => admin.describeGroups([...names]));
      return groups.map(({ groupId, members, state }) => (
        { group: groupId, members: members.map(({ memberId }) => memberId), state }
      ));
    },
    deleteGroup: async (group) => {
      await ask((admin) => admin.deleteGroups([group]));
    },
    ranges: async (topics) => (await Promise.all(topics.map(rangesOf))).flat(),
    firstSince: async (topicPartitions, sinceMs) => {
      const topics = [...new Set(topicPartitions.map(({ topic }) => topic))];
      const found = (await Promise.all(topics.map((topic) => firstIn(topic, sinceMs)))).flat();
      const asked = new Set(topicPartitions.map(({ topic, partition }) => `${topic}:${partition}`));
      return new Map(found.filter(([name]) => asked.has(name)));
    },
    committedBy: async (groupId) => {
      const topics = await ask((admin) => admin.fetchOffsets({ groupId }));
      return topics.flatMap(({ topic, partitions }) => partitions.map(
        ({ partition, offset, metadata }) => (
          { topic, partition, offset: BigInt(offset), topicId: topicIdIn(metadata) }
        ),
      ));
    },
    describeRules: async (principal) => {
      const { resources } = await ask((admin) => admin.describeAcls({
        principal,
        resourceType: kafkajs.AclResourceTypes.ANY,
        resourcePatternType: kafkajs.ResourcePatternTypes.ANY,
        operation: kafkajs.AclOperationTypes.ANY,
        permissionType: kafkajs.AclPermissionTypes.ANY,
      }));
      return resources.flatMap(({ acls, ...target }) => acls.map((acl) => ({ ...target, ...acl })));
    },
    createRules: async (rules) => {
      await ask((admin) => admin.createAcls({ acl: entriesOf(rules) }));
    },
    deleteRules: async (rules) => {
      await ask((admin) => admin.deleteAcls({ filters: entriesOf(rules) }));
    },
    close: async () => {
      await Promise.allSettled([current?.admin.disconnect(), ids.close()]);
    },
  };
}

/** Its enums have the numbers of the protocol, as our rules do. */
const entriesOf = (rules: readonly AccessRule[]): AclEntry[] => rules as unknown as AclEntry[];
