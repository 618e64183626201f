import { readClickhouse } from '../../faults/checker/collect/clickhouse.ts';
import { readRedis } from '../../faults/checker/collect/redis.ts';
import type { StateDump, StoredRow } from '../../faults/checker/evidence.ts';
import { keptOf } from '../../faults/checker/invariants/i03-replay.ts';
import { canonical } from '../../faults/checker/read-evidence.ts';
import type { TestCluster } from '../../faults/cluster/cluster.ts';
import type { ProcessName } from '../../faults/cluster/cluster-processes.ts';
import { waitForQuiet, QUIET_MS_MAX } from '../../faults/run/heal.ts';
import type { Scenario, FaultEnv } from '../../faults/scenario.ts';
import { sha256 } from '../../faults/workload/caller.ts';
import {
  backUpLog, backUpTables, destroyEverything, restoreLog, restoreTables,
} from '../restore/copies.ts';
import { refillTables } from '../restore/operator.ts';
import { deed, step, underLoad } from '../steps.ts';

/** Calls between the backup of the tables and the loss of everything: only the log has them. */
const BETWEEN_MS = 6_000;
const GATEWAYS: readonly ProcessName[] = ['gateway-1', 'gateway-2'];
const WORKERS: readonly ProcessName[] = ['workers-1', 'workers-2', 'parties'];

/** Everything is backed up, destroyed, brought back and compared; then the load goes on. */
export const restore: Scenario = {
  name: 'restore',
  does: 'tables backed up under load, the log at rest; all four parts destroyed and brought back',
  aims: ['I1', 'I2', 'I3', 'I9', 'I14'], seconds: 1, ownCluster: {},
  plan: () => [{ atMs: BETWEEN_MS, fault: deed('loss', 'all four parts', async (faultEnv) => {
    const { cluster } = faultEnv;
    await step(faultEnv, 'tables backed up under load', () => backUpTables(cluster));
    await underLoad(BETWEEN_MS);
    await step(faultEnv, 'gateways end, workers catch up and end', () => comeToRest(cluster));
    const before = await copyOf(cluster);
    await step(faultEnv, 'log and registry backed up at rest', () => backUpLog(cluster));
    await step(faultEnv, 'everything is destroyed', () => destroyEverything(cluster));
    await step(faultEnv, 'log and registry are back', () => restoreLog(cluster));
    const stored = await step(faultEnv, 'tables are back as of their backup', () =>
      restoreTables(cluster));
    await step(faultEnv, 'workers are back and have rebuilt the state', () =>
      startAll(cluster, WORKERS));
    const refilled = await step(faultEnv, 'tables are refilled from the log', () =>
      refillTables(cluster));
    await step(faultEnv, 'the state is quiet', () => untilQuiet(cluster));
    faultEnv.remark(`ledger: ${stored} records came with the backup; the log again: ${refilled}`);
    compare(faultEnv, before, await copyOf(cluster));
    await step(faultEnv, 'gateways are back', () => startAll(cluster, GATEWAYS));
  }) }],
};

/** What the stores hold, as the checker reads it. */
interface Copy {
  readonly state: StateDump;
  readonly rows: readonly StoredRow[];
}

async function copyOf({ addresses }: TestCluster): Promise<Copy> {
  return {
    state: await readRedis(addresses.state_urls), rows: await readClickhouse(addresses),
  };
}

/** Hashes of both stores before and after; throws with the first difference. */
function compare({ remark }: FaultEnv, before: Copy, after: Copy): void {
  const [stateBefore, stateAfter] = [keptOf(before.state), keptOf(after.state)];
  const linesOf = (state: ReadonlyMap<string, string>): readonly string[] =>
    [...state].map(([key, value]) => `${key} ${value}`);
  mustBeSame(remark, 'state', linesOf(stateBefore), linesOf(stateAfter));
  mustBeSame(remark, 'rows', before.rows.map(canonical), after.rows.map(canonical));
}

function mustBeSame(
  remark: FaultEnv['remark'], what: string, before: readonly string[], after: readonly string[],
): void {
  const [was, is] = [before.toSorted(), after.toSorted()];
  const [first, second] = [sha256(was.join('\n')), sha256(is.join('\n'))];
  remark(`${what}: ${was.length} before (${first.slice(0, 16)}), ${is.length} after `
    + `(${second.slice(0, 16)})`);
  if (first === second) return;
  const [kept, known] = [new Set(is), new Set(was)];
  const lacking = was.find((line) => !kept.has(line)) ?? 'nothing';
  const strange = is.find((line) => !known.has(line)) ?? 'nothing';
  throw new Error(`The ${what} differs: lacks ${lacking}; has ${strange}.`);
}

/** No further call is taken, and everything taken is in the stores. */
async function comeToRest(cluster: TestCluster): Promise<void> {
  await Promise.all(GATEWAYS.map((name) => cluster.process(name).leave()));
  await untilQuiet(cluster);
  await Promise.all(WORKERS.map((name) => cluster.process(name).leave()));
}

async function startAll(cluster: TestCluster, names: readonly ProcessName[]): Promise<void> {
  await Promise.all(names.map((name) => cluster.process(name).comeBack()));
}

async function untilQuiet(cluster: TestCluster): Promise<void> {
  const { quiet_after_ms, lag } = await waitForQuiet(cluster, performance.now(), 2 * QUIET_MS_MAX);
  if (quiet_after_ms === null) throw new Error(`The groups stay behind: ${JSON.stringify(lag)}.`);
}
