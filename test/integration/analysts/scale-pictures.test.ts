import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ScaleFleet } from '../../scale/fleet-sql.ts';
import { differingIn, type FleetMoment } from '../../scale/pictures/compare.ts';
import { fillFleet } from '../../scale/pictures/fill-fleet.ts';
import { compared, momentsOf } from '../../scale/pictures/run-pictures.ts';
import { createHistory, type History } from '../clickhouse/history.ts';

const DAY_MS = 86_400_000;
const FLEET: ScaleFleet = { devices: 40, days: 3, firstDay: Math.floor(Date.now() / DAY_MS) - 3 };
let history: History;
let moments: readonly FleetMoment[];

beforeAll(async () => {
  history = await createHistory();
  await fillFleet({
    store: history.admin, leaving: new AbortController().signal, print: () => undefined,
  }, FLEET);
  moments = (await momentsOf(history.admin, FLEET)).slice(0, 10);
}, 300_000);
afterAll(() => history.drop());

it('fills a fleet whose pictures are those of SQL, also after late and repeated fixes', async () => {
  expect(await compared(history.admin, moments))
    .toEqual({ compared: 100, differing: 0, differingAfterLate: 0 });
  const [late] = await history.admin.query(
    "SELECT uniqExact(device_id) AS n FROM v_locations WHERE provider = 'late'",
  );
  expect(Number(late?.['n'])).toBeGreaterThan(30);
}, 300_000);

it('finds a place that is not the last one', async () => {
  await history.admin.execute(`
    ALTER TABLE device_minutes DELETE WHERE frame_minutes = 1 SETTINGS mutations_sync = 2`);
  expect(await differingIn(history.admin, moments)).toBeGreaterThan(10);
}, 120_000);
