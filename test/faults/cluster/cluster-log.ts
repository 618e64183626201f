import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { clusterIdOf, kafkaDistribution, startKafkaNode } from '../../../infra/local/kafka.ts';
import type { Cache } from '../../../infra/local/cache.ts';
import type { KafkaNode } from '../../../infra/local/kafka-properties.ts';
import type { Part } from '../../../infra/local/part.ts';
import { startFaultProxy, type FaultProxy } from './fault-proxy.ts';
import type { ClusterPorts } from './cluster-ports.ts';

/** Who reaches the log by a way of its own. */
export const LOG_USERS = ['gateway-1', 'gateway-2', 'workers', 'live'] as const;

/** The name of one way to the log. */
export type LogUser = (typeof LOG_USERS)[number];

/** The brokers, how each user reaches them, and the direct addresses. */
export interface ClusterLog {
  readonly brokers: readonly Part[];
  readonly direct: readonly string[];
  /** Where users log in; empty where no user needs to. */
  readonly logins: string;
  addressOf(user: LogUser): string;
  /** The proxies of one user, one for each broker. */
  proxiesOf(user: LogUser): readonly FaultProxy[];
  close(): Promise<void>;
}

// Ports of one broker: its own, the controller's, two for each way, and one to log in.
const PORTS_A_BROKER = 12;
const LOGIN_PORT = 10;

/** How many brokers, and whether they have a listener at which users log in. */
export interface LogWishes {
  readonly count: 1 | 3;
  readonly hasLogins: boolean;
}

/** Starts one broker, or three, with a proxy before each for every user. */
export async function startClusterLog(
  dir: string, ports: ClusterPorts, { count, hasLogins }: LogWishes, cache: Cache,
): Promise<ClusterLog> {
  const distribution = await kafkaDistribution(cache);
  const nodes: KafkaNode[] = Array.from({ length: count }, (_, index) => {
    const port = (at: number): number => ports.at(index * PORTS_A_BROKER + at);
    return {
      nodeId: index + 1, port: port(0), controllerPort: port(1),
      ways: LOG_USERS.map((user, way) => ({
        name: user.toUpperCase().replace('-', ''), port: port(2 + way * 2),
        advertisedPort: port(3 + way * 2),
      })),
      // None yet: users are made while the brokers run (log-users.ts).
      ...(hasLogins ? { logins: { port: port(LOGIN_PORT), passwords: {} } } : {}),
    };
  });
  const clusterId = sharedClusterId(dir, nodes);
  const proxies = await Promise.all(nodes.map(({ ways = [] }) => Promise.all(
    ways.map(({ port, advertisedPort }) => startFaultProxy(advertisedPort, port)),
  )));
  const endProxies = () => Promise.all(proxies.flat().map((proxy) => proxy.close()));
  const starting = nodes.map((node) => startKafkaNode(distribution, {
    node, cluster: nodes, clusterId, dir: brokerDir(dir, node.nodeId),
    heapMax: count === 1 ? '384m' : '256m', log: () => undefined,
  }));
  const outcomes = await Promise.allSettled(starting);
  const brokers = outcomes.flatMap((each) => each.status === 'fulfilled' ? [each.value] : []);
  const close = async (): Promise<void> => {
    await Promise.all(brokers.map((broker) => broker.stop()));
    await endProxies();
  };
  const failed = outcomes.find((each) => each.status === 'rejected');
  if (failed !== undefined) {
    await close();
    throw failed.reason;
  }
  const wayOf = (user: LogUser): number => LOG_USERS.indexOf(user);
  return {
    brokers,
    direct: nodes.map(({ port }) => `127.0.0.1:${port}`),
    logins: nodes.flatMap(({ logins }) => logins === undefined ? [] : `127.0.0.1:${logins.port}`)
      .join(','),
    addressOf: (user) => nodes
      .map(({ ways = [] }) => `127.0.0.1:${ways[wayOf(user)]?.advertisedPort ?? 0}`).join(','),
    proxiesOf: (user) => proxies.flatMap((each) => each[wayOf(user)] ?? []),
    close,
  };
}

/** Directory of a broker; its records are in `log` below it. */
export function brokerDir(dir: string, nodeId: number): string {
  return join(dir, `kafka-${nodeId}`);
}

/** The nodes of a cluster must know the same id, and each keeps it with its data. */
function sharedClusterId(dir: string, nodes: readonly KafkaNode[]): string {
  const clusterId = clusterIdOf(brokerDir(dir, 1));
  for (const { nodeId } of nodes.slice(1)) {
    const path = join(brokerDir(dir, nodeId), 'cluster-id');
    mkdirSync(dirname(path), { recursive: true });
    if (!existsSync(path)) writeFileSync(path, clusterId);
  }
  return clusterId;
}
