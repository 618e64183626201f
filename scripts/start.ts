import type { Stack } from '../infra/local/stack.ts';
import type { Log } from '../infra/local/part.ts';
import { TOPICS } from '../schemas/generated/catalog.ts';
import { CLICKHOUSE_LIMITS, openClickHouse } from '../services/adapters/clickhouse/clickhouse.ts';
import { openKafka } from '../services/adapters/kafka/open.ts';
import { TABLE_WRITER_LIMITS } from '../services/workers/table-writer/config.ts';
import { banner, writeEnv } from '../infra/local/demo/banner.ts';
import type { Query } from '../infra/local/demo/freshness.ts';
import { readOptions, USAGE, type StartOptions } from '../infra/local/demo/options.ts';
import { startReplay, type Backlogs, type Replay } from '../infra/local/demo/replay.ts';
import { DATABASE, startSystem } from '../infra/local/processes/system.ts';
import { silentSignals } from '../services/kernel/signals.ts';

const STORING = {
  group: 'rastro.table-writer', topics: Object.keys(TABLE_WRITER_LIMITS.tables),
};
const JUDGING = { group: 'rastro.shipment-keeper', topics: [TOPICS.notifications.name] };

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
  const system = await startSystem(options, { ending, isTold: hasBeenTold, log: printLine });
  if (system === undefined) return 130;
  const { stack, around, identity, platform } = system;
  const surroundings = {
    dir: options.dir,
    url: system.url,
    adminUrl: system.adminUrl,
    stackEnv: stack.env,
    identity,
    secretPepper: around.secrets.secretPepper,
    vaultKey: around.secrets.vaultKey,
    personalKey: around.secrets.personalKey,
    platform,
  };
  print(banner(surroundings, writeEnv(surroundings)));
  if (hasBeenTold()) return 130;
  if (!options.replay) {
    await told;
    return 0;
  }
  return runReplay(options, await startReplay(options, around, { identity, platform }, {
    query: analystQuery(stack), backlogs: backlogsOf(stack), print, leaving: leaving.signal,
  }));
}

async function runReplay(options: StartOptions, replay: Replay): Promise<number> {
  ending(() => replay.provider.stop());
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
  }, { signals: silentSignals });
  ending(() => store.close());
  return async <Row>(sql: string, parameters?: Readonly<Record<string, unknown>>) =>
    await store.query(sql, parameters) as Row[];
}

/** Records in the log that those who read them have not committed yet. */
function backlogsOf({ env }: Stack): Backlogs {
  const { admin, ...log } = openKafka({
    client: 'platformatic', brokers: env.KAFKA_BROKERS.split(','), clientId: 'rastro-start',
    topics: [],
  }, { signals: silentSignals, clock: { nowMs: () => Date.now() }, schemaIdOf: () => 0 });
  ending(() => log.close(Date.now()));
  const backlogOf = ({ group, topics }: typeof STORING) => async () => {
    const committed = await admin.committed(group, topics);
    const ranges = await admin.ranges(topics);
    return ranges.reduce((sum, { topic, partition, start, end }) =>
      sum + end - (committed.get(`${topic}:${partition}`) ?? start), 0n);
  };
  return { judging: backlogOf(JUDGING), storing: backlogOf(STORING) };
}

function ending(stop: () => Promise<unknown>): void {
  running.push(stop);
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
