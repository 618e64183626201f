/** `npm run stack`: the infrastructure in the foreground until a signal. */
import { join, resolve } from 'node:path';
import { writeEnvFile } from '../infra/local/env-file.ts';
import { printLine } from '../infra/local/part.ts';
import { startStack } from '../infra/local/stack.ts';
import { example, wholeFrom } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { firstSignal } from './suite/signals.ts';

interface Words {
  readonly dir: string;
  readonly portBase: number;
  readonly freePorts: boolean;
  readonly databases: string;
}

const ROOT_DIR = resolve(import.meta.dirname, '..');

await runScript((command, does) => {
  example(command.name('npm run stack --')
    .description('Starts Kafka, Redis, ClickHouse and the schema registry, and nothing else.'
      + ' Downloads are kept in .rastro/cache, or in RASTRO_CACHE_DIR. Ctrl-C ends everything.')
    .option('--dir <dir>', 'state and the env file (default .rastro)', join(ROOT_DIR, '.rastro'))
    .option('--port-base <n>', 'Kafka N and N+1, Redis N+2, ClickHouse N+3, registry N+4',
      wholeFrom(1_024, 65_530), 19_092)
    .option('--free-ports', 'any free ports instead', false)
    .option('--databases <names>', 'ClickHouse databases, divided by commas; a name may end with * to'
      + ' cover databases made later, such as test_*', 'tracking')
    .action(does((_ports, words: Words) => run(words))),
  'npm run stack -- --free-ports', 'Exit codes: 0 ended by a signal, 1 failed, 2 wrong use.');
});

async function run({ portBase, freePorts, databases, ...words }: Words): Promise<number> {
  const dir = resolve(words.dir);
  const { signal } = firstSignal();
  const ended = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => { resolve(undefined); });
  });
  const startedAt = Date.now();
  const starting = startStack({
    dataDir: join(dir, 'data'),
    cacheDir: process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache'),
    ports: freePorts ? 'free' : {
      kafka: portBase, redis: portBase + 2, clickhouse: portBase + 3, registry: portBase + 4,
    },
    clickhouseDatabases: databases.split(','),
    log: printLine,
  });
  const stack = await Promise.race([starting, ended]);
  // A signal while starting: the kernel ends the children with this process.
  if (stack === undefined) return 130;
  const envFile = join(dir, 'env');
  writeEnvFile(envFile, stack.env);
  const { KAFKA_BROKERS, REDIS_URL, CLICKHOUSE_URL, SCHEMA_REGISTRY_URL } = stack.env;
  process.stdout.write(`The stack is ready after ${Date.now() - startedAt} ms.
  Kafka       ${KAFKA_BROKERS}
  Redis       ${REDIS_URL.replace(/\/\/[^@/]*@/, '//')}
  ClickHouse  ${CLICKHOUSE_URL}  (users and passwords: ${envFile})
  Registry    ${SCHEMA_REGISTRY_URL}
To use it:    set -a; . ${envFile}; set +a
Ctrl-C ends it.
`);
  await ended;
  await stack.stop();
  process.stdout.write('Everything has ended.\n');
  return 0;
}
