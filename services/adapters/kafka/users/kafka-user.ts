import type { Grant } from '../grants.ts';

/** The label by which Strimzi's operator knows the cluster of our manifests. */
export const CLUSTER_LABELS = { 'strimzi.io/cluster': 'rastro' } as const;

/** Operations, as Kafka's own tools and Strimzi name them. */
export const OPERATION_NAMES = {
  read: 'Read', write: 'Write', describe: 'Describe', delete: 'Delete',
} as const;

/** A value of a manifest. */
export type UserManifest =
  string | readonly UserManifest[] | { readonly [key: string]: UserManifest };

/** A user of the brokers with just these rights, as Strimzi's operator takes it. */
export function kafkaUser(name: string, grants: readonly Grant[]): UserManifest {
  return {
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'KafkaUser',
    metadata: { name, labels: CLUSTER_LABELS },
    spec: {
      authentication: { type: 'scram-sha-512' },
      authorization: { type: 'simple', acls: merged(grants).map(rule) },
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

function rule({ topic, groupsFrom, may }: Grant): UserManifest {
  const resource = topic === undefined
    ? { type: 'group', name: groupsFrom ?? '', patternType: 'prefix' }
    : { type: 'topic', name: topic, patternType: 'literal' };
  return { resource, operations: may.map((each) => OPERATION_NAMES[each]) };
}
