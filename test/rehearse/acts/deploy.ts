import { join, resolve } from 'node:path';
import { importSampleCodes } from '../../../infra/local/processes/import-codes.ts';
import { checkOut, runJobs } from '../../faults/cluster/earlier-release.ts';
import type { TestCluster } from '../../faults/cluster/cluster.ts';
import type { ProcessName } from '../../faults/cluster/cluster-processes.ts';
import type { Scenario, FaultEnv } from '../../faults/scenario.ts';
import { deed, restartAs, step, underLoad } from '../steps.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..', '..', '..');
/** Both releases work beside each other for so long after each process. */
const BESIDE_MS = 4_000;
/** As the sync waves of the manifests have it: who reads comes before who writes. */
const WORKERS: readonly ProcessName[] = ['workers-1', 'workers-2', 'parties'];
const GATEWAYS: readonly ProcessName[] = ['gateway-1', 'gateway-2'];
const AIMS = ['I1', 'I2', 'I3', 'I9', 'I14', 'I17'];

/** From an earlier commit to this tree: its topics, its tables, its workers, its gateways. */
export function deploy(commit: string): Scenario {
  return {
    name: 'deploy',
    does: `from ${commit} to this tree, process by process, both side by side`,
    aims: AIMS, seconds: 1, isBalanced: true, ownCluster: { commit },
    plan: () => [{ atMs: 0, fault: deed('deploy', 'every process', async (faultEnv) => {
      const { env, addresses } = faultEnv.cluster;
      await step(faultEnv, 'topics, tables and codes of this tree', async () => {
        await runJobs(ROOT_DIR, env, addresses.clickhouse_database, 1);
        await importSampleCodes(env);
      });
      await goOver(faultEnv, [...WORKERS, ...GATEWAYS], ROOT_DIR, 'this tree');
    }) }],
  };
}

/** From this tree back to an earlier commit; topics and tables stay as they are. */
export function rollback(commit: string): Scenario {
  return {
    name: 'rollback',
    does: `from this tree back to ${commit}, process by process, over what this tree wrote`,
    aims: AIMS, seconds: 1, isBalanced: true, ownCluster: {},
    plan: () => [{ atMs: BESIDE_MS, fault: deed('rollback', 'every process', async (faultEnv) => {
      const earlier = join(faultEnv.cluster.dir, 'earlier');
      await checkOut(ROOT_DIR, earlier, commit);
      await goOver(faultEnv, [...GATEWAYS, ...WORKERS], earlier, commit);
    }) }],
  };
}

async function goOver(
  faultEnv: FaultEnv, names: readonly ProcessName[], productDir: string, release: string,
): Promise<void> {
  for (const name of names) {
    await step(faultEnv, `${name} runs ${release}`, () => replaceOne(faultEnv.cluster, name, productDir));
    await underLoad(BESIDE_MS);
  }
}

function replaceOne(cluster: TestCluster, name: ProcessName, productDir: string): Promise<void> {
  return restartAs(cluster, name, { productDir });
}
