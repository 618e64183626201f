import type { BenchHouse } from '../house.ts';
import { untilLevel } from '../level.ts';
import { cpuUs } from '../measure/cpu.ts';
import type { ComputedDays, Store } from '../store.ts';

/** What computing the days of devices takes, which a view does every five minutes (ADR 0021). */
export interface DaysRow extends ComputedDays {
  /** CPU of ClickHouse for all of them, in µs. */
  readonly cpuUs: number;
}

/** Computes the days that the rows before have left due, and nothing else meanwhile. */
export async function measureDays(house: BenchHouse, store: Store): Promise<DaysRow> {
  await untilLevel(house);
  const pids = [house.pidOf('clickhouse')];
  const before = cpuUs(pids);
  const computed = await store.computeDays();
  return { ...computed, cpuUs: cpuUs(pids) - before };
}
