import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Redis } from 'ioredis';
import { startStack, type Stack } from '../../../infra/local/stack.ts';
import type { Part } from '../../../infra/local/part.ts';
import type { StackEnv } from '../../../infra/local/stack-env.ts';
import { openKafka, type KafkaLog } from '../../../services/adapters/kafka/open.ts';
import { openOperator } from '../../../services/cli/assemble.ts';
import type { OperatorPorts } from '../../../services/cli/ports.ts';
import { migrateDatabase } from '../../../infra/clickhouse/migrate-database.ts';
import { makeTopics } from '../../../infra/kafka/make-topics.ts';
import { wallClock } from '../../support/kafka-logs.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import type { StackAddresses } from '../run-files.ts';
import type { GatewayAddress } from '../workload/balancer.ts';
import { copyProduct, type Patch } from './copy-product.ts';
import { checkOut, runJobs } from './earlier-release.ts';
import { startFaultProxy, type FaultProxy } from './fault-proxy.ts';
import { startHouseLog, type HouseLog, type LogUser, type LogWishes } from './house-log.ts';
import { findHousePorts, type HousePorts } from './house-ports.ts';
import { newSecrets, type HouseProcess, type HouseSecrets, type ProcessName } from './house-processes.ts';
import { addLogUser } from './log-users.ts';
import { mountSmallDisks } from './small-disks.ts';
import { FIRST_PROCESS_PORT, startProcesses } from './start-processes.ts';

/** What a house is to be like. */
export interface HouseWishes {
  readonly brokers?: 1 | 3;
  /** Its processes; the usual ones when not said. */
  readonly processes?: readonly ProcessName[];
  /** A commit whose code makes topics and tables, and which all processes run at first. */
  readonly commit?: string;
  /** Everybody logs in at the log and the state store as itself, past every proxy. */
  readonly hasLogins?: boolean;
  /** A changed copy of the product that some processes run instead of this tree. */
  readonly changed?: {
    readonly names: readonly ProcessName[];
    readonly patches: readonly Patch[];
    /** True when the tables are made by the copy too. */
    readonly isForTables?: boolean;
  };
  /** The log and the tables lie on small disks of their own, which can be filled. */
  readonly hasSmallDisks?: boolean;
}

/** The whole system, all of it ours: parts, proxies between them, and the product's processes. */
export interface House {
  readonly dir: string;
  readonly log: HouseLog;
  readonly redis: Part;
  readonly clickhouse: Part;
  readonly registry: Part;
  readonly redisProxies: Readonly<Record<LogUser, FaultProxy>>;
  readonly clickhouseProxy: FaultProxy;
  readonly processes: ReadonlyMap<ProcessName, HouseProcess>;
  process(name: ProcessName): HouseProcess;
  readonly gateways: readonly GatewayAddress[];
  /** Direct lines of the harness, past every proxy. */
  readonly raw: Redis;
  readonly kafka: KafkaLog;
  readonly operator: OperatorPorts;
  readonly secrets: HouseSecrets;
  readonly addresses: StackAddresses;
  /** What the parts told about themselves, with the passwords of their users. */
  readonly env: StackEnv;
  close(): Promise<void>;
}

const ROOT_DIR = resolve(import.meta.dirname, '..', '..', '..');
const MIGRATIONS = join('infra', 'clickhouse');
const DATABASE = 'tracking';
const PREPARE_MS_MAX = 90_000;
// Above the ports of three brokers.
const PORT = { redis: 40, clickhouse: 42, registry: 44, proxies: 46 };

/** Starts a house in an empty directory; nothing is left running when it cannot be. */
export async function openHouse(dir: string, wishes: HouseWishes = {}): Promise<House> {
  const endings: (() => Promise<unknown> | void)[] = [];
  const close = async (): Promise<void> => {
    for (const end of endings.splice(0).toReversed()) await end();
  };
  try {
    return await build(dir, wishes, (end) => { endings.push(end); }, close);
  } catch (error) {
    await close();
    throw error;
  }
}

type OnClose = (end: () => Promise<unknown> | void) => void;

async function build(
  dir: string, wishes: HouseWishes, onClose: OnClose, close: House['close'],
): Promise<House> {
  mkdirSync(dir, { recursive: true });
  const ports = await findHousePorts();
  const cacheDir = process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache');
  if (wishes.hasSmallDisks === true) onClose(mountSmallDisks(dir));
  const changedDir = join(dir, 'changed');
  if (wishes.changed !== undefined) copyProduct(ROOT_DIR, changedDir, wishes.changed.patches);
  const [log, stack] = await Promise.all([
    startHouseLog(dir, ports, logWishesOf(wishes), {
      dir: cacheDir, log: () => undefined, waitMsMax: 900_000,
    }).then((started) => {
      onClose(() => started.close());
      return started;
    }),
    startParts(dir, ports, cacheDir).then((started) => {
      onClose(() => started.stop());
      return started;
    }),
  ]);
  const addresses = addressesOf(log, stack, ports);
  const earlierDir = wishes.commit === undefined ? undefined : join(dir, 'earlier');
  if (earlierDir === undefined || wishes.commit === undefined) {
    await prepare(addresses, wishes.brokers ?? 1,
      wishes.changed?.isForTables === true ? join(changedDir, MIGRATIONS) : undefined);
  } else {
    await checkOut(ROOT_DIR, earlierDir, wishes.commit);
    await runJobs(earlierDir, addresses, wishes.brokers ?? 1);
  }
  const proxies = await openProxies(ports, onClose);
  const secrets = newSecrets();
  const lines = await openLines(addresses, secrets, onClose);
  if (wishes.hasLogins === true) await addUsers(addresses.brokers, lines.kafka, secrets);
  const processes = await startProcesses({
    dir, log, env: stack.env, proxies, secrets, ports, names: wishes.processes,
    hasLogins: wishes.hasLogins === true,
    productDirOf: (name) => wishes.changed?.names.includes(name) === true
      ? changedDir : earlierDir ?? ROOT_DIR,
  }, onClose);
  return {
    dir, log, secrets, addresses, processes, close, env: stack.env, ...lines, ...proxies,
    redis: partOf(stack, 'redis'),
    clickhouse: partOf(stack, 'clickhouse'),
    registry: partOf(stack, 'registry'),
    process(name) {
      const found = processes.get(name);
      if (found === undefined) throw new Error(`No process ${name} in this house.`);
      return found;
    },
    gateways: addresses.gateways.map((url, at) => ({
      name: `gateway-${at + 1}`, url,
      adminUrl: `http://127.0.0.1:${ports.at(FIRST_PROCESS_PORT + at * 2 + 1)}`,
    })),
  };
}

function logWishesOf({ brokers, hasLogins }: HouseWishes): LogWishes {
  return { count: brokers ?? 1, hasLogins: hasLogins === true };
}

async function addUsers(
  brokers: readonly string[], { admin }: KafkaLog, { logPasswords }: HouseSecrets,
): Promise<void> {
  for (const role of ['gateways', 'workers'] as const) {
    await addLogUser(brokers, admin, role, { name: role, password: logPasswords[role] });
  }
}

/** Kafka is left out: it has ways of its own. */
function startParts(dir: string, ports: HousePorts, cacheDir: string): Promise<Stack> {
  return startStack({
    dataDir: join(dir, 'stack'), cacheDir, env: {}, log: () => undefined,
    parts: ['redis', 'clickhouse', 'registry'],
    ports: {
      kafka: ports.at(0), redis: ports.at(PORT.redis), clickhouse: ports.at(PORT.clickhouse),
      registry: ports.at(PORT.registry),
    },
  });
}

function addressesOf(log: HouseLog, { env }: Stack, ports: HousePorts): StackAddresses {
  return {
    brokers: log.direct,
    redis_url: env.REDIS_URL,
    clickhouse_url: env.CLICKHOUSE_URL,
    clickhouse_user: env.CLICKHOUSE_USER,
    clickhouse_password: env.CLICKHOUSE_PASSWORD,
    clickhouse_database: DATABASE,
    registry_url: env.SCHEMA_REGISTRY_URL,
    gateways: [0, 1].map((at) => `http://127.0.0.1:${ports.at(FIRST_PROCESS_PORT + at * 2)}`),
  };
}

async function prepare(
  addresses: StackAddresses, replicas: number, migrationsDir: string | undefined,
): Promise<void> {
  await Promise.all([
    makeTopics({
      brokers: addresses.brokers, registryUrl: addresses.registry_url, replicas,
      deadlineMs: Date.now() + PREPARE_MS_MAX,
    }, silentSignals),
    migrateDatabase({
      url: addresses.clickhouse_url, user: addresses.clickhouse_user,
      password: addresses.clickhouse_password, database: DATABASE,
    }, migrationsDir),
  ]);
}

async function openProxies(
  ports: HousePorts, onClose: OnClose,
): Promise<Pick<House, 'redisProxies' | 'clickhouseProxy'>> {
  const open = async (at: number, target: number): Promise<FaultProxy> => {
    const proxy = await startFaultProxy(ports.at(PORT.proxies + at), ports.at(target));
    onClose(() => proxy.close());
    return proxy;
  };
  const [first, second, workers, clickhouseProxy] = await Promise.all([
    open(0, PORT.redis), open(1, PORT.redis), open(2, PORT.redis), open(3, PORT.clickhouse),
  ]);
  return {
    redisProxies: { 'gateway-1': first, 'gateway-2': second, workers }, clickhouseProxy,
  };
}

async function openLines(
  addresses: StackAddresses, secrets: HouseSecrets, onClose: OnClose,
): Promise<Pick<House, 'raw' | 'kafka' | 'operator'>> {
  const raw = new Redis(addresses.redis_url, {
    maxRetriesPerRequest: null, retryStrategy: () => 50,
  });
  // Connection errors are expected while a scenario has the server down.
  raw.on('error', () => undefined);
  onClose(() => { raw.disconnect(); });
  const kafka = openKafka({
    client: 'platformatic', brokers: addresses.brokers, clientId: 'faults', topics: [],
  }, { signals: silentSignals, clock: wallClock, schemaIdOf: () => 0 });
  onClose(() => kafka.close(Date.now()));
  const operator = await openOperator({
    brokers: addresses.brokers, registryUrl: addresses.registry_url, kafkaClient: 'platformatic',
    secretPepper: secrets.secretPepper, vaultKey: secrets.vaultKey,
    partySecret: secrets.partyToken,
  }, silentSignals);
  onClose(() => operator.close());
  return { raw, kafka, operator: operator.ports };
}

function partOf(stack: Stack, name: 'redis' | 'clickhouse' | 'registry'): Part {
  const part = stack.parts[name];
  if (part === undefined) throw new Error(`The house has no ${name} of its own.`);
  return part;
}
