import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLICKHOUSE_LIMITS, openClickHouse } from '../../../services/adapters/clickhouse/clickhouse.ts';
import { createPastFleet } from '../../../services/adapters/clickhouse/past-fleet.ts';
import type { PastFleet, PastFleetQuestion } from '../../../services/kernel/past-fleet.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { stackEnv } from '../../support/stack.ts';
import { createHistory, post, writePosts, type History } from './history.ts';

const MINUTE_S = Math.floor(Date.now() / 60_000) * 60 - 7_200;
const [A, B] = ['100000000000001', '100000000000002'];
let history: History;
let fleet: PastFleet;
let close: () => Promise<void>;

/** Devices of two clients on both sides of the 180th meridian. */
const DEVICES = [
  { device: 'd1', client: A, provider: 'p1', latitude: -16.8, longitude: 179.9 },
  { device: 'd2', client: A, provider: 'p2', latitude: -16.8, longitude: -179.9 },
  { device: 'd3', client: B, provider: 'p1', latitude: -16.8, longitude: 0.5 },
];

beforeAll(async () => {
  history = await createHistory();
  expect(await writePosts(history.ingest, DEVICES.map(({ device, client, provider, ...place }) => (
    post([{ timestamp: MINUTE_S + 7, country_id: 'FJ', ...place }], {
      device, receivedAtMs: (MINUTE_S + 9) * 1_000, headers: { client, provider },
    })
  )))).toEqual([]);
  const env = stackEnv();
  const store = openClickHouse({
    ...CLICKHOUSE_LIMITS, url: env.CLICKHOUSE_URL, user: env.CLICKHOUSE_PICTURES_USER,
    password: env.CLICKHOUSE_PICTURES_PASSWORD, database: history.database, resultRowsMax: 10_001,
  }, { signals: silentSignals });
  close = () => store.close();
  fleet = createPastFleet(store);
});
afterAll(async () => {
  await close();
  await history.drop();
});

const ask = (change: Partial<PastFleetQuestion> = {}) => fleet.find({
  atMs: MINUTE_S * 1_000, clientId: undefined, box: undefined, provider: undefined,
  after: undefined, limit: 10, ...change,
});
const idsOf = async (change: Partial<PastFleetQuestion>) => (
  (await ask(change)).fixes.map(({ device_id }) => device_id)
);

describe('the fleet of the past, as gateways read it', () => {
  it('has every member of a fix', async () => {
    expect((await ask()).fixes[0]).toEqual({
      device_id: 'd1', client_id: A, timestamp: MINUTE_S + 7, latitude: -16.8, longitude: 179.9,
      country_id: 'FJ', provider: 'p1',
    });
    expect(await ask({ atMs: MINUTE_S * 1_000 - 1 })).toEqual({ fixes: [], next: undefined });
  });

  it('is that of a client, of a provider and of a box, over the 180th meridian too', async () => {
    const box = {
      min_longitude: 179, max_longitude: -179, min_latitude: -16.8, max_latitude: -16.8,
    };
    expect(await idsOf({})).toEqual(['d1', 'd2', 'd3']);
    expect(await idsOf({ clientId: A })).toEqual(['d1', 'd2']);
    expect(await idsOf({ provider: 'p1' })).toEqual(['d1', 'd3']);
    expect(await idsOf({ box })).toEqual(['d1', 'd2']);
    expect(await idsOf({ box: { ...box, min_longitude: -180, max_longitude: 179 } }))
      .toEqual(['d2', 'd3']);
  });

  it('comes by pages, each device on one of them', async () => {
    expect(await ask({ limit: 2 })).toMatchObject({ next: 'd2', fixes: [{}, {}] });
    expect(await ask({ limit: 2, after: 'd2' })).toMatchObject({
      next: undefined, fixes: [{ device_id: 'd3' }],
    });
    expect((await ask({ limit: 3 })).next).toBeUndefined();
  });

  it('is an outage where there is no store', async () => {
    await expect(createPastFleet(undefined).find({ atMs: 0 } as never))
      .rejects.toMatchObject({ code: 'sink_unavailable' });
  });
});
