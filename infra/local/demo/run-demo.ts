import { TOPICS } from '../../../schemas/generated/catalog.ts';
import {
  CLICKHOUSE_LIMITS, openClickHouse,
} from '../../../services/adapters/clickhouse/clickhouse.ts';
import { openKafka } from '../../../services/adapters/kafka/open.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { TABLE_WRITER_LIMITS } from '../../../services/workers/table-writer/config.ts';
import { printLine } from '../part.ts';
import { DATABASE, startLocalStack, type LocalStack } from '../processes/local-stack.ts';
import { banner, writeEnv } from './banner.ts';
import { consoleLink } from './console-link.ts';
import type { Query } from './freshness.ts';
import { DOCUMENTATION_DIR, makeDocumentation, type Making } from './make-documentation.ts';
import {
  startReplay, type Backlogs, type Replay, type ReplayPorts, type StartOptions,
} from './replay.ts';

const STORING = {
  group: 'rastro.table-writer', topics: Object.keys(TABLE_WRITER_LIMITS.tables),
};
const CLASSIFYING = { group: 'rastro.journey', topics: [TOPICS.notifications.name] };

/** Starts everything, replays the recorded tracks, and ends all; gives the exit code. */
export async function runDemo(options: StartOptions, leaving: AbortSignal): Promise<number> {
  let local: LocalStack | undefined;
  let making: Making | undefined;
  try {
    local = await startLocalStack({
      ...options, leaving, log: printLine, gatewaySettings: { RASTRO_DOCS_DIR: DOCUMENTATION_DIR },
    });
    // Not before: what a caller waits for comes first.
    making = makeDocumentation(printLine);
    return await demo(options, leaving, local);
  } catch (error) {
    if (leaving.aborted) return 130;
    throw error;
  } finally {
    making?.stop();
    await Promise.all([making?.ended, local?.close()]);
  }
}

async function demo(
  options: StartOptions, leaving: AbortSignal, local: LocalStack,
): Promise<number> {
  print(banner(local, writeEnv(local), await consoleLink(local)));
  if (!options.replay) {
    await aborted(leaving);
    return 0;
  }
  return runReplay(options, await replayOf(options, local, { leaving, print }), leaving);
}

/** Starts a replay against a platform that runs. */
export function replayOf(
  options: StartOptions, local: LocalStack, ports: Pick<ReplayPorts, 'leaving' | 'print'>,
): Promise<Replay> {
  return startReplay(options, local, {
    query: analystQuery(local), backlogs: backlogsOf(local), ...ports,
  });
}

async function runReplay(
  options: StartOptions, replay: Replay, leaving: AbortSignal,
): Promise<number> {
  await replay.watch();
  if (options.forSeconds === undefined || leaving.aborted) {
    await aborted(leaving);
    return 0;
  }
  return await replay.finish() ? 0 : 1;
}

function aborted(leaving: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (leaving.aborted) resolve();
    else leaving.addEventListener('abort', () => { resolve(); }, { once: true });
  });
}

/** Asks the views of a local platform as an analyst. */
export function analystQuery({ stack: { env }, onClose }: LocalStack): Query {
  const store = openClickHouse({
    ...CLICKHOUSE_LIMITS,
    url: env.CLICKHOUSE_URL,
    user: env.ANALYST_USER,
    password: env.ANALYST_PASSWORD,
    database: DATABASE,
  }, { signals: silentSignals });
  onClose(() => store.close());
  return async <Row>(sql: string, parameters?: Readonly<Record<string, unknown>>) =>
    await store.query(sql, parameters) as Row[];
}

/** Records in the log that those who read them have not committed yet. */
function backlogsOf({ stack: { env }, onClose }: LocalStack): Backlogs {
  const { admin, ...log } = openKafka({
    client: 'platformatic', brokers: env.KAFKA_BROKERS.split(','), clientId: 'rastro-start',
    topics: [],
  }, { signals: silentSignals, clock: { nowMs: () => Date.now() }, schemaIdOf: () => 0 });
  onClose(() => log.close(Date.now()));
  const backlogOf = ({ group, topics }: typeof STORING) => async () => {
    const committed = await admin.committed(group, topics);
    const ranges = await admin.ranges(topics);
    return ranges.reduce((sum, { topic, partition, start, end }) =>
      sum + end - (committed.get(`${topic}:${partition}`) ?? start), 0n);
  };
  return { classifying: backlogOf(CLASSIFYING), storing: backlogOf(STORING) };
}

function print(text: string): void {
  process.stdout.write(text);
}
