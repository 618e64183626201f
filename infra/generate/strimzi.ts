import { TOPICS } from '../../schemas/generated/catalog.ts';
import { REGISTRY_TOPICS, REGISTRY_USER, registryGrants } from '../kafka/registry.ts';
import type { Grant } from '../../services/adapters/kafka/grants.ts';
import { topicConfigs } from '../../services/adapters/kafka/topic-configs.ts';
import { grantsOfCatalog } from '../kafka/grants.ts';
import type { Yaml } from './yaml.ts';

const CLUSTER = { 'strimzi.io/cluster': 'rastro' };
const REPLICAS = 3;
const IN_SYNC_MIN = 2;

const OPERATION_NAMES = {
  read: 'Read', write: 'Write', describe: 'Describe', delete: 'Delete',
} as const;

/** A KafkaTopic for each topic of the catalog, with what `scripts/topics.ts` would set. */
export function kafkaTopics(): readonly Yaml[] {
  return Object.values(TOPICS).map((topic) => (
    kafkaTopic(topic.name, topic.partitions, topicConfigs(topic))));
}

/** A KafkaUser for each user of the table of rights, with just these rights. */
export function kafkaUsers(): readonly Yaml[] {
  const byUser = Map.groupBy(grantsOfCatalog(), ({ user }) => user);
  return [...byUser].map(([user, grants]) => kafkaUser(user, grants));
}

/** Topics and user of a schema registry that keeps its schemas in the log. */
export function registryInLog(): readonly Yaml[] {
  return [
    ...REGISTRY_TOPICS.map(({ name, config }) => kafkaTopic(name, 1, config)),
    kafkaUser(REGISTRY_USER, registryGrants()),
  ];
}

function kafkaTopic(
  name: string, partitions: number, config: Readonly<Record<string, Yaml>>,
): Yaml {
  return {
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'KafkaTopic',
    metadata: { name, labels: CLUSTER },
    spec: {
      partitions, replicas: REPLICAS, config: { ...config, 'min.insync.replicas': IN_SYNC_MIN },
    },
  };
}

function kafkaUser(name: string, grants: readonly Grant[]): Yaml {
  return {
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'KafkaUser',
    metadata: { name, labels: CLUSTER },
    spec: {
      authentication: { type: 'scram-sha-512' },
      authorization: { type: 'simple', acls: merged(grants).map(acl) },
    },
  };
}

/** One rule for each thing: a user that writes and reads a topic has two grants for it. */
function merged(grants: readonly Grant[]): readonly Grant[] {
  const byThing = Map.groupBy(grants, ({ topic, groupsFrom }) => topic ?? `groups ${groupsFrom ?? ''}`);
  return [...byThing.values()].map((same) => ({
    ...same[0] as Grant, may: [...new Set(same.flatMap(({ may }) => may))],
  }));
}

function acl({ topic, groupsFrom, may }: Grant): Yaml {
  const resource = topic === undefined
    ? { type: 'group', name: groupsFrom, patternType: 'prefix' }
    : { type: 'topic', name: topic, patternType: 'literal' };
  return { resource, operations: may.map((each) => OPERATION_NAMES[each]) };
}
