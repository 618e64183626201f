import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce, type Cache } from './cache.ts';
import type { Part } from './part.ts';

/** Starts the program in a throw-away directory with these JVM flags. */
export type StartForRecording = (dir: string, jvmFlags: readonly string[]) => Promise<Part>

/** Ending the recorded JVM writes some 60 MB of archive: slower than an ordinary end. */
export const RECORDING_STOP_MS_MAX = 60_000;

/**
 * JVM flags that use an archive of the program's loaded classes (AppCDS), recorded once per program
 * and Java version. It halves the CPU time of a start; without one the program starts all the same.
 */
export async function classArchiveFlags(
  cache: Cache,
  program: string,
  javaVersion: string,
  start: StartForRecording,
): Promise<readonly string[]> {
  const name = `${program}-java-${javaVersion}`;
  const dir = await buildOnce(cache, name, name, async (draft) => {
    const runDir = join(draft, 'run');
    const flag = `-XX:ArchiveClassesAtExit=${join(draft, 'classes.jsa')}`;
    await recordOnce(start, runDir, flag).catch((error: unknown) => {
      cache.log('warning', `no class archive for ${program}: ${(error as Error).message}`);
    });
    rmSync(runDir, { recursive: true, force: true });
  });
  const archive = join(dir, 'classes.jsa');
  return existsSync(archive) ? ['-Xshare:auto', `-XX:SharedArchiveFile=${archive}`] : [];
}

async function recordOnce(start: StartForRecording, dir: string, flag: string): Promise<void> {
  const part = await start(dir, [flag]);
  await part.stop();
}
