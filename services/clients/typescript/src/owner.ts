import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SpoolInUse } from './errors.ts';

const FILE = 'owner';

/**
 * Takes a spool for this process, and gives what releases it. The file names a process by pid and
 * time of start, so that a pid which another process has now does not keep the spool.
 */
export function takeOwnership(dir: string): () => void {
  const file = join(dir, FILE);
  const own = identityOf(process.pid);
  for (;;) {
    try {
      writeFileSync(file, own, { flag: 'wx' });
      return () => { rmSync(file, { force: true }); };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const owner = readOr(file, '');
    const pid = Number(owner.split(' ')[0]);
    if (pid > 0 && identityOf(pid) === owner) {
      throw new SpoolInUse(`The process ${pid} has the spool ${dir} open.`);
    }
    rmSync(file, { force: true });
  }
}

/** Pid, time of start in ticks, and the boot; without `/proc` the pid while it runs. */
function identityOf(pid: number): string {
  const stat = readOr(`/proc/${pid}/stat`, '');
  if (stat === '') return `${pid} ${isRunning(pid) ? 'running' : 'gone'}`;
  // The name of the program, in parentheses, may contain spaces.
  const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  return `${pid} ${start} ${readOr('/proc/sys/kernel/random/boot_id', '').trim()}`;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function readOr(file: string, otherwise: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return otherwise;
  }
}
