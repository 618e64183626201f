import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { asOperator } from '../cluster/as-operator.ts';
import type { TestCluster } from '../cluster/cluster.ts';
import type { Fault, FaultEnv } from '../scenario.ts';
import { killForGood } from './parts.ts';

/** What the engine is started with; everything else in its directory are its data. */
const ENGINE_FILES = new Set([
  'users.xml', 'config.xml', 'output.log', 'process.json',
]);
/** Calls between the backup and the loss: only the log has what they brought. */
const BETWEEN_MS = 4_000;

/**
 * The disk of the tables is lost after a backup under load. At the end an empty engine starts,
 * `rastro restore` brings the backup back, and the writers go on from where it ends.
 */
export function loseTables(): Fault {
  return {
    name: 'disk lost after a backup', target: 'tables',
    async begin(env) {
      await reported(env, 'backup', '--full');
      await delay(BETWEEN_MS);
      await destroyTables(env.cluster);
    },
    async end(env) {
      await env.cluster.clickhouse.start();
      await reported(env, 'restore');
    },
  };
}

/** Kills the engine of the tables and removes every byte of its data; its backups are elsewhere. */
export async function destroyTables(cluster: TestCluster): Promise<void> {
  await killForGood(cluster.clickhouse);
  for (const name of readdirSync(engineDir(cluster))) {
    if (!ENGINE_FILES.has(name)) rmSync(join(engineDir(cluster), name), { recursive: true });
  }
}

/** Directory of the engine of the tables; its backups are beside it. */
export function engineDir({ dir }: TestCluster): string {
  return join(dir, 'stack', 'clickhouse');
}

async function reported({ cluster, remark }: FaultEnv, ...words: readonly string[]): Promise<void> {
  const beganMs = performance.now();
  const lines = await asOperator(cluster, ...words);
  const seconds = ((performance.now() - beganMs) / 1_000).toFixed(1);
  remark(`rastro ${words.join(' ')}: ${seconds} s; ${lines.at(-1) ?? ''}`);
}
