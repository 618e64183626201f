import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** A process that carries the mark of a run. */
export interface Leftover {
  readonly pid: number;
  readonly command: string;
}

/**
 * The processes born under `mark` (a `NAME=value` of their environment) and still alive.
 * The environment is inherited by detached grandchildren too, which a parent's id is not.
 */
export function markedProcesses(mark: string): Leftover[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      if (!readProc(name, 'environ').split('\0').includes(mark)) return [];
      const command = readProc(name, 'cmdline').replaceAll('\0', ' ').trim();
      return [{ pid: Number(name), command }];
    });
}

/**
 * Waits up to `graceMsMax` for the marked processes to end, then kills the rest,
 * so that a machine is left as it was found. Answers those that had to be killed.
 */
export async function clearLeftovers(mark: string, graceMsMax: number): Promise<Leftover[]> {
  const endMs = performance.now() + graceMsMax;
  let alive = markedProcesses(mark);
  while (alive.length > 0 && performance.now() < endMs) {
    await delay(100);
    alive = markedProcesses(mark);
  }
  for (const { pid } of alive) kill(pid);
  return alive;
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // It ended meanwhile, or belongs to another user.
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended between the look and the kill, which is all that was wanted.
  }
}
