import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHistory, record, writePosts, type History, type PostFacts } from './history.ts';

let history: History;
let made = 0;
const fresh = (kind: string): string => `${kind}-${made += 1}`;
const NOW_MS = Date.parse('2026-06-01T12:00:00Z');
const NOW = NOW_MS / 1000;
const START = '2026-06-01T11:00:00Z';
const END = '2026-06-01T11:00:05Z';
const event = (over: object = {}) => (
  { name: 'harsh_braking', start_date: START, end_date: END, ...over }
);

beforeAll(async () => { history = await createHistory(); });
afterAll(async () => { await history.drop(); });

function eventsOf(device: string, events: readonly object[], facts: Partial<PostFacts> = {}) {
  const body = { device_id: 'forged', post_timestamp: NOW - 1, events, extra: { a: [1] } };
  return record('rtt.telemetry-events.v1', device, body, { receivedAtMs: NOW_MS, ...facts });
}

async function send(device: string, events: readonly object[], facts: Partial<PostFacts> = {}) {
  expect(await writePosts(history.ingest, [eventsOf(device, events, facts)])).toEqual([]);
}

const seen = (device: string, view = 'v_telemetry_events') => history.analyst.query(
  `SELECT * FROM ${view} WHERE device_id = {device:String} ORDER BY start_date, name`, { device },
);

describe('what an event keeps', () => {
  it('[EVT-06] keeps every optional field, under what was admitted', async () => {
    const device = fresh('device');
    await send(device, [event({
      distance: 12.5, latitude: -23.55052, longitude: -46.633308, status: 1.5, external_id: 'ev-7',
      last_updated_date: '2026-06-01T08:01:00.250-03:00',
      metadata: [{ name: 'road', value: 'BR-116' }, { name: 'road', value: '"q"\n' }],
    })], { headers: { transport: '9007199254740991', country: 'AR' } });
    expect(await seen(device)).toMatchObject([{
      name: 'harsh_braking', start_date: '2026-06-01 11:00:00.000',
      end_date: '2026-06-01 11:00:05.000', distance: 12.5, latitude: -23.55052,
      longitude: -46.633308, status: 1.5, external_id: 'ev-7',
      last_updated_date: '2026-06-01 11:01:00.250', flags: [],
      metadata: [{ name: 'road', value: 'BR-116' }, { name: 'road', value: '"q"\n' }],
      client_id: '100000000000001', provider: 'acme', call_country_id: 'AR',
      transport_id: '9007199254740991',
    }]);
    expect(await seen('forged')).toEqual([]);
  });

  it('keeps absent fields absent', async () => {
    const device = fresh('device');
    await send(device, [event()]);
    expect(await seen(device)).toMatchObject([{
      distance: null, latitude: null, longitude: null, status: null, last_updated_date: null,
      external_id: '', metadata: [],
    }]);
  });

  it('[EVT-07] [GEN-24] [GEN-34] gives out external_id as text, a long number exactly', async () => {
    const device = fresh('device');
    await send(device, [
      event({ external_id: 9_007_199_254_740_991 }),
      event({ external_id: '0077', start_date: '2026-06-01T11:00:01Z' }),
      event({ external_id: '9223372036854775807', start_date: '2026-06-01T11:00:02Z' }),
    ]);
    expect((await seen(device)).map(({ external_id }) => external_id))
      .toEqual(['9007199254740991', '0077', '9223372036854775807']);
  });

  it('[GEN-26] reads each form of an offset as the same instant', async () => {
    const forms = [
      '2026-06-01T11:00:00Z', '2026-06-01t11:00:00z', '2026-06-01T08:00:00-03:00',
      '2026-06-01T08:00:00-0300', '2026-06-01T08:00:00-03', '2026-06-02T01:00:00+14',
      '2026-06-01T08:00-03:00', '2026-06-01t11:00z', '2026-06-01T11:00:00,0009Z',
      '2026-06-01T16:30:00.000+05:30', '2026-06-01T11:00:00.000000000000000000000000000Z',
      '2026-05-31T23:00:00-1200',
    ];
    for (const start_date of forms) {
      const device = fresh('device');
      await send(device, [event({ start_date })]);
      expect((await seen(device)).map((row) => row['start_date']), start_date)
        .toEqual(['2026-06-01 11:00:00.000']);
    }
  });

  it('[GEN-26] counts an event and the same in another offset as one fact', async () => {
    const device = fresh('device');
    const turned = { start_date: '2026-06-01T08:00:00-03', end_date: '2026-06-01T16:30:05+0530' };
    await send(device, [event()]);
    await send(device, [event(turned)]);
    expect(await seen(device)).toHaveLength(1);
  });

  it('keeps events apart that differ in anything, and repeats once', async () => {
    const device = fresh('device');
    const others = [
      { name: 'sharp_turn' }, { end_date: '2026-06-01T11:00:06Z' }, { distance: 0 },
      { latitude: 0 }, { longitude: 0 }, { external_id: '0' }, { status: 0 },
      { last_updated_date: START }, { metadata: [{ name: 'a', value: 'b' }] },
    ].map((over) => event(over));
    await send(device, [event(), ...others], { offset: 0 });
    await send(device, [...others, event()], { receivedAtMs: NOW_MS + 40 * 86_400_000 });
    const rows = await seen(device);
    expect(rows).toHaveLength(10);
    expect(new Set(rows.map(({ k_offset }) => k_offset))).toEqual(new Set(['0']));
  });

  it('flags what is odd and refuses nothing', async () => {
    const device = fresh('device');
    await send(device, [
      event({ start_date: '2026-06-01T12:05:01Z', end_date: '2026-06-01T12:05:02Z' }),
      event({ start_date: '2026-06-01T12:05:00Z', end_date: '2026-06-01T12:04:59Z' }),
      event({ latitude: 0, longitude: 0, start_date: '2026-05-31T11:59:59Z' }),
    ]);
    expect((await seen(device)).map(({ flags }) => flags))
      .toEqual([['zero_position', 'stale'], ['reversed'], ['future']]);
  });

  it('keeps events of impossible times apart, whatever the year', async () => {
    const device = fresh('device');
    const dates = [
      '0001-01-01T00:00:00+14', '1969-12-31T23:59:59Z', '2026-06-02T12:00:01Z',
      '9999-12-31T23:59:59.999-14', '2025-04-27T11:59:59Z',
    ];
    await send(device, dates.map((start_date) => event({ start_date })));
    expect(await seen(device)).toEqual([]);
    const rows = await seen(device, 'v_telemetry_event_outliers');
    expect(rows.map(({ reason }) => reason).sort())
      .toEqual(['clock_not_set', 'clock_not_set', 'clock_not_set', 'too_far_ahead', 'too_old']);
  });

  it('keeps 500 events of one body, and none of an event of another kind', async () => {
    const device = fresh('device');
    await send(device, Array.from({ length: 500 }, (_, i) => event({ external_id: i })));
    expect(await seen(device)).toHaveLength(500);
  });
});

describe('deferred answers', () => {
  const answerOf = (id: string, over: object = {}) => record(
    'rtt.deferred-events.v1', '987654',
    {
      id, transport_id: 987_654, route_distance: 182.4, post_timestamp: NOW - 1,
      events: [event()], ...over,
    },
    { receivedAtMs: NOW_MS, headers: { transport: '987654' } },
  );
  const at = (ms: number, sent: ReturnType<typeof answerOf>) => (
    { ...sent, headers: { ...sent.headers, 'received-at': String(NOW_MS + ms) } }
  );
  const write = async (...records: ReturnType<typeof answerOf>[]) => {
    expect(await writePosts(history.ingest, records)).toEqual([]);
  };
  const events = (id: string) => history.analyst.query(
    'SELECT * FROM v_deferred_events WHERE request_id = {id:String} ORDER BY item', { id },
  );
  const answers = (id: string) => history.analyst.query(
    'SELECT * FROM v_deferred_answers WHERE request_id = {id:String}', { id },
  );

  it('[DEF-05] [DEF-09] keeps an answer with its request, and every field of its events', async () => {
    const id = fresh('id');
    await write(answerOf(id, { events: [
      event({
        distance: 3, latitude: 1.5, longitude: 2.5, metadata: [{ name: 'a', value: 'b' }],
        start_date: '2026-06-01T08:00:00-03',
      }),
      event(), event(),
    ] }));
    expect(await events(id)).toMatchObject([
      {
        provider: 'acme', item: 1, name: 'harsh_braking', start_date: '2026-06-01 11:00:00.000',
        end_date: '2026-06-01 11:00:05.000', distance: 3, latitude: 1.5, longitude: 2.5,
        metadata: [{ name: 'a', value: 'b' }], transport_id: '987654', route_distance: 182.4,
      },
      { item: 2, distance: null }, { item: 3 },
    ]);
    expect(await answers(id)).toMatchObject([
      { provider: 'acme', transport_id: '987654', events: 3, answers: '1', route_distance: 182.4 },
    ]);
  });

  it('keeps an answer without events', async () => {
    const id = fresh('id');
    await write(answerOf(id, { events: [] }));
    expect(await answers(id)).toMatchObject([{ events: 0, answers: '1' }]);
    expect(await events(id)).toEqual([]);
  });

  it('[DEF-11] counts the same answer once, and shows the newest of different ones', async () => {
    const id = fresh('id');
    const first = { events: [event(), event({ name: 'sharp_turn' })] };
    const second = { events: [event({ name: 'speeding_ops' })], route_distance: 190 };
    await write(answerOf(id, first));
    await write(at(1_000, answerOf(id, { ...first, post_timestamp: NOW })));
    expect(await answers(id)).toMatchObject([{ events: 2, answers: '1' }]);

    await write(at(2_000, answerOf(id, second)));
    await write(at(40 * 86_400_000, answerOf(id, first)));
    expect(await answers(id)).toMatchObject([{ events: 1, answers: '2', route_distance: 190 }]);
    expect(await events(id)).toMatchObject([{ name: 'speeding_ops', route_distance: 190 }]);
    const kept = await history.admin.query(
      'SELECT name FROM deferred_events FINAL WHERE request_id = {id:String}', { id },
    );
    expect(kept).toHaveLength(3);
  });

  it('keeps the answers of two providers to the same id apart', async () => {
    const id = fresh('id');
    const other = answerOf(id, { events: [] });
    await write(answerOf(id), { ...other, headers: { ...other.headers, provider: 'other' } });
    expect((await answers(id)).map(({ provider }) => provider).sort()).toEqual(['acme', 'other']);
  });
});
