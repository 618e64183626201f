import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Redis } from 'ioredis';
import type { Part } from '../../infra/local/part.ts';
import { startStack, type Stack } from '../../infra/local/stack.ts';
import type { StackEnv } from '../../infra/local/stack-env.ts';
import { waitFor } from '../../infra/local/wait.ts';
import { CLICKHOUSE_LIMITS, openClickHouse } from '../../services/adapters/clickhouse/clickhouse.ts';
import { openKafka, type KafkaLog } from '../../services/adapters/kafka/open.ts';
import { keys, tagOfClient } from '../../services/adapters/redis/keys.ts';
import { openOperator, type OperatorConfig } from '../../services/cli/assemble.ts';
import { clientCommand } from '../../services/cli/client/command.ts';
import { migrateDatabase } from '../../infra/clickhouse/migrate-database.ts';
import { makeTopics } from '../../infra/kafka/make-topics.ts';
import { wallClock } from './kafka-logs.ts';
import { silentSignals } from '../../services/kernel/signals.ts';
import { basic, callAt, type CallWishes, type Reply } from './platform-calls.ts';
import {
  startGateway, startProcesses, type OnClose, type PlatformProcesses, type Surroundings,
} from './platform-processes.ts';
import { openSwitch, type Switch } from './platform-switch.ts';
import { stackEnv } from './stack.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..', '..');
const WAIT_MS_MAX = 60_000;

/** A client of the platform with one live secret. */
export interface TestClient {
  readonly client_id: string;
  readonly client_secret: string;
  readonly user_id: string;
}

/** What a platform has other than usual. */
export interface PlatformWishes {
  readonly gatewayEnv?: Readonly<Record<string, string>>;
  readonly workerEnv?: Readonly<Record<string, string>>;
}

/** A gateway beside the two. */
export interface OpenedGateway {
  readonly part: Part;
  call(path: string, wishes?: CallWishes): Promise<Reply>;
}

/** The whole platform as processes: two gateways, the keepers and the table-writer. */
export interface Platform extends PlatformProcesses {
  /** The log and the state store of this platform alone. */
  readonly kafka: Part;
  readonly redis: Part;
  readonly raw: Redis;
  readonly log: KafkaLog;
  /** Ways to the parts that other test files use too. */
  readonly clickhouse: Switch;
  readonly registry: Switch;
  /** Where each process writes `NAME/output.log`. */
  readonly dir: string;
  /** Addresses and users of the parts, and the key of the hashes of client secrets. */
  readonly env: StackEnv;
  readonly secretPepper: string;
  /** Calls a gateway, the first unless named. */
  call(path: string, wishes?: CallWishes, gateway?: 0 | 1): Promise<Reply>;
  /** Statuses that {@link Platform.call} got, with the paths that they were for. */
  readonly answered: ReadonlyMap<number, ReadonlySet<string>>;
  /** Starts one more gateway of some rooms, with further settings; it ends with the platform. */
  openGateway(
    name: string, rooms: readonly string[], env: Readonly<Record<string, string>>,
  ): Promise<OpenedGateway>;
  /** Adds a client through the operator's command and waits until the gateways know it. */
  addClient(...options: readonly string[]): Promise<TestClient>;
  /** Runs `rastro client …` and waits for nothing. */
  clientCommand(...args: readonly string[]): Promise<void>;
  token(client: TestClient, audience?: string): Promise<string>;
  /** Asks ClickHouse as the analyst does. */
  query<Row>(sql: string, parameters?: Readonly<Record<string, unknown>>): Promise<readonly Row[]>;
  /** Records that a topic holds, of all its partitions. */
  recordsIn(topic: string): Promise<bigint>;
  close(): Promise<void>;
}

/** Waits until a condition holds. */
export function eventually(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  return waitFor(holds, { what, deadlineMs: WAIT_MS_MAX });
}

/**
 * Starts a platform with a log, a state store and a database of its own; ClickHouse and the
 * registry are those of the test run. Call it once per file and `close` it at the end.
 */
export async function startPlatform(wishes: PlatformWishes = {}): Promise<Platform> {
  const dir = mkdtempSync(join(tmpdir(), 'rastro-platform-'));
  const endings: (() => Promise<unknown> | void)[] = [
    () => rmSync(dir, { recursive: true, force: true }),
  ];
  const close = async (): Promise<void> => {
    for (const end of endings.splice(0).toReversed()) await end();
  };
  try {
    return await open(wishes, dir, (end) => { endings.push(end); }, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  wishes: PlatformWishes, dir: string, onClose: OnClose, close: Platform['close'],
): Promise<Platform> {
  const shared = stackEnv();
  const database = `test_${randomBytes(6).toString('hex')}`;
  const clickhouse = await openSwitch(shared.CLICKHOUSE_URL);
  const registry = await openSwitch(shared.SCHEMA_REGISTRY_URL);
  onClose(() => Promise.all([clickhouse.cut(), registry.cut()]));
  const stack = await prepare(shared, dir, database, onClose);
  const env: StackEnv = {
    ...shared,
    ...ownOf(stack.env),
    CLICKHOUSE_URL: clickhouse.url,
    SCHEMA_REGISTRY_URL: registry.url,
  };
  const secretPepper = randomBytes(16).toString('hex');
  const around: Surroundings = {
    dir, env, database, secretPepper,
    gatewayEnv: wishes.gatewayEnv ?? {}, workerEnv: wishes.workerEnv ?? {},
  };
  const processes = await startProcesses(around, onClose);
  const tools = openTools(env, shared, database, onClose);
  const answered = new Map<number, Set<string>>();
  const call: Platform['call'] = async (path, its, gateway = 0) => {
    const reply = await callAt(processes.urls[gateway], path, its);
    const paths = answered.get(reply.status) ?? new Set();
    answered.set(reply.status, paths.add(path));
    return reply;
  };
  return {
    ...processes, ...tools, ...stackParts(stack), dir, env, secretPepper, clickhouse,
    registry, call, close, answered,
    async openGateway(name, rooms, more) {
      const { part, url } = await startGateway(around, onClose, name, rooms, more);
      return { part, call: (path, its) => callAt(url, path, its) };
    },
    ...await openClients({
      brokers: env.KAFKA_BROKERS.split(','), registryUrl: shared.SCHEMA_REGISTRY_URL, secretPepper,
    }, tools.raw, call, onClose),
  };
}

/** The addresses and users of the parts that this platform has for itself. */
function ownOf(env: StackEnv): Partial<StackEnv> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => /^(KAFKA|REDIS)_/.test(name)));
}

/** Own log and state store with their topics, and an own database in the ClickHouse of the run. */
async function prepare(
  shared: StackEnv, dir: string, database: string, onClose: OnClose,
): Promise<Stack> {
  const starting = startStack({
    dataDir: join(dir, 'stack'),
    cacheDir: process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache'),
    ports: 'free', parts: ['kafka', 'redis'], env: {}, log: () => undefined,
  }).then(async (started) => {
    onClose(() => started.stop());
    await makeTopics({
      brokers: started.env.KAFKA_BROKERS.split(','), registryUrl: shared.SCHEMA_REGISTRY_URL,
      replicas: 1, deadlineMs: Date.now() + WAIT_MS_MAX,
    }, silentSignals);
    return started;
  });
  const [stack] = await Promise.all([starting, migrateDatabase({
    url: shared.CLICKHOUSE_URL, user: shared.CLICKHOUSE_USER,
    password: shared.CLICKHOUSE_PASSWORD, database,
  })]);
  return stack;
}

async function openClients(
  { brokers, registryUrl, secretPepper }: Omit<OperatorConfig, 'kafkaClient'>,
  raw: Redis, call: Platform['call'], onClose: OnClose,
): Promise<Pick<Platform, 'addClient' | 'clientCommand' | 'token'>> {
  const operator = await openOperator(
    { brokers, registryUrl, secretPepper, kafkaClient: 'platformatic' }, silentSignals,
  );
  onClose(() => operator.close());
  return {
    async clientCommand(...args) {
      await clientCommand(operator.ports, args);
    },
    async addClient(...options) {
      const report = await clientCommand(operator.ports, ['add', '--name', 'Test', ...options]);
      if (report.exitCode !== 0) throw new Error(report.lines.join(' '));
      const client = report.value as TestClient;
      const key = keys.client(tagOfClient(client.client_id), client.client_id);
      await eventually('The client in the state store', async () => await raw.exists(key) === 1);
      return client;
    },
    async token(client, audience = 'rtt') {
      const reply = await call('/oauth/token', {
        body: { audience, grant_type: 'client_credentials' },
        headers: { authorization: basic(client.client_id, client.client_secret) },
      });
      if (reply.status !== 200) throw new Error(`No token: ${reply.status} ${reply.text}`);
      return String(reply.body['access_token']);
    },
  };
}

function openTools(
  env: StackEnv, shared: StackEnv, database: string, onClose: OnClose,
): Pick<Platform, 'raw' | 'log' | 'query' | 'recordsIn'> {
  const raw = new Redis(env.REDIS_URL, { maxRetriesPerRequest: null, retryStrategy: () => 50 });
  // Connection errors are expected while a test has the server stopped.
  raw.on('error', () => undefined);
  const log = openKafka({
    client: 'platformatic', brokers: env.KAFKA_BROKERS.split(','), clientId: 'test', topics: [],
  }, { signals: silentSignals, clock: wallClock, schemaIdOf: () => 0 });
  const store = openClickHouse({
    ...CLICKHOUSE_LIMITS, url: shared.CLICKHOUSE_URL, user: shared.ANALYST_USER,
    password: shared.ANALYST_PASSWORD, database,
  }, { signals: silentSignals });
  onClose(async () => {
    raw.disconnect();
    await Promise.all([log.close(Date.now()), store.close()]);
  });
  return {
    raw, log,
    query: async <Row>(sql: string, parameters?: Readonly<Record<string, unknown>>) =>
      await store.query(sql, parameters) as Row[],
    recordsIn: async (topic) => (await log.admin.ranges([topic]))
      .reduce((sum, { start, end }) => sum + end - start, 0n),
  };
}

function stackParts(stack: Stack): Pick<Platform, 'kafka' | 'redis'> {
  const { kafka, redis } = stack.parts;
  if (kafka === undefined || redis === undefined) throw new Error('The stack has no own parts.');
  return { kafka, redis };
}
