import { parseArgs } from 'node:util';
import { makeTopics } from '../infra/kafka/make-topics.ts';
import { securityOf } from '../services/adapters/kafka/security.ts';
import { makeSignals, type Signals } from '../services/kernel/signals.ts';
import { TOPICS } from '../schemas/generated/catalog.ts';

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

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
