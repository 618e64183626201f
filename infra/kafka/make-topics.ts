import { bundleOf } from '../../schemas/bundles.ts';
import { TOPICS } from '../../schemas/generated/catalog.ts';
import type { KafkaClient, KafkaSecurity } from '../../services/adapters/kafka/config.ts';
import { openKafka } from '../../services/adapters/kafka/open.ts';
import type { RegistryConfig } from '../../services/adapters/registry/config.ts';
import { openRecordSchemas, type TopicSchema } from '../../services/adapters/registry/schemas.ts';
import type { Signals } from '../../services/kernel/signals.ts';
import { grantsOfCatalog } from './grants.ts';

const CONNECT_MS_MAX = 5_000;

/** Where the topics and schemas go. */
export interface TopicsTarget {
  readonly brokers: readonly string[];
  /** The client library that asks them. */
  readonly client: KafkaClient;
  /** How to log in at the brokers; absent where their listener asks for no login. */
  readonly security?: KafkaSecurity;
  readonly registryUrl: string;
  /** How to reach the registry by TLS, and who logs in there. */
  readonly registryAccess?: Pick<RegistryConfig, 'tls' | 'login'>;
  readonly replicas: number;
  /** Who follows the log for live feeds; the user `live`, unless one process runs all gateways. */
  readonly live?: 'live' | 'gateways';
  /** Absolute time by which the registry must have answered. */
  readonly deadlineMs: number;
}

/** The schemas of all records, by topic; each is bundled, so it refers to no other. */
export function topicSchemas(): readonly TopicSchema[] {
  return Object.values(TOPICS)
    .map(({ name, subject, record }) => ({ topic: name, subject, schema: bundleOf(record) }));
}

/** Makes every topic and registers every schema, or rejects with what is in the way. */
export async function makeTopics(target: TopicsTarget, signals: Signals): Promise<void> {
  const clock = { nowMs: () => Date.now() };
  const topics = Object.values(TOPICS);
  const log = openKafka({
    client: target.client,
    brokers: target.brokers,
    ...target.security,
    clientId: 'rastro-topics',
    topics,
    connectMsMax: CONNECT_MS_MAX,
  }, { signals, clock, schemaIdOf: () => 0 });
  try {
    await log.admin.ensureTopics(topics, target.replicas);
    const isGuarded = await log.admin.setGrants(grantsOfCatalog(target.live));
    if (!isGuarded) signals.logWithoutAuthorizer();
  } finally {
    await log.close(clock.nowMs());
  }
  const registry = openRecordSchemas({
    ...target.registryAccess,
    url: target.registryUrl,
    clientId: 'rastro-topics',
    requestMsMax: CONNECT_MS_MAX,
  }, { clock, signals });
  await registry.register(topicSchemas(), target.deadlineMs);
}
