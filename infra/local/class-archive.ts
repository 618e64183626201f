import { existsSync, rmSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { buildOnce, type Cache } from './cache.ts';
import { startChild } from './child.ts';
import { tryLock } from './lock.ts';
import type { SupervisedSpec } from './supervise.ts';
import { waitFor } from './wait.ts';

/** The program as it would be started in a throw-away directory with these JVM flags. */
export type SpecForRecording = (
  dir: string,
  jvmFlags: readonly string[],
) => Promise<SupervisedSpec>;

/** How a JVM program starts fast: with what flags now, and what to do once time allows. */
export type ClassArchive = {
  readonly jvmFlags: readonly string[];
  /** Makes the archive for later starts; present only while there is none. */
  readonly record?: (signal: AbortSignal) => Promise<void>;
};

const NICENESS = 19;

/**
 * An archive of the program's loaded classes (AppCDS) halves the CPU time of a start. It is
 * recorded once per program and Java version, in the background: a first start never waits for it.
 */
export function classArchive(
  cache: Cache,
  program: string,
  javaVersion: string,
  specFor: SpecForRecording,
): ClassArchive {
  const name = `${program}-java-${javaVersion}`;
  const archive = join(cache.dir, name, 'classes.jsa');
  if (existsSync(archive)) {
    return { jvmFlags: ['-Xshare:auto', `-XX:SharedArchiveFile=${archive}`] };
  }
  const record = async (signal: AbortSignal): Promise<void> => {
    const lock = tryLock(join(cache.dir, `${name}.recording.lock`));
    if (!lock.held) return; // another stack of this machine is at it
    const build = async (draft: string): Promise<void> => {
      const runDir = join(draft, 'run');
      const flag = `-XX:ArchiveClassesAtExit=${join(draft, 'classes.jsa')}`;
      await runToReadinessAndEnd(await specFor(runDir, [flag]), signal);
      rmSync(runDir, { recursive: true, force: true });
    };
    await buildOnce(cache, name, name, build).finally(lock.release);
  };
  return { jvmFlags: [], record };
}

/** The archive is written while the program ends in order; an abort leaves nothing behind. */
async function runToReadinessAndEnd(spec: SupervisedSpec, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const child = startChild(spec.child);
  const abort = (): void => child.kill();
  signal.addEventListener('abort', abort);
  try {
    setPriority(child.pid, NICENESS);
    await waitFor(spec.probe, {
      what: `Recording the classes of ${spec.child.name}`,
      deadlineMs: spec.readyMsMax,
      hopeless: () => child.outcome(),
    });
    child.askToEnd();
    await child.ended;
    signal.throwIfAborted();
  } finally {
    child.kill();
    await child.ended;
    signal.removeEventListener('abort', abort);
  }
}
