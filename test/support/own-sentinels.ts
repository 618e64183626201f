import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { vi } from 'vitest';
import { freePorts } from '../../infra/local/ports.ts';
import { aclLines, sentinelRights } from '../../infra/redis/rights.ts';
import { ownRedisProgram, startOwnRedis, type OwnRedis } from './own-redis.ts';
import { usersOf } from './own-redis-cluster.ts';

/** What the Sentinels call the servers. */
export const PRIMARY_NAME = 'rastro';

/** How long a primary may be silent before the Sentinels replace it. */
export const DOWN_AFTER_MS = 1_500;

const SENTINELS = 3;
const WAIT = { timeout: 20_000, interval: 20 };

/** A primary and two replicas under three Sentinels, each a process of its own. */
export interface OwnSentinels {
  readonly servers: readonly OwnRedis[];
  /** Addresses of the Sentinels. */
  readonly sentinels: readonly string[];
  /** How a service logs in at whichever server is the primary. */
  urlOf(user: 'gateways' | 'workers'): string;
  /** The server that the Sentinels name. */
  primary(): Promise<OwnRedis>;
  /** Forgets every key. */
  flush(): Promise<void>;
  /** Ends one Sentinel as a crash does. */
  killSentinel(at: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts all six processes and waits until they know each other. */
export async function startOwnSentinels(): Promise<OwnSentinels> {
  const dir = mkdtempSync(join(tmpdir(), 'rastro-sentinels-'));
  const usersFile = join(dir, 'users.acl');
  writeFileSync(usersFile, usersOf('sentinel'));
  const server = (...args: readonly string[]): Promise<OwnRedis> => startOwnRedis(
    '--aclfile', usersFile, '--masteruser', 'replica', '--masterauth', 'replica',
    '--repl-diskless-sync-delay', '0',
    // A primary that hears from no replica answers no call that may write.
    '--min-replicas-to-write', '1', '--min-replicas-max-lag', '1', ...args,
  );
  const first = await server();
  const port = new URL(first.url).port;
  const replicas = await Promise.all([1, 2].map(() => server('--replicaof', '127.0.0.1', port)));
  const servers = [first, ...replicas];
  for (const { raw } of replicas) {
    await vi.waitFor(async () => {
      if (!(await raw.info('replication')).includes('master_link_status:up')) throw new Error();
    }, WAIT);
  }
  const ports = await freePorts(SENTINELS);
  const sentinels = await Promise.all(ports.map((at) => startSentinel(dir, at, port)));
  const asked = sentinels.map(({ raw }) => raw);
  for (const raw of asked) await vi.waitFor(() => insistAllKnown(raw), WAIT);
  return {
    servers,
    sentinels: ports.map((at) => `127.0.0.1:${at}`),
    // Sentinels say where the primary is, so the address names no server.
    urlOf: (user) => `redis://${user}:${user}@sentinels`,
    primary: async () => {
      const raw = asked.find(({ status }) => status === 'ready');
      const found = await raw?.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', PRIMARY_NAME) as string[];
      const named = servers.find(({ url }) => new URL(url).port === found[1]);
      if (named === undefined) throw new Error('The Sentinels name no server of this test.');
      return named;
    },
    flush: async () => { await first.raw.flushall(); },
    killSentinel: async (at) => { await sentinels[at]?.kill(); },
    close: async () => {
      for (const raw of asked) raw.disconnect();
      await Promise.all(sentinels.map(({ kill }) => kill()));
      await Promise.all(servers.map((each) => each.close()));
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function startSentinel(dir: string, port: number, primaryPort: string): Promise<{
  readonly raw: Redis; readonly kill: () => Promise<void>;
}> {
  const hashOf = (user: string): string => createHash('sha256').update(user).digest('hex');
  const usersFile = join(dir, `sentinel-${port}.acl`);
  writeFileSync(usersFile, [
    'user default on nopass ~* &* +@all', ...aclLines(sentinelRights(), hashOf), '',
  ].join('\n'));
  const file = join(dir, `sentinel-${port}.conf`);
  writeFileSync(file, [
    `port ${port}`, 'bind 127.0.0.1', `dir ${dir}`, `aclfile ${usersFile}`,
    `sentinel monitor ${PRIMARY_NAME} 127.0.0.1 ${primaryPort} 2`,
    `sentinel down-after-milliseconds ${PRIMARY_NAME} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${PRIMARY_NAME} 6000`,
    `sentinel auth-user ${PRIMARY_NAME} sentinel`, `sentinel auth-pass ${PRIMARY_NAME} sentinel`,
    '',
  ].join('\n'));
  const child = spawn(await ownRedisProgram(), [file, '--sentinel'], { stdio: 'ignore' });
  const raw = new Redis({
    host: '127.0.0.1', port, maxRetriesPerRequest: null, retryStrategy: () => 25,
  });
  // Connection errors are expected until it listens, and once it is killed.
  raw.on('error', () => undefined);
  return { raw, kill: () => end(child) };
}

async function insistAllKnown(raw: Redis): Promise<void> {
  const others = await raw.call('SENTINEL', 'SENTINELS', PRIMARY_NAME) as readonly unknown[];
  const replicas = await raw.call('SENTINEL', 'REPLICAS', PRIMARY_NAME) as readonly unknown[];
  if (others.length < SENTINELS - 1 || replicas.length < 2) throw new Error('not all are known');
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
