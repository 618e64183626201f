import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Keeps the subject on one core and all others on the rest, where there is more than one. */
export function pinApart(subject: readonly number[], others: readonly number[]): boolean {
  const cores = availableParallelism();
  if (cores < 2) return false;
  try {
    for (const pid of subject) pin(pid, '0');
    for (const pid of others) pin(pid, `1-${cores - 1}`);
    return true;
  } catch {
    return false;
  }
}

function pin(pid: number, cores: string): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)], {
    stdio: 'ignore',
  });
}
