import { Cluster, Redis, type CommonRedisOptions } from 'ioredis';
import { Unavailable } from '../../kernel/unavailable.ts';
import type { Signals } from '../../kernel/signals.ts';
import type { RedisConfig } from './config.ts';
import { leaveSilentServers, pauseBetweenPings } from './silence.ts';
import { refuseUnsafeServers } from './unsafe-servers.ts';
import { leaveServer, watchSentinels, type SentinelOptions } from './watch-sentinels.ts';

/** A connection to one Redis or to a cluster; both send any command. */
export type RedisClient = Redis | Cluster;

/** The servers that answer for the state now: one, or the primaries of a cluster. */
export function primariesOf(client: RedisClient): readonly Redis[] {
  return 'nodes' in client ? client.nodes('master') : [client];
}

/**
 * Opens the connection and waits until it can be used. A command is never sent twice by the
 * library and never waits for a connection: both would answer later than the caller wants to know.
 */
export async function connect(config: RedisConfig, signals: Signals): Promise<RedisClient> {
  const client = config.cluster ? clusterClient(config) : serverClient(config);
  client.on('error', (error: Error) => {
    signals.stateConnectionFailed({ error: error.message });
  });
  client.on('ready', () => signals.stateConnectionReady());
  try {
    await whenReady(client, config.bootMsMax);
    if (config.evictionCheck) await refuseUnsafeServers(config, primariesOf(client));
    if (mayBeReplaced(config)) {
      client.once('end', leaveSilentServers(() => primariesOf(client), config));
    }
    if (client instanceof Redis && config.sentinels.length > 0) {
      client.once('end', watchSentinels(config, sentinelsOf(config), () => leaveServer(client)));
    }
    return client;
  } catch (error) {
    client.disconnect();
    throw error;
  }
}

/** True where another server may take over from the one that answers. */
function mayBeReplaced({ cluster, sentinels }: RedisConfig): boolean {
  return cluster || sentinels.length > 0;
}

/** One server: that of the address, or the one that the Sentinels name. */
function serverClient(config: RedisConfig): Redis {
  const address = new URL(config.url);
  const options = {
    ...optionsOf(config, address),
    db: Number(address.pathname.slice(1) || 0),
    enableOfflineQueue: false,
    retryStrategy: retryIn(config),
  };
  if (config.sentinels.length === 0) return new Redis({ ...options, ...hostOf(address.host) });
  const { sentinelUsername, sentinelPassword } = config;
  return new Redis({
    ...options,
    sentinels: config.sentinels.map(hostOf),
    name: config.sentinelPrimary,
    role: 'master',
    ...(sentinelUsername === undefined ? {} : { sentinelUsername }),
    ...(sentinelPassword === undefined ? {} : { sentinelPassword }),
    ...(options.tls === undefined ? {} : {
      enableTLSForSentinelMode: true, sentinelTLS: options.tls,
    }),
    sentinelCommandTimeout: config.connectMsMax,
    sentinelRetryStrategy: retryIn(config),
    updateSentinels: true,
    // What the library has for it writes to the console when a Sentinel is away.
    failoverDetector: false,
  });
}

/** How to reach each Sentinel on its own. */
function sentinelsOf(config: RedisConfig): readonly SentinelOptions[] {
  const { sentinelUsername: username, sentinelPassword: password } = config;
  const { tls } = optionsOf(config, new URL(config.url));
  return config.sentinels.map((sentinel) => ({
    ...hostOf(sentinel),
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(tls === undefined ? {} : { tls }),
    protocol: 2,
    connectTimeout: config.connectMsMax,
    keepAlive: 10_000,
    retryStrategy: retryIn(config),
  }));
}

function clusterClient(config: RedisConfig): Cluster {
  const address = new URL(config.url);
  return new Cluster([address.host, ...config.clusterNodes].map(hostOf), {
    enableOfflineQueue: false,
    enableReadyCheck: true,
    clusterRetryStrategy: retryIn(config),
    // What was sent to a node that is gone may have been done there.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    redisOptions: optionsOf(config, address),
  });
}

function hostOf(address: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(`redis://${address}`);
  return { host: hostname, port: Number(port || 6379) };
}

function retryIn(config: RedisConfig): (attempt: number) => number {
  return (attempt) =>
    Math.min(config.reconnectMsMin * 2 ** Math.min(attempt, 16), config.reconnectMsMax);
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
    ...(address.protocol === 'rediss:' ? { tls: { ...config.tls } } : {}),
    protocol: 2,
    connectTimeout: config.connectMsMax,
    commandTimeout: config.commandMsMax,
    // A dead peer must be noticed even when the network swallows everything.
    socketTimeout: mayBeReplaced(config)
      ? config.silentMsMax - pauseBetweenPings(config) : config.commandMsMax + 1_000,
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
    let why = '';
    const recordReason = (error: Error): void => { why = `: ${error.message}`; };
    for (const event of ['error', 'node error']) client.on(event, recordReason);
    const late = setTimeout(() => {
      client.off('ready', ready);
      const text = `Redis not ready in ${bootMsMax} ms${why}`;
      reject(new Unavailable('state_unavailable', 'boot', text));
    }, bootMsMax);
    const ready = (): void => {
      clearTimeout(late);
      for (const event of ['error', 'node error']) client.off(event, recordReason);
      resolve();
    };
    client.once('ready', ready);
  });
}
