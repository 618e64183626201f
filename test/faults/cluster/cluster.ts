import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
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
import { onlyServer, singleState, type ClusterState } from '../state/cluster-state.ts';
import type { GatewayAddress } from '../workload/balancer.ts';
import { copyProduct } from './copy-product.ts';
import type { ClusterLog } from './cluster-log.ts';
import { findClusterPorts, type ClusterPorts } from './cluster-ports.ts';
import {
  CLUSTER_LIMITS, newSecrets, PROCESS_NAMES, processPlan, withFailpoints, type ClusterProcess,
  type ClusterSecrets, type ProcessName,
} from './cluster-processes.ts';
import { interpose, isReplicated, PORT, type ClusterProxies } from './cluster-proxies.ts';
import type { ClusterOptions } from './cluster-options.ts';
import { CHOSEN_CLIENT } from '../../support/kafka-logs.ts';
import { addUsers, DATABASE, openLog, prepareCluster } from './prepare-cluster.ts';
import { gatewayEnv, workerEnv } from './process-env.ts';
import { mountSmallDisks } from './small-disks.ts';

/** The whole system, all of it ours: parts, proxies between them, and the product's processes. */
export interface TestCluster extends Omit<ClusterProxies, 'replicated'> {
  readonly dir: string;
  /** The state store, however it is deployed. */
  readonly state: ClusterState;
  /** The only server of the state store; throws where there are several. */
  readonly redis: Part;
  readonly clickhouse: Part;
  readonly registry: Part;
  readonly processes: ReadonlyMap<ProcessName, ClusterProcess>;
  process(name: ProcessName): ClusterProcess;
  /** Where a gateway is called. */
  urlOf(name: ProcessName): string;
  readonly gateways: readonly GatewayAddress[];
  /** Direct lines of the harness, past every proxy; `raw` is that of the only server, too. */
  readonly raw: Redis;
  readonly kafka: KafkaLog;
  readonly operator: OperatorPorts;
  readonly secrets: ClusterSecrets;
  readonly addresses: StackAddresses;
  /** What the parts reported about themselves, with the passwords of their users. */
  readonly env: StackEnv;
  close(): Promise<void>;
}

/** In the block of a cluster: two ports for each process, above those of the parts. */
const FIRST_PROCESS_PORT = 56;

/** Starts a cluster in an empty directory; nothing is left running when it cannot be. */
export async function openTestCluster(
  dir: string, options: ClusterOptions = {},
): Promise<TestCluster> {
  mkdirSync(dir, { recursive: true });
  const unmount = options.hasSmallDisks === true ? mountSmallDisks(dir) : undefined;
  try {
    return await build(dir, options, unmount);
  } catch (error) {
    unmount?.();
    throw error;
  }
}

async function build(
  dir: string, options: ClusterOptions, unmount: (() => void) | undefined,
): Promise<TestCluster> {
  const ports = await findClusterPorts();
  const changedDir = join(dir, 'changed');
  if (options.changed !== undefined) copyProduct(ROOT_DIR, changedDir, options.changed.patches);
  const earlierDir = options.commit === undefined ? undefined : join(dir, 'earlier');
  const secrets = newSecrets();
  const names = options.processes ?? PROCESS_NAMES;
  let interposed: Awaited<ReturnType<typeof interpose>> | undefined;
  const running = await startPlatform({
    dir, limits: CLUSTER_LIMITS, database: DATABASE,
    parts: {
      own: [...(isReplicated(options) ? [] : ['redis' as const]), 'clickhouse', 'registry'],
      ports: stackPorts(ports),
    },
    async faults(onClose) {
      interposed = await interpose(dir, ports, options, secrets, onClose);
      return interposed;
    },
    async prepare(env) {
      await prepareCluster(env, options, earlierDir, changedDir);
      if (options.hasLogins === true) await addUsers(env.KAFKA_BROKERS.split(','), secrets);
    },
    processes: () => names.map((name, index) => processPlan(name, {
      httpPort: ports.at(FIRST_PROCESS_PORT + index * 2),
      adminPort: ports.at(FIRST_PROCESS_PORT + index * 2 + 1),
      productDir: options.changed?.names.includes(name) === true ? changedDir : earlierDir,
      env: name.startsWith('gateway')
        ? { ...gatewayEnv(secrets, dir), ...options.gatewaySettings }
        : workerEnv(secrets),
    })),
  });
  if (interposed === undefined) throw new Error('The cluster has no log.');
  const { log, redisProxies, clickhouseProxy, replicated } = interposed;
  const state = replicated
    ?? singleState(partOf(running.stack, 'redis'), running.env.REDIS_URL, running.onClose);
  const addresses = addressesOf(log, state, running.env, ports);
  const processes = new Map(names.map((name) => (
    [name, withFailpoints(name, running.process(name))] as const
  )));
  return {
    dir, log, state, redisProxies, clickhouseProxy, secrets, addresses, processes, env: running.env,
    ...await openLines(addresses, secrets, running.onClose),
    close: async () => {
      await running.close();
      unmount?.();
    },
    get redis() { return onlyServer(state).part; },
    get raw() { return onlyServer(state).raw; },
    clickhouse: partOf(running.stack, 'clickhouse'),
    registry: partOf(running.stack, 'registry'),
    process(name) {
      const found = processes.get(name);
      if (found === undefined) throw new Error(`No process ${name} in this cluster.`);
      return found;
    },
    urlOf: (name) => `http://127.0.0.1:${ports.at(FIRST_PROCESS_PORT + names.indexOf(name) * 2)}`,
    gateways: addresses.gateways.map((url, at) => ({
      name: `gateway-${at + 1}`, url,
      adminUrl: `http://127.0.0.1:${ports.at(FIRST_PROCESS_PORT + at * 2 + 1)}`,
    })),
  };
}

/** Kafka is left out: it has ways of its own. */
function stackPorts(ports: ClusterPorts): StackPorts {
  return {
    kafka: ports.at(0), redis: ports.at(PORT.redis), clickhouse: ports.at(PORT.clickhouse),
    registry: ports.at(PORT.registry),
  };
}

function addressesOf(
  log: ClusterLog, { servers }: ClusterState, env: StackEnv, ports: ClusterPorts,
): StackAddresses {
  return {
    brokers: log.direct,
    state_urls: servers.map(({ url }) => url),
    clickhouse_url: env.CLICKHOUSE_URL,
    clickhouse_user: env.CLICKHOUSE_USER,
    clickhouse_password: env.CLICKHOUSE_PASSWORD,
    clickhouse_database: DATABASE,
    registry_url: env.SCHEMA_REGISTRY_URL,
    gateways: [0, 1].map((at) => `http://127.0.0.1:${ports.at(FIRST_PROCESS_PORT + at * 2)}`),
  };
}

async function openLines(
  addresses: StackAddresses, secrets: ClusterSecrets, onClose: OnClose,
): Promise<Pick<TestCluster, 'kafka' | 'operator'>> {
  const kafka = openLog(addresses.brokers);
  onClose(() => kafka.close(Date.now()));
  const operator = await openOperator({
    brokers: addresses.brokers, registryUrl: addresses.registry_url, kafkaClient: CHOSEN_CLIENT,
    secretPepper: secrets.secretPepper, vaultKey: secrets.vaultKey,
    partySecret: secrets.partyToken,
  }, silentSignals);
  onClose(() => operator.close());
  return { kafka, operator: operator.ports };
}

function partOf(stack: Stack, name: 'redis' | 'clickhouse' | 'registry'): Part {
  const part = stack.parts[name];
  if (part === undefined) throw new Error(`The cluster has no ${name} of its own.`);
  return part;
}
