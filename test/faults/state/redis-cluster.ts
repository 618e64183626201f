import type { OnClose } from '../../../infra/local/processes/start-platform.ts';
import type { ClusterPorts } from '../cluster/cluster-ports.ts';
import { joinNodes, NODES, type SlotRange } from '../../support/join-nodes.ts';
import type { ReplicatedState, StateServer } from './cluster-state.ts';
import { allStarted, serverSpec, startServer } from './replicated-state.ts';

/** As docs/how-to/deploy.md says: longer than a silent server is left. */
const NODE_TIMEOUT_MS = 1_500;
const NODE_PORT = 30;
const BUS_PORT = 50;

/** Starts a Redis Cluster of six processes with the users of the services. */
export async function startRedisCluster(
  dir: string, ports: ClusterPorts, onClose: OnClose,
): Promise<ReplicatedState> {
  const spec = await serverSpec(dir, onClose);
  const busPorts = Array.from({ length: NODES }, (_, at) => ports.at(BUS_PORT + at));
  const servers = await allStarted(busPorts.map((busPort, at) => startServer(spec, {
    name: `redis-${at + 1}`, port: ports.at(NODE_PORT + at), mode: 'cluster', lines: [
      'cluster-enabled yes', 'cluster-announce-ip 127.0.0.1', `cluster-port ${busPort}`,
      `cluster-node-timeout ${NODE_TIMEOUT_MS}`,
    ],
  })));
  const ids = await Promise.all(servers.map(({ raw }) => raw.call('CLUSTER', 'MYID')));
  await joinNodes(servers.map((server, at) => ({ ...server, id: String(ids[at]) })), busPorts);
  return {
    mode: 'cluster', servers, primaries: () => primariesOf(servers),
    accessOf: (role) => ({
      REDIS_URL: (servers[0]?.url ?? '').replace('//', `//${role}:${spec.passwords[role]}@`),
      RASTRO_REDIS_CLUSTER: 'true',
      RASTRO_REDIS_CLUSTER_NODES: servers.slice(1).map(({ url }) => new URL(url).host).join(','),
    }),
  };
}

async function primariesOf(servers: readonly StateServer[]): Promise<readonly StateServer[]> {
  const asked = servers.find(({ part, raw }) => part.pid() !== undefined && raw.status === 'ready');
  if (asked === undefined) return [];
  const ranges = await asked.raw.call('CLUSTER', 'SLOTS') as readonly SlotRange[];
  const ports = new Set(ranges.map(([, , [, port]]) => String(port)));
  return servers.filter(({ url }) => ports.has(new URL(url).port));
}
