import { TOPICS } from '../../schemas/generated/catalog.ts';
import { REGISTRY_TOPICS, REGISTRY_USER, registryGrants } from '../kafka/registry.ts';
import { CLUSTER_LABELS, kafkaUser } from '../../services/adapters/kafka/users/kafka-user.ts';
import { topicConfigs } from '../../services/adapters/kafka/topic-configs.ts';
import { grantsOfCatalog } from '../kafka/grants.ts';
import type { Yaml } from './yaml.ts';

const REPLICAS = 3;
const IN_SYNC_MIN = 2;

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
    metadata: { name, labels: CLUSTER_LABELS },
    spec: {
      partitions, replicas: REPLICAS, config: { ...config, 'min.insync.replicas': IN_SYNC_MIN },
    },
  };
}
