import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OVERLAYS } from '../../infra/check/rendered.ts';
import type { Cache } from '../../infra/local/cache.ts';
import { machineState } from '../containers/machine/traces.ts';
import { playActs } from '../containers/run-acts.ts';
import { clusterDown } from './acts/down.ts';
import { overlayActs } from './acts/overlays.ts';
import { openClusterStage } from './stage.ts';
import { requireCluster } from './tools.ts';

/** What is rehearsed. */
export interface ClusterRun {
  readonly root: string;
  readonly cache: Cache;
  readonly proves: boolean;
  /** True when what is needed is brought, and nothing is played. */
  readonly brings: boolean;
  readonly leaving: AbortSignal;
  readonly print: (line: string) => void;
}

/** Plays every act on API servers of its own, and gives the exit code. */
export async function rehearseCluster(
  { root, cache, proves, brings, leaving, print }: ClusterRun,
): Promise<number> {
  mkdirSync(cache.dir, { recursive: true });
  const tools = await requireCluster(cache, print);
  if (brings) return 0;
  const folder = mkdtempSync(join(tmpdir(), 'rastro-run-'));
  const before = machineState(folder);
  const stage = openClusterStage({ root, folder, runId: randomUUID(), tools, print });
  try {
    const acts = [...OVERLAYS.flatMap(overlayActs), clusterDown(before)];
    return await playActs(acts, stage, { proves, leaving });
  } finally {
    await stage.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
