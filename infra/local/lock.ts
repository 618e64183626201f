import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { identify, isAlive, type ProcessIdentity } from './process-identity.ts';
import { waitFor } from './wait.ts';

/** What `tryLock` found: the lock with its release, or the live process that holds it. */
export type LockAttempt =
  | { readonly held: true; readonly release: () => void }
  | { readonly held: false; readonly holder: ProcessIdentity }

/**
 * Takes the lock file, or names its live holder. A lock whose process has ended (id and start time
 * are compared) is taken over, so a kill -9 never leaves a directory locked.
 */
export function tryLock(path: string): LockAttempt {
  const self = identify(process.pid);
  if (self === undefined) throw new Error('This launcher needs Linux: /proc is not readable.');
  const attemptsMax = 100;
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    if (create(path, self)) return { held: true, release: () => release(path, self) };
    const holder = read(path);
    if (holder !== undefined && isAlive(holder)) return { held: false, holder };
    discardStale(path, holder);
  }
  throw new Error(`The lock file ${path} cannot be taken: delete it.`);
}

/** Waits for the lock while another process holds it, at most `deadlineMs`; returns its release. */
export async function lockWhenFree(path: string, deadlineMs: number): Promise<() => void> {
  let release = (): void => {};
  const taken = (): boolean => {
    const attempt = tryLock(path);
    if (attempt.held) release = attempt.release;
    return attempt.held;
  };
  await waitFor(taken, { what: `Taking the lock ${path}`, deadlineMs, everyMs: 200 });
  return release;
}

/** Linking a finished file is atomic: no reader ever sees a lock without its owner. */
function create(path: string, self: ProcessIdentity): boolean {
  const draft = `${path}.${self.pid}.${Math.random().toString(36).slice(2)}`;
  writeFileSync(draft, JSON.stringify(self));
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function read(path: string): ProcessIdentity | undefined {
  try {
    const value = JSON.parse(readFileSync(path, 'utf8')) as Partial<ProcessIdentity>;
    const { pid, startTicks } = value;
    return pid === undefined || startTicks === undefined ? undefined : { pid, startTicks };
  } catch {
    return undefined;
  }
}

/** Moves the stale lock aside, and puts it back if a faster one had already replaced it. */
function discardStale(path: string, stale: ProcessIdentity | undefined): void {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
    const moved = read(aside);
    const same = moved?.pid === stale?.pid && moved?.startTicks === stale?.startTicks;
    if (!same) linkSync(aside, path);
  } catch {
    // Somebody else was faster; the next attempt sees the outcome.
  } finally {
    rmSync(aside, { force: true });
  }
}

function release(path: string, self: ProcessIdentity): void {
  if (read(path)?.pid === self.pid) rmSync(path, { force: true });
}
