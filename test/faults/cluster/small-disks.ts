import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What has a small disk of its own. */
export type DiskName = 'log' | 'tables';

const BYTES = { log: '192m', tables: '256m' };
const CHUNK = Buffer.alloc(1_048_576);

/** Mounts both disks before anything is on them, and answers how to take them away again. */
export function mountSmallDisks(dir: string): () => void {
  const names: readonly DiskName[] = ['log', 'tables'];
  for (const name of names) {
    mkdirSync(diskOf(dir, name), { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${BYTES[name]}`, 'none', diskOf(dir, name)]);
  }
  return () => {
    for (const name of names) execFileSync('umount', ['--lazy', diskOf(dir, name)]);
  };
}

/** Writes until nothing more fits. */
export function fillDisk(dir: string, name: DiskName): void {
  const isFull = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOSPC';
  try {
    for (;;) writeFileSync(ballastOf(dir, name), CHUNK, { flag: 'a' });
  } catch (error) {
    if (!isFull(error)) throw error;
  }
}

/** Gives back what `fillDisk` took. */
export function freeDisk(dir: string, name: DiskName): void {
  rmSync(ballastOf(dir, name), { force: true });
}

function ballastOf(dir: string, name: DiskName): string {
  return join(diskOf(dir, name), 'ballast');
}

function diskOf(dir: string, name: DiskName): string {
  return name === 'log' ? join(dir, 'kafka-1', 'log') : join(dir, 'stack', 'clickhouse');
}
