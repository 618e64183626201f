import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClusterOptions } from '../cluster/cluster-options.ts';
import type { Scenario } from '../scenario.ts';
import { runScenario } from './run-scenario.ts';
import { brokenRow, rowOf, type Row } from './table.ts';
import { openTenancy, type Tenancy } from './tenancy.ts';

/** How a matrix is run. */
export interface MatrixOptions {
  readonly seed: number;
  /** True to keep the directories of red runs. */
  readonly keeps: boolean;
  /** Called with every row as it comes. */
  readonly onRow: (row: Row) => void;
  readonly onLine: (line: string) => void;
  /** Aborted when no further run is wanted. */
  readonly leaving: AbortSignal;
}

/**
 * Runs scenarios one after the other. Those that need no cluster of their own share one, until one
 * of them is red: then the next gets a new cluster. The last run of a cluster also wipes Redis
 * (I3).
 */
export async function runMatrix(
  scenarios: readonly Scenario[], options: MatrixOptions,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const shared = scenarios.filter(({ ownCluster }) => ownCluster === undefined);
  const add = (row: Row): void => {
    rows.push(row);
    options.onRow(row);
  };
  for (let next = 0; next < shared.length && !options.leaving.aborted;) {
    next += await runCluster(shared.slice(next), {}, options, add);
  }
  for (const scenario of scenarios) {
    if (scenario.ownCluster === undefined || options.leaving.aborted) continue;
    await runCluster([scenario], scenario.ownCluster, options, add);
  }
  return rows;
}

/** Runs scenarios in one new cluster until one is red; answers how many were run. */
async function runCluster(
  scenarios: readonly Scenario[], clusterOptions: ClusterOptions, options: MatrixOptions,
  add: (row: Row) => void,
): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'rastro-faults-'));
  const begunMs = performance.now();
  let isRed = false;
  let count = 0;
  let tenancy: Tenancy | undefined;
  try {
    tenancy = await openTenancy(dir, options.seed, clusterOptions);
    options.onLine(`cluster ${dir} stands after ${Math.round((performance.now() - begunMs) / 1_000)} s`);
    for (const scenario of scenarios) {
      if (isRed || options.leaving.aborted) break;
      count += 1;
      const row = await runOne(tenancy, scenario, options, count === scenarios.length);
      isRed = row.troubles.length > 0;
      add(row);
    }
  } catch (error) {
    isRed = true;
    count = Math.max(count, 1);
    const [first] = scenarios;
    if (first !== undefined) add(brokenRow(first, options.seed, error));
  } finally {
    await tenancy?.close();
    if (isRed && options.keeps) options.onLine(`red: everything is kept in ${dir}`);
    else rmSync(dir, { recursive: true, force: true });
  }
  return count;
}

async function runOne(
  tenancy: Tenancy, scenario: Scenario, { seed, onLine, leaving }: MatrixOptions, wipe: boolean,
): Promise<Row> {
  const onRemark = (line: string): void => onLine(`     ${line}`);
  try {
    return rowOf(await runScenario(tenancy, scenario, seed, { wipe, onRemark, leaving }));
  } catch (error) {
    return brokenRow(scenario, seed, error);
  }
}
