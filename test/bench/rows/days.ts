import type { BenchCluster } from '../cluster.ts';
import { untilLevel } from '../level.ts';
import { cpuUs } from '../measure/cpu.ts';
import type { BenchTables } from '../store.ts';

/** What computing in the background takes, a view at a time (ADR 0021). */
export interface DaysRow {
  /** Fixes of the days that were computed. */
  readonly fixes: number;
  /** CPU of ClickHouse by view, in µs. */
  readonly views: readonly { readonly view: string; readonly cpuUs: number }[];
}

/** Each reads what those before it have computed (`infra/clickhouse/`). */
const VIEWS = [
  'device_days_refresh', 'device_day_zones_refresh', 'visit_days_refresh', 'battery_days_refresh',
  'ingest_comparisons_refresh', 'ingest_choices_refresh', 'ingest_balances_refresh',
  'provider_days_refresh', 'provider_hours_refresh',
];

/** Computes what the rows before have left due, a view after the other; rejects without any day. */
export async function measureDays(cluster: BenchCluster, store: BenchTables): Promise<DaysRow> {
  const all = await store.refreshed();
  const unmeasured = all.filter((view) => !VIEWS.includes(view));
  if (unmeasured.length > 0) throw new Error(`No figure for ${unmeasured.join(', ')}.`);
  await untilLevel(cluster);
  const pids = [cluster.pidOf('clickhouse')];
  const sinceMs = await store.nowMs();
  const views: { view: string; cpuUs: number }[] = [];
  for (const view of VIEWS) {
    const before = cpuUs(pids);
    await store.refresh(view);
    views.push({ view, cpuUs: cpuUs(pids) - before });
  }
  const fixes = await store.fixesOfDaysSince(sinceMs);
  if (fixes === 0) throw new Error('No day was computed.');
  return { fixes, views };
}
