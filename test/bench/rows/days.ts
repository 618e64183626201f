import type { BenchCluster } from '../cluster.ts';
import { untilLevel } from '../level.ts';
import { cpuUs } from '../measure/cpu.ts';
import type { ComputedDays, BenchTables } from '../store.ts';

/** What computing the days of devices takes, which a view does in the background (ADR 0021). */
export interface DaysRow extends ComputedDays {
  /** CPU of ClickHouse for all of them, in µs. */
  readonly cpuUs: number;
}

/** Computes the days that the rows before have left due, and nothing else meanwhile. */
export async function measureDays(cluster: BenchCluster, store: BenchTables): Promise<DaysRow> {
  await untilLevel(cluster);
  const pids = [cluster.pidOf('clickhouse')];
  const before = cpuUs(pids);
  const computed = await store.computeDays();
  return { ...computed, cpuUs: cpuUs(pids) - before };
}
