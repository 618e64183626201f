import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tryLock } from '../../infra/local/lock.ts';
import { machineFacts } from '../bench/measure/machine.ts';
import { machineState } from '../containers/machine/traces.ts';
import { playActs } from '../containers/run-acts.ts';
import { openStage } from '../containers/stage.ts';
import { needsScaling, productActs } from './acts/product.ts';
import { bringImages, type BroughtImages } from './node/bring-images.ts';
import { clusterPage } from './page.ts';
import { openProductStage } from './product/stage.ts';
import type { ClusterRun } from './run-cluster.ts';
import { requireNode, type NodeTools } from './tools.ts';

/** What is rehearsed, and where its results go. */
export interface ProductRun extends ClusterRun {
  /** Names of acts; all when none is named. The first two and the last are always played. */
  readonly only: readonly string[];
  /** Where the page goes after a run in which all passed; nowhere when absent. */
  readonly page?: string | undefined;
}

/** Plays the acts of the product on a node of its own, and gives the exit code. */
export async function rehearseProduct(
  { root, cache, proves, brings, only, page, leaving, print }: ProductRun,
): Promise<number> {
  mkdirSync(cache.dir, { recursive: true });
  const lock = tryLock(join(cache.dir, 'containers.lock'));
  if (!lock.held) throw new Error(`Process ${lock.holder.pid} runs containers from this cache.`);
  const folder = mkdtempSync(join(tmpdir(), 'rastro-run-'));
  try {
    const tools = await requireNode({ cache, scales: needsScaling(only), print });
    const before = machineState(folder);
    const facts = machineFacts();
    const runId = randomUUID();
    const images = await imagesOf({ root, cache, folder, runId, tools, print });
    if (brings) return 0;
    const stage = openProductStage({ root, folder, runId, images, print, ...tools });
    try {
      return await playActs(productActs(before, only), stage, {
        proves, leaving, writePage: page === undefined ? undefined : (rows, tookMs) => {
          writeFileSync(page, clusterPage(rows, tookMs, { ...facts, only }));
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

/** What images are brought with. */
export interface ImagesOf extends Pick<ClusterRun, 'root' | 'cache' | 'print'> {
  readonly folder: string;
  readonly runId: string;
  readonly tools: NodeTools;
}

/** The images of a node, built by an engine that ends before the node begins. */
export async function imagesOf(
  { root, cache, folder, runId, tools, print }: ImagesOf,
): Promise<BroughtImages> {
  const work = join(folder, 'engine');
  mkdirSync(work);
  const stage = openStage({ root, folder: work, runId, cache, composeProgram: '', print });
  try {
    const { coreDns, scaling, nodeImages } = tools;
    return await bringImages({ stage, coreDns, keda: scaling?.keda, nodeImages });
  } finally {
    await stage.close();
  }
}
