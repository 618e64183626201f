import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir, type OnClose } from '../../../infra/local/processes/start-platform.ts';
import { probeRedis } from '../../../infra/local/probes.ts';
import { redisProgram } from '../../../infra/local/redis.ts';
import { redisUsersFile } from '../../../infra/local/service-users.ts';
import { supervise } from '../../../infra/local/supervise.ts';
import type { RedisMode, RedisUser } from '../../../infra/redis/rights.ts';
import { openLine, type StateServer } from './cluster-state.ts';

/** Passwords of all users of the servers. */
export type StatePasswords = Readonly<Record<RedisUser, string>>;

/** What the servers of one state store share. */
export interface ServerSpec {
  readonly dir: string;
  readonly program: string;
  readonly passwords: StatePasswords;
  readonly onClose: OnClose;
}

/** One server: where it listens, and the lines of its file that are its own. */
export interface OwnLines {
  readonly name: string;
  readonly port: number;
  readonly mode: Exclude<RedisMode, 'single'>;
  readonly lines: readonly string[];
}

const READY_MS_MAX = 30_000;
const STOP_MS_MAX = 5_000;

/** What every server of a state store with replicas needs, with new passwords. */
export async function serverSpec(dir: string, onClose: OnClose): Promise<ServerSpec> {
  const program = await redisProgram({
    dir: cacheDir(), log: () => undefined, waitMsMax: 900_000,
  });
  const secret = (): string => randomBytes(24).toString('base64url');
  return {
    dir, program, onClose, passwords: {
      gateways: secret(), workers: secret(), replica: secret(), sentinel: secret(),
      watcher: secret(), operator: secret(), joiner: secret(),
    },
  };
}

/** Starts a supervised server that others may replace, with the users of its mode. */
export function startServer(spec: ServerSpec, own: OwnLines): Promise<StateServer> {
  const { passwords } = spec;
  return startWith(spec, own, redisUsersFile(passwords, own.mode), [], [
    'appendonly yes', 'appendfsync everysec', 'save ""', 'maxmemory 256mb',
    'maxmemory-policy noeviction', 'repl-diskless-sync-delay 0', 'masteruser replica',
    `masterauth ${passwords.replica}`, ...own.lines,
  ]);
}

/** Starts a program of Redis from a file of its own, which it may write again. */
export async function startWith(
  { dir, program, onClose }: ServerSpec, { name, port }: Pick<OwnLines, 'name' | 'port'>,
  users: string, words: readonly string[], lines: readonly string[],
): Promise<StateServer> {
  const own = join(dir, 'stack', name);
  mkdirSync(own, { recursive: true });
  const [usersFile, file] = [join(own, 'users.acl'), join(own, 'server.conf')];
  writeFileSync(usersFile, users, { mode: 0o600 });
  writeFileSync(file, [
    `port ${port}`, 'bind 127.0.0.1', `dir ${own}`, `aclfile ${usersFile}`, 'daemonize no',
    ...lines, '',
  ].join('\n'), { mode: 0o600 });
  const url = `redis://127.0.0.1:${port}`;
  const part = await supervise({
    child: { name, dir: own, command: program, args: [file, ...words], stopBy: 'SIGTERM' },
    probe: () => probeRedis(url), readyMsMax: READY_MS_MAX, stopMsMax: STOP_MS_MAX,
    log: () => undefined,
  });
  onClose(() => part.stop());
  return { part, url, raw: openLine(url, onClose) };
}

/** Waits for all before it rejects, so that each server that runs has its end. */
export async function allStarted<T>(starting: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(starting);
  return Promise.all(starting);
}
