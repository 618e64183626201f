import { setTimeout } from 'node:timers/promises';
import type { ClickHouse } from '../../services/adapters/clickhouse/clickhouse.ts';
import { INSERTS, parametersOfPosts, type ScaleFleet } from './fleet-sql.ts';

/** So that an insert has some 800,000 fixes. */
const DEVICES_PER_INSERT = 500;
const REST_MS = 10_000;

/** Fills the tables with a fleet, day by day as it would have come. */
export async function fill(
  store: ClickHouse, fleet: ScaleFleet, leaving: AbortSignal, print: (line: string) => void,
): Promise<void> {
  for (let day = fleet.firstDay; day < fleet.firstDay + fleet.days; day += 1) {
    for (let from = 0; from < fleet.devices; from += DEVICES_PER_INSERT) {
      leaving.throwIfAborted();
      const to = Math.min(from + DEVICES_PER_INSERT, fleet.devices);
      const parameters = parametersOfPosts(fleet, day, from, to);
      for (const sql of INSERTS) await store.execute(sql, parameters);
    }
    print(`day ${day - fleet.firstDay + 1} of ${fleet.days} is in`);
  }
}

/** Computes balances until no period is due; a period is due 300 s after its last record. */
export async function computeBalances(store: ClickHouse, leaving: AbortSignal): Promise<void> {
  for (;;) {
    leaving.throwIfAborted();
    for (const view of ['ingest_comparisons_refresh', 'ingest_balances_refresh']) {
      await store.execute(`SYSTEM REFRESH VIEW ${view}`);
      await store.execute(`SYSTEM WAIT VIEW ${view}`);
    }
    const [row] = await store.query(
      'SELECT countIf(is_stale) AS stale FROM ingest_period_states',
    );
    if (Number(row?.['stale']) === 0) return;
    await setTimeout(REST_MS);
  }
}
