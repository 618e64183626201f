import fc from 'fast-check';
import { latLngToCell } from 'h3-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHistory, post, writePosts, type History } from '../clickhouse/history.ts';
import { postsInAnyOrder, seedOfRun } from '../clickhouse/random-order.ts';
import { heatOf, type HeatFix } from './heat-of.ts';

const SEED = seedOfRun();
const DAY_S = 86_400;
const FIRST = (Math.floor(Date.now() / 1_000 / DAY_S) - 12) * DAY_S;
const DAYS = 3;
let history: History;

const moments = fc.sample(fc.record({
  device: fc.integer({ min: 0, max: 3 }), at: fc.integer({ min: 0, max: DAYS * DAY_S - 90 }),
  cell: fc.integer({ min: 0, max: 2 }), late: fc.constantFrom(5, 5, 2 * DAY_S),
  isZero: fc.constantFrom(false, false, false, true),
}), { numRuns: 240, seed: SEED });
/** Two fixes of one place and one 2 km north of it, half of them without a speed. */
const sent = moments.map(({ device, at, cell, late, isZero }, index) => ({
  device: `d-${device}`, provider: `p${device % 2}`, late, index,
  fixes: [0, 7, 31].map((second) => ({
    ts: FIRST + at + second, latitude: isZero ? 0 : -23.5 + cell / 50 + (second === 31 ? 0.02 : 0),
    longitude: isZero ? 0 : -46.6, speed: index % 2 === 0 ? 30 : undefined,
  })),
}));
const posts = sent.map(({ device, provider, late, index, fixes }) => post(
  fixes.map(({ ts: timestamp, speed, ...place }) => ({
    timestamp, country_id: 'BR', ...place,
    ...(speed === undefined ? {} : { telemetry: { timestamp, speed } }),
  })),
  {
    device, offset: index + 1, headers: { provider },
    receivedAtMs: ((fixes.at(-1)?.ts ?? 0) + late) * 1_000,
  },
));
const all: readonly HeatFix[] = sent.flatMap(({ device, provider, fixes }) => (
  fixes.map((fix) => ({ device, provider, ...fix }))
));

const shown = (where = '') => history.analyst.query(`
  SELECT provider, hour, h3ToString(h3) AS cell, devices, seconds FROM v_heat ${where}
  ORDER BY provider, hour, cell`);

beforeAll(async () => {
  history = await createHistory();
  for (const some of postsInAnyOrder(posts, SEED)) {
    expect(await writePosts(history.ingest, some)).toEqual([]);
  }
}, 120_000);
afterAll(async () => { await history.drop(); });

describe(`heat by hour and cell (seed ${SEED})`, () => {
  it('is that of the fixes, whatever comes late, again and in no order', async () => {
    const expected = heatOf(all);
    expect(expected.length).toBeGreaterThan(100);
    expect(await shown()).toEqual(expected);
  });

  it('has fixes without a speed', async () => {
    const silent = all.filter(({ ts, latitude }) => latitude !== 0 && !all.some((other) => (
      Math.floor(other.ts / 3_600) === Math.floor(ts / 3_600) && other.speed !== undefined
    )));
    expect(silent.length).toBeGreaterThan(0);
    const rows = await shown();
    for (const fix of silent) {
      expect(rows.some(({ cell, seconds }) => (
        cell === latLngToCell(fix.latitude, fix.longitude, 8) && Number(seconds) > 0
      ))).toBe(true);
    }
  });

  it('reads the parts of one day alone when it is asked for a day', async () => {
    const day = new Date((FIRST + DAY_S) * 1_000).toISOString().slice(0, 10);
    expect(await shown(`WHERE day = '${day}'`)).toEqual(heatOf(all.filter(({ ts }) => (
      Math.floor((ts - FIRST) / DAY_S) === 1
    ))));
    const rowsOf = async (where: string): Promise<number> => (
      await history.admin.query(`EXPLAIN ESTIMATE SELECT * FROM v_heat ${where}`)
    ).reduce((sum, row) => sum + Number(row['rows']), 0);
    expect(await rowsOf(`WHERE day = '${day}'`)).toBeLessThan(await rowsOf(''));
  });
});
