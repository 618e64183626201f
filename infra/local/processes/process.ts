import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Log, Part } from '../part.ts';
import { supervise } from '../supervise.ts';

/** The deployables that run as processes of their own. */
export type ProcessKind = 'gateways' | 'workers' | 'provider';

/** What a process runs as. */
export interface Release {
  /** Directory of the product's code: this tree, a changed copy or another commit. */
  readonly productDir: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What one process is started with. */
export interface ProcessSpec extends Release {
  readonly name: string;
  readonly kind: ProcessKind;
  /** Its words: the rooms of a gateway, the workers of a process of workers. */
  readonly runs: readonly string[];
  /** Folder of its output. */
  readonly dir: string;
  /** Where it answers operators; `readyPath` answers 200 once it can do its work. */
  readonly adminUrl: string;
  readonly readyPath: string;
  /** A module that is loaded before the product. */
  readonly preload?: string | undefined;
  /** As of `nice`; 0 unless given. */
  readonly niceness?: number;
  readonly limits: ProcessLimits;
  readonly log: Log;
}

/** Limits of a process, in milliseconds. */
export interface ProcessLimits {
  readonly readyMsMax: number;
  readonly stopMsMax: number;
}

/** A supervised process of the product: started again after a crash, as by any orchestrator. */
export interface ProductProcess {
  readonly name: string;
  readonly kind: ProcessKind;
  readonly runs: readonly string[];
  readonly dir: string;
  readonly part: Part;
  readonly adminUrl: string;
  /** Code and further settings from its next start on; what is not said stays. */
  change(next: Partial<Release>): void;
  /** What it runs as, from its next start on where that was changed. */
  release(): Release;
  /**
   * Ends it and keeps it away, as when there shall be fewer of its kind. `end` is asked to end the
   * process of this id where the supervisor shall not do it.
   */
  leave(end?: (pid: number) => Promise<unknown>): Promise<void>;
  /** Starts it again after it left. */
  comeBack(): Promise<void>;
  isAway(): boolean;
  /** Starts so far; the first counts. */
  lives(): number;
}

/** The tree that this file belongs to. */
export const ROOT_DIR = resolve(import.meta.dirname, '..', '..', '..');

/** Variables of this machine that a process may see; everything else it is given by name. */
const PASSED_ON = [
  'PATH', 'HOME', 'LANG', 'TZ', 'NODE_COMPILE_CACHE', 'RASTRO_KAFKA_CLIENT',
  'RASTRO_KAFKA_OWN_BATCHES', 'RASTRO_LOG_LEVEL', 'RASTRO_TEST_RUN', 'RASTRO_TRACES',
] as const;

/**
 * Starts a process of the product and resolves once it is ready. `kill` of its part is `kill -9`,
 * after which it is started again; `stop` is SIGTERM. It dies with this process.
 */
export async function startProcess(spec: ProcessSpec): Promise<ProductProcess> {
  const { name, kind, dir, runs, adminUrl, preload } = spec;
  mkdirSync(dir, { recursive: true });
  let release: Release = { productDir: spec.productDir, env: spec.env };
  let lives = 0;
  let isAway = false;
  const part = await supervise({
    child: {
      name, dir,
      command: process.execPath,
      // Read at each start, so that a change holds from the next one on.
      get args() {
        const main = join(release.productDir, 'services', kind, 'main.ts');
        return [...(preload === undefined ? [] : ['--import', preload]), main, ...runs];
      },
      get env() {
        return { ...passedOn(), ...release.env };
      },
      stopBy: 'SIGTERM',
      niceness: spec.niceness ?? 0,
    },
    prepare: () => {
      // The supervisor would start it again, because it did not end it.
      if (isAway) throw new Error(`${name} is kept away.`);
      lives += 1;
    },
    probe: () => answersOk(adminUrl + spec.readyPath),
    ...spec.limits,
    log: spec.log,
  });
  return {
    name, kind, runs, dir, part, adminUrl,
    change(next) {
      release = { ...release, ...next, env: { ...release.env, ...next.env } };
    },
    release: () => release,
    async leave(end) {
      const pid = part.pid();
      isAway = true;
      if (pid !== undefined) await end?.(pid);
      await part.stop();
    },
    async comeBack() {
      isAway = false;
      await part.start();
    },
    isAway: () => isAway,
    lives: () => lives,
  };
}

/** True when a GET of the address is answered 2xx in time. */
export async function answersOk(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}

function passedOn(): Record<string, string> {
  return Object.fromEntries(PASSED_ON.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }));
}
