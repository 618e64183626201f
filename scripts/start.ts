import { join, resolve } from 'node:path';
import { startStack, type Stack } from '../infra/local/stack.ts';
import type { Log, Part } from '../infra/local/part.ts';
import { CLICKHOUSE_LIMITS, openClickHouse } from '../services/adapters/clickhouse/clickhouse.ts';
import { openKafka } from '../services/adapters/kafka/open.ts';
import type { Signals } from '../services/kernel/signals.ts';
import type { OperatorConfig } from '../services/operator/assemble.ts';
import { migrateDatabase } from './migrate.ts';
import { banner, writeEnv } from './start/banner.ts';
import { demoClient, demoPlatform } from './start/demo-client.ts';
import type { Query } from './start/freshness.ts';
import { readOptions, USAGE, type StartOptions } from './start/options.ts';
import { portsFrom } from './start/ports.ts';
import { startReplay, type Backlog, type Replay } from './start/replay.ts';
import { localSecrets } from './start/secrets.ts';
import { startGateways, startWorkers, type ServiceSurroundings } from './start/services.ts';
import { makeTopics } from './topics.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..');
const DATABASE = 'tracking';
const STORE_GROUP = 'rastro.table-writer';
const STORED_TOPIC = 'rtt.locations.v1';
const REGISTRY_MS_MAX = 60_000;
const SILENT: Signals = { log: () => {}, count: () => {}, gauge: () => {}, observe: () => {} };

/** Everything that was started, in order; it ends in reverse. */
const running: (() => Promise<unknown>)[] = [];

/** Whether a signal has told the process to end. */
const leaving = new AbortController();
const told = new Promise<void>((resolve) => {
  leaving.signal.addEventListener('abort', () => { resolve(); });
});
const hasBeenTold = (): boolean => leaving.signal.aborted;

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    print(USAGE);
    return 0;
  }
  const ports = portsFrom(options.port);
  const stack = await startStack({
    dataDir: join(options.dir, 'data'),
    cacheDir: process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache'),
    ports: ports.stack,
    log: printLine,
  });
  running.push(() => stack.stop());
  if (hasBeenTold()) return 130;
  await prepare(stack);
  const secrets = await localSecrets(options.dir);
  const around: ServiceSurroundings = {
    dir: options.dir, ports, secrets, stackEnv: stack.env, log: printLine,
  };
  const operator: OperatorConfig = {
    brokers: stack.env.KAFKA_BROKERS.split(','),
    registryUrl: stack.env.SCHEMA_REGISTRY_URL,
    kafkaClient: 'platformatic',
    secretPepper: secrets.secretPepper,
    vaultKey: secrets.vaultKey,
    partySecret: secrets.commandToken,
  };
  const identity = await demoClient(options.dir, operator, SILENT);
  const providerUrl = `http://127.0.0.1:${ports.provider}`;
  const platform = await demoPlatform(options.dir, operator, SILENT, providerUrl);
  for (const worker of await startWorkers(around)) ending(worker);
  ending(await startGateways(around));
  const surroundings = {
    dir: options.dir,
    url: `http://127.0.0.1:${ports.http}`,
    adminUrl: `http://127.0.0.1:${ports.gatewayAdmin}`,
    stackEnv: stack.env,
    identity,
    secretPepper: secrets.secretPepper,
    vaultKey: secrets.vaultKey,
    platform,
  };
  print(banner(surroundings, writeEnv(surroundings)));
  if (hasBeenTold()) return 130;
  if (!options.replay) {
    await told;
    return 0;
  }
  return runReplay(options, await startReplay(options, around, { identity, platform }, {
    query: analystQuery(stack), backlog: backlogOf(stack), print, isTold: hasBeenTold,
  }));
}

/** Topics, schemas and tables: all safe to repeat. */
async function prepare({ env }: Stack): Promise<void> {
  await Promise.all([
    makeTopics({
      brokers: env.KAFKA_BROKERS.split(','),
      registryUrl: env.SCHEMA_REGISTRY_URL,
      replicas: 1,
      deadlineMs: Date.now() + REGISTRY_MS_MAX,
    }, SILENT),
    migrateDatabase({
      url: env.CLICKHOUSE_URL,
      user: env.CLICKHOUSE_USER,
      password: env.CLICKHOUSE_PASSWORD,
      database: DATABASE,
    }),
  ]);
}

async function runReplay(options: StartOptions, replay: Replay): Promise<number> {
  ending(replay.provider);
  await replay.watch();
  if (options.forSeconds === undefined || hasBeenTold()) {
    await told;
    return 0;
  }
  return await replay.settle() ? 0 : 1;
}

function analystQuery({ env }: Stack): Query {
  const store = openClickHouse({
    ...CLICKHOUSE_LIMITS,
    url: env.CLICKHOUSE_URL,
    user: env.ANALYST_USER,
    password: env.ANALYST_PASSWORD,
    database: DATABASE,
  }, { signals: SILENT });
  running.push(() => store.close());
  return async <Row>(sql: string, parameters?: Readonly<Record<string, unknown>>) =>
    await store.query(sql, parameters) as Row[];
}

/** Records in the log that the table-writer has not committed yet. */
function backlogOf({ env }: Stack): Backlog {
  const { admin, ...log } = openKafka({
    client: 'platformatic', brokers: env.KAFKA_BROKERS.split(','), clientId: 'rastro-start',
    topics: [],
  }, { signals: SILENT, clock: { nowMs: () => Date.now() }, schemaIdOf: () => 0 });
  running.push(() => log.close(Date.now()));
  return async () => {
    const committed = await admin.committed(STORE_GROUP, [STORED_TOPIC]);
    const ranges = await admin.ranges([STORED_TOPIC]);
    return ranges.reduce((sum, { topic, partition, start, end }) =>
      sum + end - (committed.get(`${topic}:${partition}`) ?? start), 0n);
  };
}

function ending(part: Part): void {
  running.push(() => part.stop());
}

async function end(): Promise<void> {
  for (const stop of running.splice(0).toReversed()) await stop();
}

function print(text: string): void {
  process.stdout.write(text);
}

const printLine: Log = (grade, line) => {
  process.stderr.write(`${grade === 'warning' ? 'warning: ' : ''}${line}\n`);
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => { leaving.abort(); });
}
try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await end();
}
process.exit();
