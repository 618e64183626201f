import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Redis } from 'ioredis';
import { freePorts } from '../../infra/local/ports.ts';
import { redisProgram } from '../../infra/local/redis.ts';

const CACHE_DIR = resolve(import.meta.dirname, '..', '..', '.rastro', 'cache');
const READY_MS_MAX = 20_000;

/** A Redis that one test may break. */
export interface OwnRedis {
  readonly url: string;
  /** A connection for the test itself. */
  readonly raw: Redis;
  /** Starts the server again after {@link OwnRedis.kill}, on the same port, with its data. */
  start(): Promise<void>;
  /** Ends the server as a crash does. */
  kill(): Promise<void>;
  /** Stops the server in its tracks, or lets it go on. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** Ends everything and removes the data. */
  close(): Promise<void>;
}

/** The program of the servers of tests. */
export function ownRedisProgram(): Promise<string> {
  return redisProgram({
    dir: process.env['RASTRO_CACHE_DIR'] ?? CACHE_DIR, log: () => undefined, waitMsMax: 60_000,
  });
}

/** Starts a server of the test's own with further arguments, in a directory of its own. */
export async function startOwnRedis(...args: readonly string[]): Promise<OwnRedis> {
  const program = await ownRedisProgram();
  const dir = mkdtempSync(join(tmpdir(), 'rastro-redis-'));
  const [port = 0] = await freePorts(1);
  const raw = new Redis({
    host: '127.0.0.1', port, lazyConnect: true, maxRetriesPerRequest: null,
    retryStrategy: () => 25,
  });
  // Connection errors are expected while the server is down.
  raw.on('error', () => undefined);
  let server: ReturnType<typeof spawn> | undefined;

  async function start(): Promise<void> {
    server = spawn(program, [
      ...['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', ''],
      ...['--appendonly', 'yes', '--appendfsync', 'everysec', ...args],
    ], { stdio: 'ignore' });
    if (raw.status === 'wait') raw.connect().catch(() => undefined);
    if (!await isReady(raw)) {
      await kill();
      throw new Error(`The Redis of this test was not ready in ${READY_MS_MAX} ms.`);
    }
    if (!(await raw.info('server')).includes(`process_id:${server.pid ?? 0}\r`)) {
      await kill();
      throw new Error(`Another server answers on the port ${port} of this test.`);
    }
  }

  async function kill(): Promise<void> {
    if (server === undefined || server.exitCode !== null) return;
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    await gone;
    server = undefined;
  }

  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    raw,
    start,
    kill,
    signal: (name) => { server?.kill(name); },
    close: async () => {
      raw.disconnect();
      await kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function isReady(raw: Redis): Promise<boolean> {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(false), READY_MS_MAX);
    raw.once('ready', () => {
      clearTimeout(late);
      resolve(true);
    });
  });
}
