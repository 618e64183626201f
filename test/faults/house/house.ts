import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { StackPorts } from '../../../infra/local/local-part.ts';
import type { Part } from '../../../infra/local/part.ts';
import { ROOT_DIR } from '../../../infra/local/processes/process.ts';
import { startPlatform, type OnClose } from '../../../infra/local/processes/start-platform.ts';
import type { StackEnv } from '../../../infra/local/stack-env.ts';
import type { Stack } from '../../../infra/local/stack.ts';
import type { KafkaLog } from '../../../services/adapters/kafka/open.ts';
import { openOperator } from '../../../services/cli/assemble.ts';
import type { OperatorPorts } from '../../../services/cli/ports.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import type { StackAddresses } from '../run-files.ts';
import type { GatewayAddress } from '../workload/balancer.ts';
import { copyProduct } from './copy-product.ts';
import type { HouseLog } from './house-log.ts';
import { findHousePorts, type HousePorts } from './house-ports.ts';
import {
  HOUSE_LIMITS, newSecrets, PROCESS_NAMES, processPlan, withFailpoints, type HouseProcess,
  type HouseSecrets, type ProcessName,
} from './house-processes.ts';
import { interpose, PORT, type HouseWays } from './house-ways.ts';
import type { HouseWishes } from './house-wishes.ts';
import { addUsers, DATABASE, openLog, prepareHouse } from './prepare-house.ts';
import { gatewayEnv, workerEnv } from './process-env.ts';
import { mountSmallDisks } from './small-disks.ts';

/** The whole system, all of it ours: parts, proxies between them, and the product's processes. */
export interface House extends HouseWays {
  readonly dir: string;
  readonly redis: Part;
  readonly clickhouse: Part;
  readonly registry: Part;
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

/** In the block of a house: two ports for each process, above those of the parts. */
const FIRST_PROCESS_PORT = 56;

/** Starts a house in an empty directory; nothing is left running when it cannot be. */
export async function openHouse(dir: string, wishes: HouseWishes = {}): Promise<House> {
  mkdirSync(dir, { recursive: true });
  const unmount = wishes.hasSmallDisks === true ? mountSmallDisks(dir) : undefined;
  try {
    return await build(dir, wishes, unmount);
  } catch (error) {
    unmount?.();
    throw error;
  }
}

async function build(
  dir: string, wishes: HouseWishes, unmount: (() => void) | undefined,
): Promise<House> {
  const ports = await findHousePorts();
  const changedDir = join(dir, 'changed');
  if (wishes.changed !== undefined) copyProduct(ROOT_DIR, changedDir, wishes.changed.patches);
  const earlierDir = wishes.commit === undefined ? undefined : join(dir, 'earlier');
  const secrets = newSecrets();
  const names = wishes.processes ?? PROCESS_NAMES;
  let interposed: Awaited<ReturnType<typeof interpose>> | undefined;
  const running = await startPlatform({
    dir, limits: HOUSE_LIMITS, database: DATABASE,
    parts: { own: ['redis', 'clickhouse', 'registry'], ports: stackPorts(ports) },
    async faults(onClose) {
      interposed = await interpose(dir, ports, wishes, secrets, onClose);
      return interposed;
    },
    async prepare(env) {
      await prepareHouse(env, wishes, earlierDir, changedDir);
      if (wishes.hasLogins === true) await addUsers(env.KAFKA_BROKERS.split(','), secrets);
    },
    processes: () => names.map((name, index) => processPlan(name, {
      httpPort: ports.at(FIRST_PROCESS_PORT + index * 2),
      adminPort: ports.at(FIRST_PROCESS_PORT + index * 2 + 1),
      productDir: wishes.changed?.names.includes(name) === true ? changedDir : earlierDir,
      env: name.startsWith('gateway') ? gatewayEnv(secrets, dir) : workerEnv(secrets),
    })),
  });
  if (interposed === undefined) throw new Error('The house has no log.');
  const addresses = addressesOf(interposed.log, running.env, ports);
  const processes = new Map(names.map((name) => (
    [name, withFailpoints(name, running.process(name))] as const
  )));
  const { log, redisProxies, clickhouseProxy } = interposed;
  return {
    dir, log, redisProxies, clickhouseProxy, secrets, addresses, processes, env: running.env,
    ...await openLines(addresses, secrets, running.onClose),
    close: async () => {
      await running.close();
      unmount?.();
    },
    redis: partOf(running.stack, 'redis'),
    clickhouse: partOf(running.stack, 'clickhouse'),
    registry: partOf(running.stack, 'registry'),
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

/** Kafka is left out: it has ways of its own. */
function stackPorts(ports: HousePorts): StackPorts {
  return {
    kafka: ports.at(0), redis: ports.at(PORT.redis), clickhouse: ports.at(PORT.clickhouse),
    registry: ports.at(PORT.registry),
  };
}

function addressesOf(log: HouseLog, env: StackEnv, ports: HousePorts): StackAddresses {
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

async function openLines(
  addresses: StackAddresses, secrets: HouseSecrets, onClose: OnClose,
): Promise<Pick<House, 'raw' | 'kafka' | 'operator'>> {
  const raw = new Redis(addresses.redis_url, {
    maxRetriesPerRequest: null, retryStrategy: () => 50,
  });
  // Connection errors are expected while a scenario has the server down.
  raw.on('error', () => undefined);
  onClose(() => { raw.disconnect(); });
  const kafka = openLog(addresses.brokers);
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
