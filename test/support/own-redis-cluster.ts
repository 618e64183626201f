import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { freePorts } from '../../infra/local/ports.ts';
import { aclLines, redisRights, type RedisMode } from '../../infra/redis/rights.ts';
import { joinNodes, NODES, type SlotRange } from './join-nodes.ts';
import { startOwnRedis, type OwnRedis } from './own-redis.ts';

/** How long a primary of the cluster may be silent before a replica takes over. */
export const NODE_TIMEOUT_MS = 1_500;

/** A node of the cluster, with its name there. */
export interface ClusterNode extends OwnRedis {
  readonly id: string;
}

/** A cluster of three primaries and three replicas, each a process of its own. */
export interface OwnRedisCluster {
  readonly nodes: readonly ClusterNode[];
  /** How a service logs in, at the first node. */
  urlOf(user: 'gateways' | 'workers'): string;
  /** The node that answers for a key now, and its replica. */
  pairOf(key: string): Promise<readonly [ClusterNode, ClusterNode]>;
  /** Forgets every key. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Lines of users for the servers of a test: those of the services, and one for the test itself. */
export function usersOf(mode: RedisMode): string {
  const hashOf = (user: string): string => createHash('sha256').update(user).digest('hex');
  return ['user default on nopass ~* &* +@all', ...aclLines(redisRights(mode), hashOf), '']
    .join('\n');
}

/** Starts the six processes and joins them. */
export async function startOwnRedisCluster(): Promise<OwnRedisCluster> {
  const dir = mkdtempSync(join(tmpdir(), 'rastro-users-'));
  const usersFile = join(dir, 'users.acl');
  writeFileSync(usersFile, usersOf('cluster'));
  const busPorts = await freePorts(NODES);
  const servers = await Promise.all(busPorts.map((busPort) => startOwnRedis(
    '--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1', '--cluster-port', `${busPort}`,
    '--cluster-node-timeout', `${NODE_TIMEOUT_MS}`, '--aclfile', usersFile,
    '--masteruser', 'replica', '--masterauth', 'replica',
    '--repl-diskless-sync-delay', '0',
  )));
  const ids = await Promise.all(servers.map(({ raw }) => raw.call('CLUSTER', 'MYID')));
  const nodes = servers.map((server, at) => ({ ...server, id: String(ids[at]) }));
  await joinNodes(nodes, busPorts);

  const nodeAt = (port: number): ClusterNode => {
    const found = nodes.find(({ url }) => new URL(url).port === String(port));
    if (found === undefined) throw new Error(`No node of the cluster has the port ${port}.`);
    return found;
  };
  return {
    nodes,
    urlOf: (user) => (nodes[0]?.url ?? '').replace('//', `//${user}:${user}@`),
    pairOf: async (key) => {
      const asked = nodes.find(({ raw }) => raw.status === 'ready');
      const slot = await asked?.raw.call('CLUSTER', 'KEYSLOT', key) as number;
      const ranges = await asked?.raw.call('CLUSTER', 'SLOTS') as readonly SlotRange[];
      const [, , primary, replica] =
        ranges.find(([first, last]) => first <= slot && slot <= last) ?? [];
      return [nodeAt(primary?.[1] ?? 0), nodeAt(replica?.[1] ?? 0)];
    },
    flush: async () => {
      for (const { raw } of nodes) {
        if (raw.status === 'ready' && await isPrimary(raw)) await raw.flushall();
      }
    },
    close: async () => {
      await Promise.all(nodes.map((node) => node.close()));
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function isPrimary(raw: Redis): Promise<boolean> {
  return (await raw.info('replication')).includes('role:master');
}
