import type { Grant } from '../../services/adapters/kafka/grants.ts';

/** Who the schema registry is at the brokers, where it keeps its schemas in the log. */
export const REGISTRY_USER = 'registry';

/** Each start reads the journal from its beginning: nothing of it may go, and its order counts. */
const FOR_EVER = { 'cleanup.policy': 'delete', 'retention.ms': '-1', 'retention.bytes': '-1' };
const A_WEEK = { 'cleanup.policy': 'delete', 'retention.ms': '604800000' };

/** Its topics, of one partition each: what it registered, its snapshots, and its events. */
export const REGISTRY_TOPICS = [
  { name: 'kafkasql-journal', config: FOR_EVER },
  { name: 'kafkasql-snapshots', config: FOR_EVER },
  { name: 'registry-events', config: A_WEEK },
] as const;

/** How the groups begin in which each of its Pods reads the journal for itself. */
export const REGISTRY_GROUPS = 'rastro-registry-';

/** What it may do in the log: all with its own topics, and nothing else. */
export function registryGrants(user = REGISTRY_USER): readonly Grant[] {
  return [
    ...REGISTRY_TOPICS.map(({ name }) => (
      { user, topic: name, may: ['read', 'write', 'describe'] as const })),
    { user, groupsFrom: REGISTRY_GROUPS, may: ['read', 'describe'] },
  ];
}
