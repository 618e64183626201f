import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLICKHOUSE_LIMITS, openClickHouse } from '../../../services/adapters/clickhouse/clickhouse.ts';
import { createPlatformHistory } from '../../../services/adapters/clickhouse/platform-history.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import type { PlatformHistory } from '../../../services/kernel/platform-history.ts';
import type { JourneyRecorded } from '../../../services/kernel/shipments.ts';
import { received, recordJourneys } from '../../support/journeys.ts';
import { stackEnv } from '../../support/stack.ts';
import { createHistory, record, writePosts, type History } from './history.ts';
import { journeyRecord, notificationRecord, writeLines } from './shipments.ts';

let history: History;
let read: PlatformHistory;
let close: () => Promise<void>;

beforeAll(async () => {
  history = await createHistory();
  const env = stackEnv();
  const store = openClickHouse({
    ...CLICKHOUSE_LIMITS, url: env.CLICKHOUSE_URL ?? '', user: env.CLICKHOUSE_HISTORY_USER ?? '',
    password: env.CLICKHOUSE_HISTORY_PASSWORD ?? '', database: history.database,
    resultRowsMax: 10_000,
  }, { signals: silentSignals });
  close = () => store.close();
  read = createPlatformHistory(store);
});
afterAll(async () => {
  await close();
  await history.drop();
});

async function notified(
  tracking_number: string, offset: number, date: string, place: object | undefined,
  outcome: JourneyRecorded['outcome'] = 'applied',
): Promise<void> {
  const notification = { topic_id: 'topic-1', partition: 0, offset };
  const payload = { date, ...(place === undefined ? {} : { location: place }) };
  const text = JSON.stringify({ tracking_number, code: '0114', carrier_code: 'NEAR', payload });
  await writeLines(history.ingest, 'in_notifications', [notificationRecord(tracking_number, {
    recordId: notification, text, image: undefined, received_at_ms: 1_764_000_000_000 + offset,
  })]);
  const [event] = recordJourneys([
    received(offset, 'EX-HUB', 1, { tracking_number, notification }),
  ]).events;
  await writeLines(history.ingest, 'in_journeys', [
    journeyRecord({ ...event as JourneyRecorded, outcome }, offset),
  ]);
}

describe('what the platform reads of the tables', () => {
  it('[PLT-08] is the place of the newest applied notification that names one', async () => {
    await notified('P1', 1, '2025-11-24T10:00:00Z', { country_id: 'BR', city_name: 'Campinas' });
    await notified('P1', 2, '2025-11-24T09:00:00Z', { country_id: 'BR', city_name: 'Santos' });
    await notified('P1', 3, '2025-11-24T11:00:00Z', undefined);
    await notified('P1', 4, '2025-11-24T12:00:00Z', { country_id: 'AR' }, 'ignored_after_final');
    expect(await read.lastPlace('P1')).toEqual({
      country_id: 'BR', city: 'Campinas', code: '0114', carrier_code: 'NEAR',
      occurred_at_ms: Date.parse('2025-11-24T10:00:00Z'), received_at_ms: 1_764_000_000_001,
    });
    await notified('P2', 5, '2025-11-24T11:00:00Z', undefined);
    expect(await read.lastPlace('P2')).toBeUndefined();
  });

  it('[PLT-11] is the newest deferred answer to a command, with its events in their order', async () => {
    const event = {
      name: 'speeding_route', start_date: '2025-11-24T10:00:00Z', end_date: '2025-11-24T10:01:00Z',
    };
    const answer = (id: string, events: readonly object[], at: number) => record(
      'rtt.deferred-events.v1', '987654',
      {
        id, route_distance: 412.5, transport_id: 987_654, events,
        post_timestamp: 1_764_000_000 + at,
      },
      { receivedAtMs: 1_764_000_000_000 + at, headers: { transport: '987654' } },
    );
    expect(await writePosts(history.ingest, [
      answer('cmVx', [event], 1),
      answer('cmVx', [
        { ...event, name: 'harsh_braking', latitude: -23.5, metadata: [{ name: 'a', value: 'b' }] },
        { ...event, distance: 12.5 },
      ], 2),
    ])).toEqual([]);
    const at_ms = {
      start_date_ms: Date.parse(event.start_date), end_date_ms: Date.parse(event.end_date),
    };
    expect(await read.deferredAnswer('acme', 'cmVx')).toEqual({
      answers: 2, route_distance: 412.5, received_at_ms: 1_764_000_000_002,
      events: [
        { name: 'harsh_braking', ...at_ms, latitude: -23.5, metadata: [{ name: 'a', value: 'b' }] },
        { name: 'speeding_route', ...at_ms, distance: 12.5, metadata: [] },
      ],
    });
    const [seen] = await history.admin.query(
      'SELECT answers, route_distance FROM v_deferred_answers WHERE request_id = {id:String}',
      { id: 'cmVx' },
    );
    expect(seen).toEqual({ answers: '2', route_distance: 412.5 });
    expect(await read.deferredAnswer('best', 'cmVx')).toBeUndefined();
  });

  it('is an outage where there is no store', async () => {
    const none = createPlatformHistory(undefined);
    await expect(none.lastPlace('P1')).rejects.toMatchObject({ code: 'sink_unavailable' });
    await expect(none.deferredAnswer('acme', 'x')).rejects.toMatchObject({ code: 'sink_unavailable' });
  });
});
