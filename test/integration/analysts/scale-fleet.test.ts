import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { computeDays, fill, type FleetFillPorts } from '../../scale/fill.ts';
import type { ScaleFleet } from '../../scale/fleet-sql.ts';
import { fillRest, isRestIn } from '../../scale/rest/fill-rest.ts';
import { REST_STEPS } from '../../scale/rest/rest-sql.ts';
import { toAsk } from '../../scale/to-ask.ts';
import { createHistory, type History } from '../clickhouse/history.ts';
import { liftPace } from './tracks.ts';

const FILL_MS_MAX = 300_000;
const DAY_MS = 86_400_000;
/** Four days, of which the last is yesterday. */
const FLEET: ScaleFleet = {
  devices: 10, days: 4, firstDay: Math.floor(Date.now() / DAY_MS) - 4,
};
const WINDOW = `since = '2000-01-01 00:00:00', until = '2100-01-01 00:00:00'`;

let history: History;
let ports: FleetFillPorts;
const recorded: string[][] = [];
beforeAll(async () => {
  history = await createHistory();
  ports = {
    store: history.admin, leaving: new AbortController().signal, print: () => undefined,
  };
  await liftPace(history.admin);
  await fill(ports, FLEET, 0, () => undefined);
  await fillRest(ports, FLEET, [], (steps) => { recorded.push([...steps]); });
  await computeDays(ports);
}, FILL_MS_MAX);
afterAll(() => history.drop());

/** The rows of every view of analysts that takes no window. */
async function rowsOfViews(): Promise<Readonly<Record<string, number>>> {
  const views = await history.admin.query(`
    SELECT name FROM system.tables
    WHERE database = currentDatabase() AND startsWith(name, 'v_') AND NOT as_select LIKE '%{%:%}%'
    ORDER BY name`);
  const counts: [string, number][] = [];
  for (const { name } of views) {
    const [row] = await history.admin.query(`SELECT count() AS n FROM ${String(name)}`);
    counts.push([String(name), Number(row?.['n'])]);
  }
  return Object.fromEntries(counts);
}

describe('the fleet at size', () => {
  it('notes each step once it is in', () => {
    expect(recorded.map((steps) => steps.at(-1))).toEqual(REST_STEPS.map(({ name }) => name));
    expect(recorded.map((steps) => isRestIn(steps)).indexOf(true)).toBe(REST_STEPS.length - 1);
  });

  it('gives every view something to show, and nothing more when it is filled again', async () => {
    const counts = await rowsOfViews();
    expect(Object.keys(counts).length).toBeGreaterThan(35);
    expect(Object.entries(counts).filter(([, rows]) => rows === 0)).toEqual([]);
    const steps: string[] = [];
    await fillRest(ports, FLEET, ['zones'], (done) => { steps.push(done.at(-1) ?? ''); });
    expect(steps).toEqual(REST_STEPS.slice(1).map(({ name }) => name));
    await computeDays(ports);
    expect(await rowsOfViews()).toEqual(counts);
  }, FILL_MS_MAX);

  it('has records whose items all have an outcome', async () => {
    const balance = await history.admin.query(`
      SELECT kind, sum(b.accepted) > 0 AS is_there, sum(b.unexplained) AS unexplained
      FROM v_ingest_balance(${WINDOW}) AS b GROUP BY kind ORDER BY kind`);
    expect(balance).toEqual([
      'deferred_events', 'delivery_locations', 'locations', 'notifications', 'telemetry_events',
    ].map((kind) => ({ kind, is_there: 1, unexplained: '0' })));
  });

  it('sends its devices to the stops that are planned for them', async () => {
    const [row] = await history.admin.query(`
      SELECT count() AS stops, countIf(arrived_at IS NULL) AS missed, countIf(is_on_time) AS in_time
      FROM v_on_time`);
    // Two routes a day with five stops; one route of the fourth day is cancelled.
    expect(row).toMatchObject({ stops: String((FLEET.days * 2 - 1) * 5), missed: '0' });
    expect(Number(row?.['in_time'])).toBeGreaterThan(0);
  });

  it('names a device, a shipment, a route and a zone that there are', async () => {
    const { examples, tables, views } = await toAsk(history.admin, FLEET);
    const rows = await history.analyst.query(`
      SELECT (SELECT count() FROM v_locations WHERE device_id = {device:String}) > 0 AS device,
             (SELECT count() FROM v_journeys WHERE tracking_number = {number:String}) > 0 AS number,
             (SELECT count() FROM v_delivery_locations WHERE traceable_id = {id:String}) > 0 AS id,
             (SELECT count() FROM v_on_time
              WHERE provider = 'p1' AND toString(route_id) = {route:String}) > 0 AS route,
             (SELECT count() FROM v_visits WHERE zone_id = 'customer-000') > 0 AS zone`, examples);
    expect(rows).toEqual([{ device: 1, number: 1, id: 1, route: 1, zone: 1 }]);
    expect(tables.map(({ table }) => table)).toContain('locations');
    expect(views).toContain('v_on_time');
  });
});
