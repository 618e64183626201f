/** `npm run topics`: the topics of the catalog, with rights and schemas; runs in the image too. */
import { makeTopics } from '../infra/kafka/make-topics.ts';
import { TOPICS } from '../schemas/generated/catalog.ts';
import { example, numberFrom, wholeFrom } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { readRegistry } from '../services/adapters/config/read-registry.ts';
import { kafkaClientNamed } from '../services/adapters/kafka/config.ts';
import { securityOf } from '../services/adapters/kafka/security.ts';
import { makeSignals, type Signals } from '../services/kernel/signals.ts';

interface Words {
  readonly replicas: number;
  readonly deadlineS: number;
}

await runScript((command, does) => {
  example(command.name('npm run topics --')
    .description('Makes the topics of the catalog, grants each service what it does with them, and'
      + ' registers the schemas of their records. Reads KAFKA_BROKERS and SCHEMA_REGISTRY_URL, and'
      + ' KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD, KAFKA_TLS and'
      + ' KAFKA_TLS_CA_FILE for the brokers, SCHEMA_REGISTRY_USERNAME, _PASSWORD and _TLS_CA_FILE for'
      + ' the registry, and RASTRO_KAFKA_CLIENT. Safe to repeat: existing topics are checked and get the'
      + ' catalog\'s settings; a topic with another number of partitions is refused.')
    .option('--replicas <n>', 'copies of each partition; production has 3', wholeFrom(1), 1)
    .option('--deadline-s <s>', 'how long to wait for the registry', numberFrom(0), 60)
    .action(does(async (_ports, { replicas, deadlineS }: Words) => {
      const startedAt = Date.now();
      await makeTopics({
        brokers: setting('KAFKA_BROKERS').split(','),
        client: kafkaClientNamed(process.env['RASTRO_KAFKA_CLIENT']),
        security: securityOf({ ...process.env, KAFKA_TLS: process.env['KAFKA_TLS'] === 'true' }),
        registryUrl: setting('SCHEMA_REGISTRY_URL'),
        registryAccess: readRegistry(process.env),
        replicas,
        deadlineMs: startedAt + deadlineS * 1_000,
      }, printed());
      const tookMs = Date.now() - startedAt;
      print(`${Object.keys(TOPICS).length} topics are ready after ${tookMs} ms.\n`);
      return 0;
    })),
  'npm run topics -- --replicas 3', 'Exit codes: 0 ready, 1 failed, 2 wrong use.');
});

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
