import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createComputedWaits } from '../../../services/adapters/clickhouse/computed-waits.ts';
import type { ComputedWait } from '../../../services/kernel/computed-waits.ts';
import { createHistory, post, writePosts, type History } from './history.ts';

const TABLES = [
  'battery_days', 'device_day_zones', 'device_days', 'ingest_balances', 'provider_days',
  'provider_hours', 'visit_days',
];
const RUNBOOK = readFileSync('docs/runbooks/computed-late.md', 'utf8');
let history: History;

beforeAll(async () => { history = await createHistory(); });
afterAll(async () => { await history.drop(); });

async function waitOf(table: string): Promise<ComputedWait> {
  const waits = await createComputedWaits(history.ingest).read();
  expect(waits.map((wait) => wait.table).toSorted()).toEqual(TABLES);
  return waits.find((wait) => wait.table === table) ?? { table, waiting: -1, secondsMax: -1 };
}

it('knows the days of devices that wait since their first fix, until they are computed', async () => {
  expect(await waitOf('device_days')).toMatchObject({ waiting: 0, secondsMax: 0 });
  const noonS = Math.floor(Date.now() / 86_400_000) * 86_400 - 43_200;
  const fix = { timestamp: noonS, country_id: 'BR', latitude: -23.5, longitude: -46.6 };
  await writePosts(history.ingest, [post([fix], { offset: 1 })]);
  expect(await waitOf('device_days')).toMatchObject({ waiting: 1 });
  const mark = (columns: string, times: string): Promise<void> => history.admin.execute(`
    INSERT INTO device_day_marks (device_id, day, ${columns})
    SELECT device_id, day, ${times} FROM device_day_marks LIMIT 1`);
  await mark('first_marked_at, marked_at', "now64(3, 'UTC') - 5000, now64(3, 'UTC') - 10");
  expect((await waitOf('device_days')).secondsMax).toBeGreaterThanOrEqual(5_000);
  await mark('first_marked_at, computed_at', "now64(3, 'UTC'), now64(3, 'UTC')");
  expect(await waitOf('device_days')).toMatchObject({ waiting: 0, secondsMax: 0 });
});

it('knows the periods of the balance that wait, and for how long', async () => {
  await history.admin.execute(`
    INSERT INTO ingest_period_marks (period, marked_at)
    VALUES ('2020-01-01 00:00:00', now64(3, 'UTC') - 7000)`);
  const before = await waitOf('ingest_balances');
  expect(before.secondsMax).toBeGreaterThanOrEqual(7_000);
  await history.admin.execute(`
    INSERT INTO ingest_period_marks (period, computed_at)
    VALUES ('2020-01-01 00:00:00', now64(3, 'UTC'))`);
  const after = await waitOf('ingest_balances');
  expect(after.waiting).toBe(before.waiting - 1);
  expect(after.secondsMax).toBeLessThan(7_000);
});

describe.each([
  ['device_day_zones', 'zone_computed_at'], ['visit_days', 'visits_computed_at'],
  ['battery_days', 'battery_computed_at'],
])('%s', (table, column) => {
  const mark = (columns: string, values: string): Promise<void> => history.admin.execute(`
    INSERT INTO place_day_marks (device_id, day, ${columns})
    VALUES ('of ${table}', '2026-01-01', ${values})`);

  it('waits since its day was computed first, until it is computed after it', async () => {
    const before = await waitOf(table);
    await mark('first_marked_at, marked_at', "now64(3, 'UTC') - 9000, now64(3, 'UTC') - 9000");
    // Another table that is computed of the same day changes nothing.
    await mark(['zone_computed_at', 'visits_computed_at', 'battery_computed_at']
      .filter((other) => other !== column).join(', '), "now64(3, 'UTC'), now64(3, 'UTC')");
    await mark('first_marked_at, marked_at', "now64(3, 'UTC') - 10, now64(3, 'UTC') - 10");
    const waiting = await waitOf(table);
    expect(waiting.waiting).toBe(before.waiting + 1);
    expect(waiting.secondsMax).toBeGreaterThanOrEqual(9_000);
    await mark(column, "now64(3, 'UTC')");
    expect(await waitOf(table)).toMatchObject({ waiting: before.waiting });
    expect((await waitOf(table)).secondsMax).toBeLessThan(9_000);
  });
});

it('knows the days of which hours of providers wait, but for those that are too old', async () => {
  const mark = (days: number, columns: string, values: string): Promise<void> => (
    history.admin.execute(`INSERT INTO provider_hour_marks (day, ${columns})
      VALUES (today() - ${days}, ${values})`)
  );
  const [old, now] = ["now64(3, 'UTC') - 8000", "now64(3, 'UTC')"];
  await mark(399, 'first_marked_at, marked_at', `${old}, ${old}`);
  expect(await waitOf('provider_hours')).toMatchObject({ waiting: 0, secondsMax: 0 });
  await mark(5, 'first_marked_at, marked_at', `${old}, ${old}`);
  await mark(5, 'first_marked_at, marked_at', `${now}, ${now}`);
  const waiting = await waitOf('provider_hours');
  expect(waiting.waiting).toBe(1);
  expect(waiting.secondsMax).toBeGreaterThanOrEqual(8_000);
  await mark(5, 'computed_at', "now64(3, 'UTC') + 1");
  expect(await waitOf('provider_hours')).toMatchObject({ waiting: 0, secondsMax: 0 });
});

it('knows the days of providers that are over and balanced, and not computed', async () => {
  const stamp = "now64(3, 'UTC') - 6000";
  const balance = (at: string): Promise<void> => history.admin.execute(`
    INSERT INTO ingest_period_marks (period, marked_at, compared_at, computed_at)
    SELECT toStartOfTenMinutes(now('UTC') - 3 * 86400), ${at} - 900, ${at}, ${at}`);
  const before = await waitOf('provider_days');
  await history.admin.execute(`INSERT INTO ingest_period_marks (period, marked_at)
    SELECT toStartOfTenMinutes(now('UTC') - 3 * 86400), ${stamp} - 1000`);
  // Its balance waits: that is the wait of the balances.
  expect(await waitOf('provider_days')).toMatchObject({ waiting: before.waiting });
  await balance(stamp);
  const waiting = await waitOf('provider_days');
  expect(waiting.waiting).toBe(before.waiting + 1);
  expect(waiting.secondsMax).toBeGreaterThanOrEqual(6_000);
  await history.admin.execute(`INSERT INTO provider_days (day, computed_at)
    SELECT toDate(now('UTC')) - 3, now64(3, 'UTC')`);
  expect(await waitOf('provider_days')).toMatchObject({ waiting: before.waiting });
});

it('has a line for each table in the runbook', () => {
  for (const table of TABLES) expect(RUNBOOK).toContain(`\`${table}\``);
});
