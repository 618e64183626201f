import {
  cacheDir, type Interposed, type OnClose,
} from '../../../infra/local/processes/start-platform.ts';
import { startFaultProxy, type FaultProxy } from './fault-proxy.ts';
import { startClusterLog, type ClusterLog, type LogUser } from './cluster-log.ts';
import type { ClusterPorts } from './cluster-ports.ts';
import type { ClusterSecrets } from './cluster-processes.ts';
import type { ClusterOptions } from './cluster-options.ts';
import type { ReplicatedState } from '../state/cluster-state.ts';
import { startRedisCluster } from '../state/redis-cluster.ts';
import { startSentinels } from '../state/sentinels.ts';
import { loginEnv } from './log-users.ts';

/** The log and what can be cut between the processes and their parts. */
export interface ClusterProxies {
  readonly log: ClusterLog;
  /** None before a state store of several servers, whose addresses its clients learn from it. */
  readonly redisProxies: Readonly<Partial<Record<LogUser, FaultProxy>>>;
  readonly clickhouseProxy: FaultProxy;
  /** The state store, where it has several servers. */
  readonly replicated: ReplicatedState | undefined;
}

/** Ports of the parts in the block of a cluster, above those of three brokers. */
export const PORT = { redis: 40, clickhouse: 42, registry: 44, proxies: 46 };

/** The log with its proxies, and proxies before the state store and the tables. */
export async function interpose(
  dir: string, ports: ClusterPorts, options: ClusterOptions, { logPasswords }: ClusterSecrets,
  onClose: OnClose,
): Promise<Interposed & ClusterProxies> {
  const log = await startClusterLog(dir, ports, {
    count: options.brokers ?? 1, hasLogins: options.hasLogins === true,
  }, {
    dir: cacheDir(), log: () => undefined, waitMsMax: 900_000,
  });
  onClose(() => log.close());
  const replicated = await replicatedState(dir, ports, options, onClose);
  const proxies = await openProxies(ports, options, onClose);
  const { redisProxies, clickhouseProxy } = proxies;
  return {
    log, ...proxies, replicated, env: { KAFKA_BROKERS: log.direct.join(',') },
    waysOf({ name, kind }, env) {
      const role = kind === 'gateways' ? 'gateways' : 'workers';
      const REDIS_URL = role === 'gateways' ? env.REDIS_GATEWAYS_URL : env.REDIS_WORKERS_URL;
      if (options.hasLogins === true) {
        return { access: {
          ...loginEnv({ name: role, password: logPasswords[role] }),
          KAFKA_BROKERS: log.logins, REDIS_URL,
        } };
      }
      if (options.isDirect === true) {
        return { access: { KAFKA_BROKERS: log.direct.join(','), REDIS_URL } };
      }
      const user = userOf(name);
      return {
        env: { CLICKHOUSE_URL: `http://127.0.0.1:${clickhouseProxy.port}` },
        access: {
          KAFKA_BROKERS: log.addressOf(user),
          ...(replicated?.accessOf(kind === 'gateways' ? 'gateways' : 'workers')
            ?? { REDIS_URL: `redis://127.0.0.1:${redisProxies[user]?.port ?? 0}` }),
        },
      };
    },
  };
}

/** True for a state store of several servers. */
export function isReplicated({ state = 'single' }: ClusterOptions): boolean {
  return state !== 'single';
}

/** By whose way a process reaches its parts; a second live gateway goes that of the workers. */
function userOf(name: string): LogUser {
  if (name === 'gateway-live') return 'live';
  return name === 'gateway-1' || name === 'gateway-2' ? name : 'workers';
}

async function replicatedState(
  dir: string, ports: ClusterPorts, { state = 'single' }: ClusterOptions, onClose: OnClose,
): Promise<ReplicatedState | undefined> {
  switch (state) {
    case 'single': return undefined;
    case 'sentinel': return startSentinels(dir, ports, onClose);
    case 'cluster': return startRedisCluster(dir, ports, onClose);
  }
}

async function openProxies(
  ports: ClusterPorts, options: ClusterOptions, onClose: OnClose,
): Promise<Pick<ClusterProxies, 'redisProxies' | 'clickhouseProxy'>> {
  const open = async (at: number, target: number): Promise<FaultProxy> => {
    const proxy = await startFaultProxy(ports.at(PORT.proxies + at), ports.at(target));
    onClose(() => proxy.close());
    return proxy;
  };
  const clickhouseProxy = await open(3, PORT.clickhouse);
  if (isReplicated(options)) return { redisProxies: {}, clickhouseProxy };
  const [first, second, workers, live] = await Promise.all(
    [0, 1, 2, 4].map((at) => open(at, PORT.redis)),
  );
  if (!first || !second || !workers || !live) throw new Error('A proxy is missing.');
  return {
    redisProxies: { 'gateway-1': first, 'gateway-2': second, workers, live }, clickhouseProxy,
  };
}
