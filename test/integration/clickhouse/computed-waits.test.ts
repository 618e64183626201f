import { afterAll, beforeAll, expect, it } from 'vitest';
import { createComputedWaits } from '../../../services/adapters/clickhouse/computed-waits.ts';
import type { ComputedWait } from '../../../services/kernel/computed-waits.ts';
import { computeDays } from '../../support/compute-days.ts';
import { createHistory, post, writePosts, type History } from './history.ts';

let history: History;

beforeAll(async () => { history = await createHistory(); });
afterAll(async () => { await history.drop(); });

async function waitOf(table: string): Promise<ComputedWait> {
  const waits = await createComputedWaits(history.ingest).read();
  expect(waits.map((wait) => wait.table).toSorted()).toEqual([
    'device_days', 'device_hours', 'ingest_balances',
  ]);
  return waits.find((wait) => wait.table === table) ?? { table, waiting: -1, secondsMax: -1 };
}

it('knows the hours of devices that wait since their first fix, until they are computed', async () => {
  expect(await waitOf('device_hours')).toMatchObject({ waiting: 0, secondsMax: 0 });
  const noonS = Math.floor(Date.now() / 86_400_000) * 86_400 - 43_200;
  const fix = { timestamp: noonS + 1_800, country_id: 'BR', latitude: -23.5, longitude: -46.6 };
  await writePosts(history.ingest, [post([fix], { offset: 1 })]);
  expect(await waitOf('device_hours')).toMatchObject({ waiting: 1 });
  const mark = (columns: string, times: string): Promise<void> => history.admin.execute(`
    INSERT INTO device_hour_marks (device_id, hour, ${columns})
    SELECT device_id, hour, ${times} FROM device_hour_marks LIMIT 1`);
  await mark('first_marked_at, marked_at', "now64(3, 'UTC') - 5000, now64(3, 'UTC') - 10");
  expect((await waitOf('device_hours')).secondsMax).toBeGreaterThanOrEqual(5_000);
  expect(await waitOf('device_days')).toMatchObject({ waiting: 0, secondsMax: 0 });
  await computeDays(history.admin);
  expect(await waitOf('device_hours')).toMatchObject({ waiting: 0, secondsMax: 0 });
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
