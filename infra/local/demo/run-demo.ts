import { TOPICS } from '../../../schemas/generated/catalog.ts';
import {
  CLICKHOUSE_LIMITS, openClickHouse,
} from '../../../services/adapters/clickhouse/clickhouse.ts';
import { openKafka } from '../../../services/adapters/kafka/open.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { TABLE_WRITER_LIMITS } from '../../../services/workers/table-writer/config.ts';
import { printLine } from '../part.ts';
import { DATABASE, startSystem } from '../processes/system.ts';
import type { Stack } from '../stack.ts';
import { banner, writeEnv } from './banner.ts';
import type { Query } from './freshness.ts';
import { startReplay, type Backlogs, type Replay, type StartOptions } from './replay.ts';

const STORING = {
  group: 'rastro.table-writer', topics: Object.keys(TABLE_WRITER_LIMITS.tables),
};
const JUDGING = { group: 'rastro.journey', topics: [TOPICS.notifications.name] };

/** Takes for each thing that runs how to end it. */
type Ending = (stop: () => Promise<unknown>) => void;

/** Starts everything, replays the recorded tracks, and ends all; gives the exit code. */
export async function runDemo(options: StartOptions, leaving: AbortSignal): Promise<number> {
  const running: (() => Promise<unknown>)[] = [];
  try {
    return await demo(options, leaving, (stop) => { running.push(stop); });
  } finally {
    for (const stop of running.toReversed()) await stop();
  }
}

async function demo(
  options: StartOptions, leaving: AbortSignal, ending: Ending,
): Promise<number> {
  const system = await startSystem(options, {
    ending, isTold: () => leaving.aborted, log: printLine,
  });
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
  if (leaving.aborted) return 130;
  if (!options.replay) {
    await aborted(leaving);
    return 0;
  }
  const replay = await startReplay(options, around, { identity, platform }, {
    query: analystQuery(stack, ending), backlogs: backlogsOf(stack, ending), print, leaving,
  });
  return runReplay(options, replay, leaving, ending);
}

async function runReplay(
  options: StartOptions, replay: Replay, leaving: AbortSignal, ending: Ending,
): Promise<number> {
  ending(() => replay.provider.stop());
  await replay.watch();
  if (options.forSeconds === undefined || leaving.aborted) {
    await aborted(leaving);
    return 0;
  }
  return await replay.settle() ? 0 : 1;
}

function aborted(leaving: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (leaving.aborted) resolve();
    else leaving.addEventListener('abort', () => { resolve(); }, { once: true });
  });
}

function analystQuery({ env }: Stack, ending: Ending): Query {
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
function backlogsOf({ env }: Stack, ending: Ending): Backlogs {
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

function print(text: string): void {
  process.stdout.write(text);
}
