import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { Part } from '../../infra/local/part.ts';
import {
  startPlatform, type Interposed, type OnClose, type RunningPlatform,
} from '../../infra/local/processes/start-platform.ts';
import type { Stack } from '../../infra/local/stack.ts';
import type { StackEnv } from '../../infra/local/stack-env.ts';
import { waitFor } from '../../infra/local/wait.ts';
import {
  CLICKHOUSE_LIMITS, openClickHouse, type ClickHouse,
} from '../../services/adapters/clickhouse/clickhouse.ts';
import { openKafka, type KafkaLog } from '../../services/adapters/kafka/open.ts';
import { keys, tagOfClient } from '../../services/adapters/redis/keys.ts';
import { openOperator, type OperatorConfig } from '../../services/cli/assemble.ts';
import { clientCommand } from '../../services/cli/client/command.ts';
import { copyDatabase } from './copy-database.ts';
import { CHOSEN_CLIENT, wallClock } from './kafka-logs.ts';
import { silentSignals } from '../../services/kernel/signals.ts';
import { basic, callAt, type PlatformCallWishes, type PlatformReply } from './platform-calls.ts';
import {
  gatewayPlan, plansOf, processesOf, urlOf, type TestEnvWishes, type TestProcesses,
} from './platform-processes.ts';
import { openSwitch, type Switch } from './platform-switch.ts';
import { stackEnv } from './stack.ts';

const WAIT_MS_MAX = 60_000;

/** A client of the platform with one live secret. */
export interface TestClient {
  readonly client_id: string;
  readonly client_secret: string;
  readonly user_id: string;
}

/** A gateway beside the two. */
export interface OpenedGateway {
  readonly part: Part;
  call(path: string, wishes?: PlatformCallWishes): Promise<PlatformReply>;
}

/** The whole platform as processes: two gateways, the projectors and the table-writer. */
export interface TestEnv extends TestProcesses {
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
  call(path: string, wishes?: PlatformCallWishes, gateway?: 0 | 1): Promise<PlatformReply>;
  /** Statuses that {@link TestEnv.call} got, with the paths that they were for. */
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
export async function startTestEnv(wishes: TestEnvWishes = {}): Promise<TestEnv> {
  const dir = mkdtempSync(join(tmpdir(), 'rastro-platform-'));
  const shared = stackEnv();
  const database = `test_${randomBytes(6).toString('hex')}`;
  const secretPepper = randomBytes(16).toString('hex');
  const { clickhouse, registry, waysOf, cut } = await openSwitches(shared);
  const endings: (() => unknown)[] = [() => rmSync(dir, { recursive: true, force: true }), cut];
  try {
    const running = await startPlatform({
      dir, database, processes: () => plansOf(wishes, secretPepper),
      parts: { own: ['kafka', 'redis'], others: shared, ports: 'free' },
      tables: () => copyTables(shared, database),
      faults: () => Promise.resolve({ waysOf }),
    });
    endings.push(() => dropDatabase(shared, database), () => running.close());
    return await testEnvOf(running, {
      dir, database, secretPepper, clickhouse, registry, wishes, endings,
    });
  } catch (error) {
    for (const end of endings.toReversed()) await end();
    throw error;
  }
}

/** The tables that migrations make, in less than half of their time. */
async function copyTables(shared: StackEnv, database: string): Promise<void> {
  const [server, store] = [adminOf(shared, 'default'), adminOf(shared, database)];
  await copyDatabase(server, store, {
    url: shared.CLICKHOUSE_URL, user: shared.CLICKHOUSE_USER,
    password: shared.CLICKHOUSE_PASSWORD, database,
  }, { computes: true });
  await Promise.all([server.close(), store.close()]);
}

/** What is left of a platform would compute its days for the rest of the run. */
async function dropDatabase(shared: StackEnv, database: string): Promise<void> {
  const server = adminOf(shared, 'default');
  await server.execute(`DROP DATABASE ${database}`);
  await server.close();
}

function adminOf(shared: StackEnv, database: string): ClickHouse {
  return openClickHouse({
    ...CLICKHOUSE_LIMITS, url: shared.CLICKHOUSE_URL, user: shared.CLICKHOUSE_USER,
    password: shared.CLICKHOUSE_PASSWORD, database,
  }, { signals: silentSignals });
}

/** Ways to the parts of the test run that can be cut for this platform alone. */
async function openSwitches(shared: StackEnv): Promise<
  Pick<TestEnv, 'clickhouse' | 'registry'> & {
    readonly waysOf: NonNullable<Interposed['waysOf']>; readonly cut: () => Promise<unknown>;
  }
> {
  const clickhouse = await openSwitch(shared.CLICKHOUSE_URL);
  const registry = await openSwitch(shared.SCHEMA_REGISTRY_URL);
  return {
    clickhouse, registry, cut: () => Promise.all([clickhouse.cut(), registry.cut()]),
    waysOf: () => ({ env: { CLICKHOUSE_URL: clickhouse.url, SCHEMA_REGISTRY_URL: registry.url } }),
  };
}

async function testEnvOf(
  running: RunningPlatform,
  { endings, wishes, database, ...own }: Pick<
    TestEnv, 'dir' | 'secretPepper' | 'clickhouse' | 'registry'
  > & {
    readonly database: string; readonly wishes: TestEnvWishes; readonly endings: (() => unknown)[];
  },
): Promise<TestEnv> {
  const env: StackEnv = {
    ...running.env, CLICKHOUSE_URL: own.clickhouse.url, SCHEMA_REGISTRY_URL: own.registry.url,
  };
  const onClose: OnClose = (end) => { endings.push(end); };
  const tools = openTools(env, running.env, database, onClose);
  const processes = processesOf(running);
  const answered = new Map<number, Set<string>>();
  const call: TestEnv['call'] = async (path, its, gateway = 0) => {
    const reply = await callAt(processes.urls[gateway], path, its);
    const paths = answered.get(reply.status) ?? new Set();
    answered.set(reply.status, paths.add(path));
    return reply;
  };
  return {
    ...processes, ...tools, ...stackParts(running.stack), ...own, env, call, answered,
    close: async () => {
      for (const end of endings.splice(0).toReversed()) await end();
    },
    async openGateway(name, rooms, more) {
      const { part, release } = await running.start(
        gatewayPlan(name, rooms, own.secretPepper, { ...wishes.gatewayEnv, ...more }),
      );
      const url = urlOf(release());
      return { part, call: (path, its) => callAt(url, path, its) };
    },
    ...await openClients({
      brokers: env.KAFKA_BROKERS.split(','), registryUrl: running.env.SCHEMA_REGISTRY_URL,
      secretPepper: own.secretPepper,
    }, tools.raw, call, onClose),
  };
}

async function openClients(
  { brokers, registryUrl, secretPepper }: Omit<OperatorConfig, 'kafkaClient'>,
  raw: Redis, call: TestEnv['call'], onClose: OnClose,
): Promise<Pick<TestEnv, 'addClient' | 'clientCommand' | 'token'>> {
  const operator = await openOperator(
    { brokers, registryUrl, secretPepper, kafkaClient: CHOSEN_CLIENT }, silentSignals,
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
): Pick<TestEnv, 'raw' | 'log' | 'query' | 'recordsIn'> {
  const raw = new Redis(env.REDIS_URL, { maxRetriesPerRequest: null, retryStrategy: () => 50 });
  // Connection errors are expected while a test has the server stopped.
  raw.on('error', () => undefined);
  const log = openKafka({
    client: CHOSEN_CLIENT,
    brokers: env.KAFKA_BROKERS.split(','), clientId: 'test', topics: [],
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

function stackParts(stack: Stack): Pick<TestEnv, 'kafka' | 'redis'> {
  const { kafka, redis } = stack.parts;
  if (kafka === undefined || redis === undefined) throw new Error('The stack has no own parts.');
  return { kafka, redis };
}
