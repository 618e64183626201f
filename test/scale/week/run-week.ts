import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startStack } from '../../../infra/local/stack.ts';
import {
  CLICKHOUSE_LIMITS, openClickHouse, type ClickHouse,
} from '../../../services/adapters/clickhouse/clickhouse.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { cpuUs } from '../../bench/measure/cpu.ts';
import { progressOf } from '../progress.ts';
import { migrateOnClock, setClock } from './clock.ts';

/** What is simulated. */
export interface WeekOptions {
  readonly devices: number;
  readonly days: number;
  readonly dir: string;
  readonly cacheDir: string;
  readonly leaving: AbortSignal;
  readonly print: (line: string) => void;
}

/** What a simulated week came to; seconds of the simulated clock, and of CPU. */
export interface WeekResult {
  readonly devices: number;
  readonly days: number;
  readonly fixes: number;
  /** Ages of the rows of today, every two minutes. */
  readonly ageS: readonly number[];
  /** When the row of yesterday was computed after its last fix, seconds after midnight. */
  readonly finalS: readonly number[];
  readonly refreshes: number;
  /** CPU of a refresh that computes nothing. */
  readonly idleCpuS: number;
  /** CPU of all refreshes. */
  readonly refreshCpuS: number;
  /** CPU of the refreshes of the last hour of days, and the fixes that were new to them. */
  readonly lastHourCpuS: number;
  readonly lastHourFixes: number;
  /** CPU of inserts and of merges meanwhile. */
  readonly insertCpuS: number;
  readonly memoryBytesMax: number;
  /** Days that late fixes had computed whole again. */
  readonly wholeAgain: number;
  readonly onward: number;
  /** Days that differ when all are computed whole at the end. */
  readonly differing: number;
}

const DATABASE = 'tracking';
const DAY_S = 86_400;
const HOUR_S = 3_600;
const INSERT_S = 120;
/** The pace of days. */
const REFRESH_S = 600;
const IDLE_TRIES = 3;
const FIXES = readFileSync(join(import.meta.dirname, 'fixes.sql'), 'utf8');
const NUMBERS = `cityHash64(fixes, first, last, distance_cm, odometer_km, driving_s, standing_s,
  stops, gaps, gap_s, jumps, speed_max, trips, stays, arraySort(cells))`;

/** Feeds days of a fleet, time compressed, and refreshes its days at their pace. */
export async function runWeek(options: WeekOptions): Promise<WeekResult> {
  const { dir, cacheDir } = options;
  rmSync(dir, { recursive: true, force: true });
  const stack = await startStack({
    dataDir: dir, cacheDir, ports: 'free', parts: ['clickhouse'], env: {}, log: () => undefined,
  });
  const store = openClickHouse({
    ...CLICKHOUSE_LIMITS, requestMsMax: 3_600_000, url: stack.env.CLICKHOUSE_URL,
    user: stack.env.CLICKHOUSE_USER, password: stack.env.CLICKHOUSE_PASSWORD, database: DATABASE,
  }, { signals: silentSignals });
  try {
    return await simulate(store, stack.parts.clickhouse?.pid() ?? 0, options);
  } finally {
    await store.close();
    await stack.stop();
  }
}

async function simulate(
  store: ClickHouse, pid: number, { devices, days, leaving, print }: WeekOptions,
): Promise<WeekResult> {
  const start = (Math.floor(Date.now() / 1_000 / DAY_S) - days - 1) * DAY_S;
  const end = start + days * DAY_S + HOUR_S;
  await migrateOnClock(store, start);
  const cost = async (work: () => Promise<void>): Promise<number> => {
    const before = cpuUs([pid]);
    await work();
    return (cpuUs([pid]) - before) / 1e6;
  };
  const result = {
    devices, days, ageS: [] as number[], finalS: [] as number[], refreshes: 0, refreshCpuS: 0,
    lastHourCpuS: 0, lastHourFixes: 0, insertCpuS: 0, onward: 0, wholeAgain: 0,
    idleCpuS: await cost(async () => {
      for (let n = 0; n < IDLE_TRIES; n += 1) await refresh(store);
    }) / IDLE_TRIES,
  };
  const say = progressOf(print, days, 'days are simulated');
  const awaited = new Map<string, number>();
  for (let at = start; at < end; at += INSERT_S) {
    leaving.throwIfAborted();
    const now = at + INSERT_S;
    await setClock(store, now);
    result.insertCpuS += await cost(() => store.execute(
      FIXES, { devices, start, from: at, to: now },
    ));
    result.ageS.push(...await agesOf(store, now));
    if (now % DAY_S === INSERT_S) awaited.clear();
    if (now % REFRESH_S !== 0) continue;
    const [due] = await store.query(`
      SELECT countIf(cut > 0) AS onward,
             countIf(cut = 0 AND (device_id, day) IN (SELECT device_id, day FROM device_day_states))
                 AS whole
      FROM device_days_due`);
    result.onward += Number(due?.['onward']);
    result.wholeAgain += Number(due?.['whole']);
    const spent = await cost(() => refresh(store));
    result.refreshCpuS += spent;
    result.refreshes += 1;
    if (now % DAY_S === 0 || now % DAY_S > DAY_S - HOUR_S) {
      result.lastHourCpuS += spent;
      result.lastHourFixes += devices * REFRESH_S / 10;
    }
    if (now > start + DAY_S) await collectFinal(store, now, awaited, result.finalS);
    if (now % DAY_S === 0) say((now - start) / DAY_S);
  }
  return {
    ...result, memoryBytesMax: peakOf(pid), differing: await differing(store, end),
    fixes: await countOf(store, 'SELECT sum(fixes) AS n FROM device_days FINAL'),
  };
}

async function refresh(store: ClickHouse): Promise<void> {
  await store.execute('SYSTEM REFRESH VIEW device_days_refresh');
  await store.execute('SYSTEM WAIT VIEW device_days_refresh');
}

/** How old the rows of the day are; those of devices that began this minute have no row yet. */
async function agesOf(store: ClickHouse, now: number): Promise<readonly number[]> {
  const rows = await store.query(`
    SELECT toUnixTimestamp(max(computed_at)) AS at FROM device_days
    WHERE day = toDate(toDateTime({now:UInt32} - 1, 'UTC')) GROUP BY device_id`, { now });
  return rows.map(({ at }) => now - Number(at));
}

/** Adds when each row of yesterday was computed first after midnight and its last fix. */
async function collectFinal(
  store: ClickHouse, now: number, awaited: Map<string, number>, finalS: number[],
): Promise<void> {
  const midnight = Math.floor((now - 1) / DAY_S) * DAY_S;
  if (now - midnight > HOUR_S) return;
  const rows = await store.query(`
    SELECT device_id, toUnixTimestamp(max(computed_at)) AS at FROM device_days
    WHERE day = toDate(toDateTime({midnight:UInt32} - 1, 'UTC'))
    GROUP BY device_id HAVING at > {midnight:UInt32} + 10`, { midnight });
  for (const { device_id: device, at } of rows) {
    if (awaited.has(String(device))) continue;
    awaited.set(String(device), Number(at));
    finalS.push(Number(at) - midnight);
  }
}

/** Computes the last two days whole, and counts the rows that are not what they were. */
async function differing(store: ClickHouse, end: number): Promise<number> {
  const since = new Date((end - 2 * DAY_S) * 1_000).toISOString().slice(0, 10);
  await refreshUntilNone(store, end + REFRESH_S);
  await store.execute(`CREATE TABLE computed_before ENGINE = MergeTree ORDER BY (device_id, day)
    AS SELECT device_id, day, ${NUMBERS} AS numbers FROM device_days FINAL WHERE day >= '${since}'`);
  await store.execute('TRUNCATE TABLE device_day_states');
  await setClock(store, end + 4 * REFRESH_S);
  await store.execute(`INSERT INTO device_day_marks (device_id, day, marked_at)
    SELECT device_id, day, (SELECT at FROM simulated_clock) FROM computed_before`);
  await refreshUntilNone(store, end + 5 * REFRESH_S);
  return countOf(store, `
    SELECT count() AS n FROM computed_before AS b
    INNER JOIN (SELECT device_id, day, ${NUMBERS} AS numbers, computed_at FROM device_days FINAL) AS d
    USING (device_id, day)
    WHERE d.numbers != b.numbers
       OR d.computed_at < toDateTime(${end + 4 * REFRESH_S}, 'UTC')`);
}

async function refreshUntilNone(store: ClickHouse, from: number): Promise<void> {
  await setClock(store, from);
  for (;;) {
    await refresh(store);
    const due = await countOf(store, 'SELECT count() AS n FROM device_days_due');
    if (due === 0) return;
  }
}

async function countOf(store: ClickHouse, sql: string): Promise<number> {
  const [row] = await store.query(sql);
  return Number(row?.['n']);
}

/** The most memory that the process ever had, as the kernel knows it. */
function peakOf(pid: number): number {
  const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1_024;
}
