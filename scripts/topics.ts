import { parseArgs } from 'node:util';
import type { KafkaSecurity } from '../services/adapters/kafka/config.ts';
import { openKafka } from '../services/adapters/kafka/open.ts';
import { securityOf } from '../services/adapters/kafka/security.ts';
import { openRecordSchemas, type TopicSchema } from '../services/adapters/registry/schemas.ts';
import { makeSignals, type Signals } from '../services/kernel/signals.ts';
import bundles from '../schemas/generated/bundles.json' with { type: 'json' };
import { TOPICS } from '../schemas/generated/catalog.ts';
import { grantsOfCatalog } from './topics/grants.ts';

const USAGE = `Makes the topics of the catalog, grants each service what it does with them, and registers the
schemas of their records.

  npm run topics -- [options]

  --replicas N     copies of each partition (default 1; production 3)
  --deadline-s N   how long to wait for the registry (default 60)
  --help           this text

Reads KAFKA_BROKERS and SCHEMA_REGISTRY_URL, and KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME,
KAFKA_SASL_PASSWORD, KAFKA_TLS and KAFKA_TLS_CA_FILE for the brokers. Safe to repeat: topics that are there are only checked
and get the catalog's settings; a topic with another number of partitions is refused.
`;

const CONNECT_MS_MAX = 5_000;

/** Where the topics and schemas go. */
export interface TopicsTarget {
  readonly brokers: readonly string[];
  /** How to log in at the brokers; absent where their listener asks for no login. */
  readonly security?: KafkaSecurity;
  readonly registryUrl: string;
  readonly replicas: number;
  /** Absolute time by which the registry must have answered. */
  readonly deadlineMs: number;
}

/** The schemas of all records, by topic; each is bundled, so it refers to no other. */
export function topicSchemas(): readonly TopicSchema[] {
  const schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> = bundles;
  return Object.values(TOPICS).map(({ name, subject, record }) => {
    const schema = schemas[record];
    if (schema === undefined) throw new Error(`No bundle of ${record}: run npm run generate.`);
    return { topic: name, subject, schema };
  });
}

/** Makes every topic and registers every schema, or rejects with what is in the way. */
export async function makeTopics(target: TopicsTarget, signals: Signals): Promise<void> {
  const clock = { nowMs: () => Date.now() };
  const topics = Object.values(TOPICS);
  const log = openKafka({
    client: 'platformatic',
    brokers: target.brokers,
    ...target.security,
    clientId: 'rastro-topics',
    topics,
    connectMsMax: CONNECT_MS_MAX,
  }, { signals, clock, schemaIdOf: () => 0 });
  try {
    await log.admin.ensureTopics(topics, target.replicas);
    const isGuarded = await log.admin.setGrants(grantsOfCatalog());
    if (!isGuarded) signals.logWithoutAuthorizer();
  } finally {
    await log.close(clock.nowMs());
  }
  const registry = openRecordSchemas({
    url: target.registryUrl,
    clientId: 'rastro-topics',
    requestMsMax: CONNECT_MS_MAX,
  }, { clock, signals });
  await registry.register(topicSchemas(), target.deadlineMs);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      replicas: { type: 'string', default: '1' },
      'deadline-s': { type: 'string', default: '60' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return print(USAGE);
  const startedAt = Date.now();
  await makeTopics({
    brokers: setting('KAFKA_BROKERS').split(','),
    security: securityOf({ ...process.env, KAFKA_TLS: process.env['KAFKA_TLS'] === 'true' }),
    registryUrl: setting('SCHEMA_REGISTRY_URL'),
    replicas: Number(values.replicas),
    deadlineMs: startedAt + Number(values['deadline-s']) * 1000,
  }, printed());
  print(`${Object.keys(TOPICS).length} topics are ready after ${Date.now() - startedAt} ms.\n`);
}

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`Set ${name}.`);
  return value;
}

function printed(): Signals {
  return makeSignals(({ level, event }) => (facts) => {
    if (event !== undefined && level !== 'debug') print(`${event} ${JSON.stringify(facts)}\n`);
  });
}

function print(text: string): void {
  process.stdout.write(text);
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
