import { readClickhouse } from '../../faults/checker/collect/clickhouse.ts';
import { canonical } from '../../faults/checker/read-evidence.ts';
import { asOperator } from '../../faults/cluster/as-operator.ts';
import { destroyTables } from '../../faults/kinds/tables.ts';
import { waitForQuiet, QUIET_MS_MAX } from '../../faults/run/heal.ts';
import type { TestCluster } from '../../faults/cluster/cluster.ts';
import type { ProcessName } from '../../faults/cluster/cluster-processes.ts';
import type { FaultEnv, Scenario } from '../../faults/scenario.ts';
import { sha256 } from '../../faults/workload/caller.ts';
import { deed, step, underLoad } from '../steps.ts';

/** Calls between one step and the next. */
const BETWEEN_MS = 4_000;
const GATEWAYS: readonly ProcessName[] = ['gateway-1', 'gateway-2'];

/** The disk of the tables is lost while calls come, and comes back from a backup and the log. */
export const tablesLost: Scenario = {
  name: 'tables-lost',
  does: 'tables backed up twice under load, their disk destroyed, restored, and compared by hashes',
  aims: ['I1', 'I2', 'I3', 'I9', 'I14'], seconds: 1, ownCluster: {},
  plan: () => [{ atMs: BETWEEN_MS, fault: deed('loss', 'the disk of the tables', async (faultEnv) => {
    const { cluster } = faultEnv;
    const rastro = (what: string, ...words: readonly string[]): Promise<string> =>
      said(faultEnv, what, words);
    await rastro('a backup under load', 'backup', '--full');
    await underLoad(BETWEEN_MS);
    await rastro('a second one upon it', 'backup');
    await underLoad(BETWEEN_MS);
    const before = await linesOf(cluster);
    await step(faultEnv, 'the disk is destroyed', () => destroyTables(cluster));
    await step(faultEnv, 'an empty engine is back', () => cluster.clickhouse.start());
    await underLoad(BETWEEN_MS);
    await rastro('the tables come back while writers wait for them', 'restore');
    await underLoad(BETWEEN_MS);
    await step(faultEnv, 'gateways end, workers catch up', () => comeToRest(cluster));
    mustHold(faultEnv, before, await linesOf(cluster));
    await rastro('backup and log compared with the tables', 'verify');
    await rastro('the whole log compared with the tables', 'rebuild', 'clickhouse', '--dry-run');
    const day = new Date().toISOString().slice(0, 10);
    await rastro('the first backup takes the place of all', 'restore', `${day}.1`, '--replace',
      '--reason', 'rehearsal');
    mustHold(faultEnv, before, await linesOf(cluster));
    await step(faultEnv, 'gateways are back', async () => {
      await Promise.all(GATEWAYS.map((name) => cluster.process(name).comeBack()));
    });
  }) }],
};

/** Runs a command of the operator; an exit code other than 0 makes the act red. */
async function said(
  faultEnv: FaultEnv, what: string, words: readonly string[],
): Promise<string> {
  const lines = await step(faultEnv, `${what} (rastro ${words.join(' ')})`, () =>
    asOperator(faultEnv.cluster, ...words));
  faultEnv.remark(lines.slice(-3).join('; '));
  return lines.join('\n');
}

async function linesOf({ addresses }: TestCluster): Promise<readonly string[]> {
  return (await readClickhouse(addresses)).map(canonical).toSorted();
}

/** Every row that was there before is there once; others came since. */
function mustHold(
  { remark }: FaultEnv, before: readonly string[], after: readonly string[],
): void {
  const known = new Set(before);
  const kept = after.filter((line) => known.has(line));
  const [first, second] = [sha256(before.join('\n')), sha256(kept.join('\n'))];
  remark(`rows: ${before.length} before (${first.slice(0, 16)}), of these ${kept.length} after `
    + `(${second.slice(0, 16)}), ${after.length} in all`);
  if (first !== second) throw new Error('The rows from before the loss are not all there once.');
}

async function comeToRest(cluster: TestCluster): Promise<void> {
  await Promise.all(GATEWAYS.map((name) => cluster.process(name).leave()));
  const { quiet_after_ms, lag } = await waitForQuiet(cluster, performance.now(), 2 * QUIET_MS_MAX);
  if (quiet_after_ms === null) throw new Error(`The groups stay behind: ${JSON.stringify(lag)}.`);
}
