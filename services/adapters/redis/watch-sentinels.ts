import { Redis, type CommonRedisOptions } from 'ioredis';
import type { RedisConfig } from './config.ts';

/** How to reach one Sentinel. */
export type SentinelOptions = Pick<
  CommonRedisOptions,
  'username' | 'password' | 'protocol' | 'connectTimeout' | 'keepAlive' | 'retryStrategy'
> & { readonly host: string; readonly port: number; readonly tls?: object };

const CHANNEL = '+switch-master';

/**
 * Leaves the server for the one that the Sentinels name now. While the library asks them, breaking
 * off would end the connection for good; what it connects to then is left, since the answer may be
 * from before.
 */
export function leaveServer(client: Redis): void {
  const leave = (): void => client.disconnect(true);
  if (client.status !== 'connecting') {
    leave();
    return;
  }
  client.once('connect', leave);
  client.once('close', () => client.off('connect', leave));
}

/**
 * Listens at every Sentinel and says when another server has taken over, so that the one before is
 * left at once, also when it goes on and does not know. The result ends the listening.
 */
export function watchSentinels(
  config: Pick<RedisConfig, 'sentinelPrimary'>, sentinels: readonly SentinelOptions[],
  onSwitch: () => void,
): () => void {
  const listeners = sentinels.map((options) => {
    const sentinel = new Redis({
      ...options,
      enableReadyCheck: false,
      enableOfflineQueue: true,
      maxRetriesPerRequest: null,
      autoResubscribe: true,
    });
    // One that is away is no fault while others are there; the connection itself reports none.
    sentinel.on('error', () => undefined);
    sentinel.on('message', (_, text: string) => {
      if (text.split(' ', 1)[0] === config.sentinelPrimary) onSwitch();
    });
    sentinel.subscribe(CHANNEL).catch(() => undefined);
    return sentinel;
  });
  return () => {
    for (const sentinel of listeners) sentinel.disconnect();
  };
}
