import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeEnvFile } from '../infra/local/env-file.ts';
import type { Log } from '../infra/local/part.ts';
import { startStack } from '../infra/local/stack.ts';

const USAGE = `Starts Kafka, Redis, ClickHouse and the schema registry, and nothing else.

  npm run stack -- [options]

  --dir DIR             state and the env file (default .rastro)
  --port-base N         Kafka N and N+1, Redis N+2, ClickHouse N+3, registry N+4 (default 19092)
  --free-ports          any free ports instead
  --databases A,B       ClickHouse databases of ingest and analyst (default tracking);
                        a name may end with * to cover databases made later, such as test_*
  --help                this text

Downloads are kept in .rastro/cache, or in RASTRO_CACHE_DIR. Ctrl-C ends everything.
`;

const ROOT_DIR = resolve(import.meta.dirname, '..');

/** Runs the infrastructure in the foreground until a signal; the addresses go to DIR/env. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      dir: { type: 'string', default: join(ROOT_DIR, '.rastro') },
      'port-base': { type: 'string', default: '19092' },
      'free-ports': { type: 'boolean', default: false },
      databases: { type: 'string', default: 'tracking' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return print(USAGE);
  const dir = resolve(values.dir);
  const ended = firstSignal();
  const startedAt = Date.now();
  const starting = startStack({
    dataDir: join(dir, 'data'),
    cacheDir: process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache'),
    ports: values['free-ports'] ? 'free' : portsFrom(Number(values['port-base'])),
    clickhouseDatabases: values.databases.split(','),
    log: printLine,
  });
  const stack = await Promise.race([starting, ended]);
  // A signal while starting: the kernel ends the children with this process.
  if (stack === undefined) return process.exit(130);
  const envFile = join(dir, 'env');
  writeEnvFile(envFile, stack.env);
  const { KAFKA_BROKERS, REDIS_URL, CLICKHOUSE_URL, SCHEMA_REGISTRY_URL } = stack.env;
  print(`The stack is ready after ${Date.now() - startedAt} ms.
  Kafka       ${KAFKA_BROKERS}
  Redis       ${REDIS_URL.replace(/\/\/[^@/]*@/, '//')}
  ClickHouse  ${CLICKHOUSE_URL}  (users and passwords: ${envFile})
  Registry    ${SCHEMA_REGISTRY_URL}
To use it:    set -a; . ${envFile}; set +a
Ctrl-C ends it.
`);
  await ended;
  await stack.stop();
  print('Everything has ended.\n');
}

function portsFrom(base: number): Parameters<typeof startStack>[0]['ports'] {
  if (!Number.isInteger(base) || base < 1024 || base > 65_530) {
    throw new Error('--port-base must be a whole number from 1024 to 65530.');
  }
  return { kafka: base, redis: base + 2, clickhouse: base + 3, registry: base + 4 };
}

/** A second Ctrl-C does not cut the orderly end short: it is limited to 10 s anyway. */
function firstSignal(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => resolve(undefined));
    }
  });
}

function print(text: string): void {
  process.stdout.write(text);
}

const printLine: Log = (grade, line) => {
  process.stderr.write(`${grade === 'warning' ? 'warning: ' : ''}${line}\n`);
};

await main().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
});
