import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lockWhenFree } from './lock.ts';
import type { Log } from './part.ts';

/** The download cache: its directory and how long one may wait for another process's download. */
export type Cache = { readonly dir: string; readonly log: Log; readonly waitMsMax: number }

/** Maven keeps one local repository for all: the builds that use it take turns under this lock. */
export const MAVEN_LOCK = 'maven';

/**
 * The directory `name` in the cache, made once: built under a temporary name and renamed when
 * complete, so a crash or a second process never leaves or sees half of it.
 */
export async function buildOnce(
  cache: Cache,
  name: string,
  lock: string,
  build: (dir: string) => Promise<void>,
): Promise<string> {
  const finished = join(cache.dir, name);
  if (existsSync(finished)) return finished;
  mkdirSync(cache.dir, { recursive: true });
  const release = await lockWhenFree(join(cache.dir, `${lock}.lock`), cache.waitMsMax);
  try {
    if (existsSync(finished)) return finished;
    removeAbandoned(cache.dir, name);
    const draft = join(cache.dir, `${name}.tmp-${process.pid}`);
    mkdirSync(draft, { recursive: true });
    cache.log('info', `bringing ${name} (once) into ${cache.dir}`);
    const startedAt = Date.now();
    await build(draft);
    renameSync(draft, finished);
    cache.log('info', `${name} is there after ${Date.now() - startedAt} ms`);
    return finished;
  } finally {
    removeAbandoned(cache.dir, name);
    release();
  }
}

/** Under the lock every draft of that name is left over from a process that ended. */
function removeAbandoned(dir: string, name: string): void {
  for (const entry of readdirSync(dir)) {
    if (entry.startsWith(`${name}.tmp-`)) rmSync(join(dir, entry), { recursive: true, force: true });
  }
}
