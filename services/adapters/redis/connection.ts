import { Cluster, Redis, type CommonRedisOptions } from 'ioredis';
import { Unavailable } from '../../kernel/unavailable.ts';
import type { Signals } from '../../kernel/signals.ts';
import type { RedisConfig } from './config.ts';

/** A connection to one Redis or to a cluster; both send any command. */
export type RedisClient = Redis | Cluster;

/**
 * Opens the connection and waits until it can be used. A command is never sent twice by the
 * library and never waits for a connection: both would answer later than the caller wants to know.
 */
export async function connect(config: RedisConfig, signals: Signals): Promise<RedisClient> {
  const client = config.cluster ? clusterClient(config) : singleClient(config);
  client.on('error', (error: Error) => {
    signals.stateConnectionFailed({ error: error.message });
  });
  client.on('ready', () => signals.stateConnectionReady());
  try {
    await whenReady(client, config.bootMsMax);
    if (config.evictionCheck) await refuseEviction(client);
    return client;
  } catch (error) {
    client.disconnect();
    throw error;
  }
}

function singleClient(config: RedisConfig): Redis {
  const address = new URL(config.url);
  return new Redis({
    ...optionsOf(config, address),
    host: address.hostname,
    port: Number(address.port || 6379),
    db: Number(address.pathname.slice(1) || 0),
    enableOfflineQueue: false,
    retryStrategy: (attempt) =>
      Math.min(config.reconnectMsMin * 2 ** Math.min(attempt, 16), config.reconnectMsMax),
  });
}

function clusterClient(config: RedisConfig): Cluster {
  const address = new URL(config.url);
  return new Cluster([{ host: address.hostname, port: Number(address.port || 6379) }], {
    enableOfflineQueue: false,
    enableReadyCheck: true,
    clusterRetryStrategy: (attempt) =>
      Math.min(config.reconnectMsMin * 2 ** Math.min(attempt, 16), config.reconnectMsMax),
    redisOptions: optionsOf(config, address),
  });
}

type SharedOptions = Pick<
  CommonRedisOptions,
  'username' | 'password' | 'protocol' | 'connectTimeout' | 'commandTimeout' | 'socketTimeout'
  | 'keepAlive' | 'noDelay' | 'enableReadyCheck' | 'enableAutoPipelining'
  | 'autoResendUnfulfilledCommands' | 'maxRetriesPerRequest' | 'maxLoadingRetryTime'
  | 'reconnectOnError'
> & { tls?: object };

function optionsOf(config: RedisConfig, address: URL): SharedOptions {
  return {
    ...(address.username === '' ? {} : { username: decodeURIComponent(address.username) }),
    ...(address.password === '' ? {} : { password: decodeURIComponent(address.password) }),
    ...(address.protocol === 'rediss:' ? { tls: {} } : {}),
    protocol: 2,
    connectTimeout: config.connectMsMax,
    commandTimeout: config.commandMsMax,
    // A dead peer must be noticed even when the network swallows everything.
    socketTimeout: config.commandMsMax + 1_000,
    keepAlive: 10_000,
    noDelay: true,
    enableReadyCheck: true,
    enableAutoPipelining: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // The library would wait up to ten seconds for what a loading server calls its remaining time.
    maxLoadingRetryTime: 100,
    // A demoted primary answers READONLY: look for the new one.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  };
}

function whenReady(client: RedisClient, bootMsMax: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      client.off('ready', ready);
      reject(new Unavailable('state_unavailable', 'boot', `Redis not ready in ${bootMsMax} ms`));
    }, bootMsMax);
    const ready = (): void => {
      clearTimeout(late);
      resolve();
    };
    client.once('ready', ready);
  });
}

/**
 * A store that may drop keys on its own would turn memory pressure into lost tokens and devices.
 */
async function refuseEviction(client: RedisClient): Promise<void> {
  const reply = await client.call('CONFIG', ['GET', 'maxmemory-policy']) as readonly string[];
  const policy = reply[1];
  if (policy === 'noeviction') return;
  throw new Unavailable(
    'state_unavailable', 'boot',
    `Redis has maxmemory-policy ${policy ?? 'unknown'}; it must be noeviction`,
  );
}
