import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cache } from '../../infra/local/cache.ts';
import { tryLock } from '../../infra/local/lock.ts';
import { machineFacts } from '../bench/measure/machine.ts';
import { bringStandIns } from './acts/build-image.ts';
import { actsOf } from './acts/index.ts';
import { requireCompose, requireEngine } from './machine/programs.ts';
import { machineState } from './machine/traces.ts';
import { pageOf } from './page.ts';
import { playActs } from './run-acts.ts';
import { openStage } from './stage.ts';

/** What is run, and where its results go. */
export interface ContainersRun {
  readonly root: string;
  readonly cacheDir: string;
  readonly proves: boolean;
  /** True when what is needed is brought, and nothing is played. */
  readonly brings: boolean;
  /** Names of acts; all when none is named. The first and the last are always played. */
  readonly only: readonly string[];
  /** Where the page goes after a run in which all passed; nowhere when absent. */
  readonly page?: string | undefined;
  readonly leaving: AbortSignal;
  readonly print: (line: string) => void;
}

const BRING_MS_MAX = 3_600_000;

/** Brings what is needed, plays the acts, and gives the exit code. */
export async function runContainers(
  { root, cacheDir, proves, brings, only, page, leaving, print }: ContainersRun,
): Promise<number> {
  const cache: Cache = {
    dir: cacheDir, log: (_grade, line) => print(line), waitMsMax: BRING_MS_MAX,
  };
  mkdirSync(cacheDir, { recursive: true });
  const lock = tryLock(join(cacheDir, 'containers.lock'));
  if (!lock.held) throw new Error(`Process ${lock.holder.pid} runs containers from this cache.`);
  // Not below the cache: the path of a socket may have 107 characters.
  const folder = mkdtempSync(join(tmpdir(), 'rastro-run-'));
  try {
    await requireEngine(cache);
    const composeProgram = await requireCompose(cache);
    const before = machineState(folder);
    const facts = machineFacts();
    const stage = openStage({ root, folder, runId: randomUUID(), cache, composeProgram, print });
    try {
      if (brings) {
        await bringStandIns(stage);
        return 0;
      }
      return await playActs(actsOf(before, only), stage, {
        proves, leaving, writePage: page === undefined ? undefined : (rows, tookMs) => {
          writeFileSync(page, pageOf(rows, tookMs, facts));
        },
      });
    } finally {
      await stage.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
    lock.release();
  }
}
