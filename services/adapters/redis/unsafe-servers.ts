import type { Redis } from 'ioredis';
import { Unavailable } from '../../kernel/unavailable.ts';
import type { RedisConfig } from './config.ts';

/**
 * Refuses servers on which an answer could be worth nothing. One that may drop keys on its own
 * would turn memory pressure into lost tokens and devices. One that goes on answering after another
 * took over would admit what was denied there.
 */
export async function refuseUnsafeServers(
  config: Pick<RedisConfig, 'cluster' | 'sentinels' | 'silentMsMax'>, servers: readonly Redis[],
): Promise<void> {
  for (const server of servers) {
    const policy = await read(server, 'maxmemory-policy');
    insist(
      policy === 'noeviction',
      `Redis has maxmemory-policy ${policy ?? 'unknown'}; it must be noeviction`,
    );
    if (config.cluster) {
      const ms = Number(await read(server, 'cluster-node-timeout'));
      insist(
        ms > config.silentMsMax,
        `Redis has cluster-node-timeout ${ms}; it must be above ${config.silentMsMax}, the time`
        + ' after which a silent server is left (RASTRO_REDIS_SILENT_MS_MAX)',
      );
    }
    if (config.sentinels.length > 0) {
      const replicas = Number(await read(server, 'min-replicas-to-write'));
      insist(
        replicas >= 1,
        'Redis under Sentinels has min-replicas-to-write 0; it must be at least 1, else a primary'
        + ' that is cut off from the others goes on answering after one of them took over',
      );
    }
  }
}

async function read(server: Redis, name: string): Promise<string | undefined> {
  const reply = await server.call('CONFIG', ['GET', name]) as readonly string[];
  return reply[1];
}

function insist(isSafe: boolean, text: string): void {
  if (!isSafe) throw new Unavailable('state_unavailable', 'boot', text);
}
