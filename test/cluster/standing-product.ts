import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tryLock } from '../../infra/local/lock.ts';
import { ask } from '../containers/machine/ask.ts';
import { bringNode } from './acts/start-node.ts';
import { startProduct } from './acts/start-product.ts';
import { startSender } from './product/sender.ts';
import { openProductStage } from './product/stage.ts';
import type { ClusterRun } from './run-cluster.ts';
import { imagesOf } from './run-product.ts';
import { layDown, requireDown, writeCluster, type Standing } from './standing.ts';
import { requireNode } from './tools.ts';

const SENDER = 'stays';
const LAST_FIXES = join(import.meta.dirname, 'inside', 'last-fixes.ts');
const ASK_MS_MAX = 120_000;
const DEVICES_MAX = 20;

/**
 * Brings up a control plane, a node and the product on it, with devices that drive until `down`.
 * Gives what each step has to show; throws when one fails, and leaves nothing then.
 */
export async function standUpProduct(
  file: string, { root, cache, print }: Pick<ClusterRun, 'root' | 'cache' | 'print'>,
): Promise<void> {
  requireDown(file);
  mkdirSync(cache.dir, { recursive: true });
  const lock = tryLock(join(cache.dir, 'containers.lock'));
  if (!lock.held) throw new Error(`Process ${lock.holder.pid} runs containers from this cache.`);
  const folder = mkdtempSync(join(tmpdir(), 'rastro-run-'));
  const runId = randomUUID();
  try {
    // Images of its own: a rehearsal beside it has those of the cache.
    const tools = { ...await requireNode({ cache, print }), nodeImages: join(folder, 'images') };
    const images = await imagesOf({ root, cache, folder, runId, tools, print });
    const stage = openProductStage({
      root, folder, runId, images, print, stays: true, ...tools,
    });
    const { namespaces } = await stage.cluster();
    const planeFolder = join(folder, 'c1');
    writeCluster(file, namespaces, { runId, folder, planeFolder });
    for (const step of [bringNode, startProduct.run]) {
      const { seen, complaints } = await step(stage);
      if (complaints.length > 0) throw new Error(complaints.join('; '));
      print(seen);
    }
    const { analyst, client } = stage.product();
    writeCluster(file, namespaces, { runId, folder, planeFolder, analyst });
    startSender(namespaces, folder, SENDER, client);
  } catch (error) {
    await layDown(file);
    rmSync(folder, { recursive: true, force: true });
    throw error;
  } finally {
    lock.release();
  }
}

/** Where the vehicles of the cluster are, as a table; throws when no product runs there. */
export async function lastFixes({ namespaces, analyst }: Standing): Promise<string> {
  if (analyst === undefined) throw new Error('No product is up: npm run cluster -- up product.');
  const question = { ...analyst, provider: 'demo', devicesMax: DEVICES_MAX };
  const { lines } = await ask<{ readonly lines: string }>(
    namespaces, LAST_FIXES, question, ASK_MS_MAX,
  );
  return lines;
}
