import type { Admin } from '@platformatic/kafka';
import type { LogRange } from '../../../kernel/log-watch.ts';
import { platformaticLibrary } from '../clients/platformatic-library.ts';
import { topicIdIn } from '../commit-metadata.ts';
import type { ConnectionLimits } from '../config.ts';
import { ANY } from '../grants.ts';
import { platformaticSecurity } from '../security.ts';
import { configsOf, type ClusterCalls } from './cluster-calls.ts';

const LATEST = -1n;
const EARLIEST = -2n;

type Rule = Parameters<Admin['createAcls']>[0]['creations'][number];

/** Asks the cluster with @platformatic/kafka. */
export function platformaticCalls(connection: ConnectionLimits): ClusterCalls {
  const library = platformaticLibrary();
  const admin = new library.Admin({
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

  async function metadataOf(topics: readonly string[]) {
    return admin.metadata({ topics: [...topics], forceUpdate: true });
  }

  async function offsetsAt(
    topicPartitions: readonly Pick<LogRange, 'topic' | 'partition'>[], timestamp: bigint,
  ): Promise<Map<string, bigint>> {
    const listed = await admin.listOffsets({
      topics: [...Map.groupBy(topicPartitions, ({ topic }) => topic)].map(([name, own]) => ({
        name,
        partitions: own.map(({ partition }) => ({ partitionIndex: partition, timestamp })),
      })),
    });
    return new Map(listed.flatMap(({ name, partitions }) => (
      partitions.map(({ partitionIndex, offset }) => [`${name}:${partitionIndex}`, offset] as const)
    )));
  }

  return {
    listTopics: () => admin.listTopics({}),
    createTopic: async (topic, replicas) => {
      const { name, partitions } = topic;
      await admin.createTopics({ topics: [name], partitions, replicas, configs: configsOf(topic) });
    },
    leaders: async (topic) => (
      (await metadataOf([topic])).topics.get(topic)?.partitions.map(({ leader }) => leader)
    ),
    setConfigs: async (topic) => {
      const { ConfigResourceTypes: types, IncrementalAlterConfigOperationTypes: how } = library;
      await admin.incrementalAlterConfigs({
        resources: [{
          resourceType: types.TOPIC,
          resourceName: topic.name,
          configs: configsOf(topic).map((config) => ({ ...config, configOperation: how.SET })),
        }],
      });
    },
    topicIds: async (topics) => (
      new Map([...(await metadataOf(topics)).topics].map(([name, { id }]) => [name, id]))
    ),
    listGroups: async () => [...(await admin.listGroups({})).keys()],
    describeGroups: async (groups) => {
      const found = await admin.describeGroups({
        groups: [...groups], includeAuthorizedOperations: false,
      });
      return [...found.values()].map(({ id, members, state }) => (
        { group: id, members: [...members.keys()], state }
      ));
    },
    deleteGroup: (group) => admin.deleteGroups({ groups: [group] }),
    ranges: async (topics) => {
      const metadata = await metadataOf(topics);
      const topicPartitions = topics.flatMap((topic) => Array.from(
        { length: metadata.topics.get(topic)?.partitionsCount ?? 0 },
        (_, partition) => ({ topic, partition }),
      ));
      // At once: a group whose members have changed stands still until it knows.
      const [ends, starts] = await Promise.all([
        offsetsAt(topicPartitions, LATEST), offsetsAt(topicPartitions, EARLIEST),
      ]);
      return [...ends].map(([name, end]) => {
        const at = name.lastIndexOf(':');
        const partition = Number(name.slice(at + 1));
        return { topic: name.slice(0, at), partition, start: starts.get(name) ?? 0n, end };
      });
    },
    firstSince: (topicPartitions, sinceMs) => offsetsAt(topicPartitions, BigInt(sinceMs)),
    committedBy: async (group) => {
      const groups = await admin.listConsumerGroupOffsets({
        groups: [group], requireStable: false,
      });
      return groups.flatMap(({ topics }) => topics).flatMap(({ name, partitions }) => (
        partitions.map(({ partitionIndex, committedOffset, metadata }) => ({
          topic: name, partition: partitionIndex, offset: committedOffset,
          topicId: topicIdIn(metadata),
        }))
      ));
    },
    describeRules: async (principal) => {
      const resources = await admin.describeAcls({
        filter: {
          resourceType: ANY, resourceName: null, resourcePatternType: ANY, principal, host: null,
          operation: ANY, permissionType: ANY,
        },
      });
      return resources.flatMap(({ acls, ...target }) => acls.map((acl) => ({ ...target, ...acl })));
    },
    createRules: async (rules) => {
      await admin.createAcls({ creations: rules as readonly Rule[] as Rule[] });
    },
    deleteRules: async (rules) => {
      await admin.deleteAcls({ filters: rules as readonly Rule[] as Rule[] });
    },
    close: () => admin.close(),
  };
}
