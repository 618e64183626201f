import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHistory, post, writePosts, type History } from './history.ts';
import { postsInAnyOrder, seedOfRun } from './random-order.ts';

const SEED = seedOfRun();
const DAY_S = 86_400;
const FIRST = (Math.floor(Date.now() / 1_000 / DAY_S) - 20) * DAY_S;
const DAYS = 10;
const TRANSPORTS = [0, 7, 8, 9];
/** In seconds after the first day begins. */
const SPANS = [[0, DAYS * DAY_S], [DAY_S / 2, DAY_S], [3 * DAY_S, 5 * DAY_S + 7]] as const;
let history: History;

/** Posts of some devices that change their transport; some come late, some again under another. */
const posts = fc.sample(fc.record({
  device: fc.integer({ min: 1, max: 6 }), at: fc.integer({ min: 0, max: DAYS * DAY_S - 60 }),
  transport: fc.constantFrom(...TRANSPORTS), late: fc.constantFrom(5, 90_000, 3 * DAY_S),
  again: fc.option(fc.constantFrom(...TRANSPORTS)),
}), { numRuns: 200, seed: SEED }).flatMap(({ device, at, transport, late, again }, index) => {
  const fixes = [0, 30].map((second) => ({
    timestamp: FIRST + at + second, country_id: 'BR', latitude: -23 - at / 1e6, longitude: -46,
  }));
  const sent = (of: number, offset: number, after: number) => post(fixes, {
    device: `device-${device}`, offset, receivedAtMs: (FIRST + at + after) * 1_000,
    headers: { transport: String(of) },
  });
  return [
    sent(transport, index + 1, late),
    ...again === null ? [] : [sent(again, index + 1_000, late + 60)],
  ];
});

beforeAll(async () => {
  history = await createHistory();
  for (const some of postsInAnyOrder(posts, SEED)) {
    expect(await writePosts(history.ingest, some)).toEqual([]);
  }
});
afterAll(async () => { await history.drop(); });

describe(`the fixes of a transport (seed ${SEED})`, () => {
  it('are those that v_locations has of it, in whole days and parts of days', async () => {
    const columns = 'device_id, ts, latitude, longitude, transport_id, received_at, flags, provider';
    let found = 0;
    for (const transport of [...TRANSPORTS, 10]) {
      for (const [from, to] of SPANS) {
        const asked = { transport, since: FIRST + from, until: FIRST + to };
        const seen = await history.analyst.query(`
          SELECT ${columns} FROM v_transport_locations(transport = {transport:Int64},
            since = {since:DateTime('UTC')}, until = {until:DateTime('UTC')}) ORDER BY ALL`, asked);
        expect(seen, JSON.stringify(asked)).toEqual(await history.analyst.query(`
          SELECT ${columns} FROM v_locations
          WHERE transport_id = {transport:Int64} AND ts >= {since:DateTime('UTC')}
            AND ts < {until:DateTime('UTC')} ORDER BY ALL`, asked));
        found += seen.length;
      }
    }
    expect(found).toBeGreaterThan(200);
  });

  it('are read without the fixes of other transports, with late fixes of all of them', async () => {
    await history.admin.execute(`
      INSERT INTO locations (device_id, ts, received_at, transport_id)
      SELECT 'other-' || leftPad(toString(intDiv(number, 2000)), 2, '0'),
        toDateTime(${FIRST} + number % 2000 * 40) AS at,
        at + if(number % 100 = 0, ${2 * DAY_S}, 5), 100 + intDiv(number, 2000)
      FROM numbers(160000)`);
    const asked = `v_transport_locations(transport = 140, since = '${day(FIRST)}',
      until = '${day(FIRST + DAY_S)}')`;
    expect(await history.analyst.query(`SELECT count() AS n FROM ${asked}`))
      .toEqual([{ n: '2000' }]);
    const plan = (await history.admin.query(`EXPLAIN indexes = 1 SELECT count() FROM ${asked}`))
      .map(({ explain }) => String(explain)).join('\n');
    const [, read, all] = /device_id\n[^]*?Granules: (\d+)\/(\d+)/.exec(plan) ?? [];
    expect(Number(read)).toBeLessThanOrEqual(4);
    expect(Number(all)).toBeGreaterThan(15);
  });
});

function day(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ');
}
