import { setTimeout } from 'node:timers/promises';
import type { ClickHouse } from '../../services/adapters/clickhouse/clickhouse.ts';
import { INSERTS, parametersOfPosts, type ScaleFleet } from './fleet-sql.ts';
import { progressOf } from './progress.ts';

/** So that an insert has some 400,000 fixes. */
const DEVICES_PER_INSERT = 250;
/** Statements at once: an insert, as a merge, uses one core. */
const AT_ONCE = 2;
const REST_MS = 10_000;

/** What a step of the filling works with. */
export interface FleetFillPorts {
  readonly store: ClickHouse;
  readonly leaving: AbortSignal;
  readonly print: (line: string) => void;
}

/** Fills the tables with days of a fleet as they would have come, and says which one is in. */
export async function fill(
  { store, leaving, print }: FleetFillPorts, fleet: ScaleFleet, daysBefore: number,
  isIn: (days: number) => void,
): Promise<void> {
  const say = progressOf(print, fleet.days - daysBefore, 'days are in');
  for (let days = daysBefore; days < fleet.days; days += 1) {
    const starts = Array.from(
      { length: Math.ceil(fleet.devices / DEVICES_PER_INSERT) }, (_, at) => at * DEVICES_PER_INSERT,
    );
    await someAtOnce(starts, leaving, async (from) => {
      const to = Math.min(from + DEVICES_PER_INSERT, fleet.devices);
      const parameters = parametersOfPosts(fleet, fleet.firstDay + days, from, to);
      for (const sql of INSERTS) await store.execute(sql, parameters);
    });
    isIn(days + 1);
    say(days + 1 - daysBefore);
  }
}

/** Merges each day as a day later its table would, all but what came late. */
export async function closeDays({ store, leaving, print }: FleetFillPorts): Promise<void> {
  const open = await store.query(`
    SELECT p.table AS name, p.partition AS day
    FROM system.parts AS p
    INNER JOIN (SELECT name FROM system.tables WHERE database = currentDatabase()
                AND engine_full LIKE '%min_age_to_force_merge_on_partition_only%') AS t
    ON p.table = t.name
    WHERE p.active AND p.database = currentDatabase() AND p.partition != '0'
    GROUP BY name, day HAVING count() > 1 ORDER BY name, day`);
  const say = progressOf(print, open.length, 'days of tables are merged');
  let merged = 0;
  await someAtOnce(open, leaving, async ({ name, day }) => {
    await store.execute(`OPTIMIZE TABLE ${String(name)} PARTITION ${String(day)} FINAL`);
    say(merged += 1);
  });
}

/** Works on each, some of them at once, unless it is left. */
async function someAtOnce<T>(
  all: readonly T[], leaving: AbortSignal, work: (one: T) => Promise<void>,
): Promise<void> {
  const left = all.values();
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (const one of left) {
      leaving.throwIfAborted();
      await work(one);
    }
  }));
}

/** Computes balances until none is due, 300 s after the last record. */
export async function computeBalances({ store, leaving, print }: FleetFillPorts): Promise<void> {
  const [all] = await store.query('SELECT count() AS periods FROM ingest_period_states');
  const total = Number(all?.['periods']);
  const say = progressOf(print, total, 'balances are computed');
  for (let before = Infinity; ;) {
    await refresh(store, [
      'ingest_comparisons_refresh', 'ingest_choices_refresh', 'ingest_balances_refresh',
    ], leaving);
    const [row] = await store.query(
      'SELECT countIf(is_stale) AS stale FROM ingest_period_states',
    );
    const stale = Number(row?.['stale']);
    say(total - stale);
    if (stale === 0) break;
    if (stale === before) await setTimeout(REST_MS, undefined, { signal: leaving });
    before = stale;
  }
}

/** Computes the days of providers, and waits until views read them. */
export async function computeProviderDays({ store, leaving }: FleetFillPorts): Promise<void> {
  await untilAllAre(store, 'provider_days_refresh', `
    SELECT count() AS days FROM provider_day_states WHERE NOT is_open`, leaving);
  await untilKept(store, leaving);
}

/** For a minute after days were computed, views still read them from the records (0025). */
async function untilKept(store: ClickHouse, leaving: AbortSignal): Promise<void> {
  for (;;) {
    const [row] = await store.query(`SELECT count() AS young FROM provider_day_states
      WHERE computed_at > now64(3) - INTERVAL 60 SECOND`);
    if (Number(row?.['young']) === 0) return;
    await setTimeout(REST_MS, undefined, { signal: leaving });
  }
}

/** What is computed of days, in this order. */
const DAYS = ['device_days', 'device_day_zones', 'visit_days', 'battery_days', 'provider_hours'];

/** Computes the days of devices and all that is computed of them until nothing waits. */
export async function computeDays({ store, leaving, print }: FleetFillPorts): Promise<void> {
  for (const table of DAYS) {
    const startMs = Date.now();
    for (let before = Infinity; ;) {
      await refresh(store, [`${table}_refresh`], leaving);
      const [row] = await store.query(
        'SELECT waiting FROM in_computed_waits WHERE table = {table:String}', { table },
      );
      const waiting = Number(row?.['waiting']);
      print(`${waiting} days wait for ${table}`);
      if (waiting === 0) break;
      // A day that was computed is not computed again for ten minutes.
      if (waiting === before) await setTimeout(REST_MS, undefined, { signal: leaving });
      before = waiting;
    }
    print(`${table} took ${((Date.now() - startMs) / 60_000).toFixed(1)} min`);
  }
}

/** Refreshes until the number of days that are there stays the same. */
async function untilAllAre(
  store: ClickHouse, view: string, sql: string, leaving: AbortSignal,
): Promise<number> {
  for (let known = -1; ;) {
    await refresh(store, [view], leaving);
    const [row] = await store.query(sql);
    const days = Number(row?.['days']);
    if (days === known) return days;
    known = days;
  }
}

/** A refresh may take half an hour, so that who leaves ends it. */
async function refresh(
  store: ClickHouse, views: readonly string[], leaving: AbortSignal,
): Promise<void> {
  for (const view of views) {
    leaving.throwIfAborted();
    const stop = (): void => {
      store.execute(`SYSTEM STOP VIEW ${view}`).catch(() => undefined);
    };
    leaving.addEventListener('abort', stop);
    try {
      await store.execute(`SYSTEM REFRESH VIEW ${view}`);
      await store.execute(`SYSTEM WAIT VIEW ${view}`);
    } finally {
      leaving.removeEventListener('abort', stop);
    }
  }
}
