import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLICKHOUSE_LIMITS, openClickHouse, type ClickHouse }
  from '../../../services/adapters/clickhouse/clickhouse.ts';
import { createItemOutcomeReader } from '../../../services/adapters/clickhouse/item-outcomes.ts';
import { createIds } from '../../../services/adapters/system/system.ts';
import type { ItemOutcomeReader } from '../../../services/kernel/ingest.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { stackEnv } from '../../support/stack.ts';
import { createHistory, post, writePosts, type History } from './history.ts';

const CLIENT = '100000000000001';
// Long enough ago: a record without rows that is newer may still wait for them.
const NOW_MS = Date.now() - 60_000;
const ids = createIds({ nowMs: () => NOW_MS });
let history: History;
let store: ClickHouse;
let recordOutcomes: ItemOutcomeReader;

beforeAll(async () => {
  history = await createHistory();
  const env = stackEnv();
  store = openClickHouse({
    ...CLICKHOUSE_LIMITS, url: env.CLICKHOUSE_URL, user: env.CLICKHOUSE_HISTORY_USER,
    password: env.CLICKHOUSE_HISTORY_PASSWORD, database: history.database, resultRowsMax: 10_000,
  }, { signals: silentSignals });
  recordOutcomes = createItemOutcomeReader(store);
});
afterAll(async () => {
  await store.close();
  await history.drop();
});

describe('reading the item outcomes of a call', () => {
  it('[GEN-07] finds every record of the sender by the id, and only those', async () => {
    const [id, other] = [ids.ingestId(), ids.ingestId()];
    const fix = (seconds: number) => ({
      timestamp: Math.floor(NOW_MS / 1000) - seconds, country_id: 'BR', latitude: 1, longitude: 2,
    });
    const sent = (ingestId: string, offset: number, ...seconds: number[]) => (
      post(seconds.map(fix), {
        device: 'd1', offset, receivedAtMs: NOW_MS, headers: { 'ingest-id': ingestId },
      })
    );
    await writePosts(history.ingest, [
      sent(id, 1, 3, 2), sent(other, 2, 1), sent(id, 3, 2), sent(`${id.slice(0, -1)}x`, 4, 9),
    ]);
    const outcomes = {
      outlier: 0, out_of_order: 0, ignored_after_final: 0, disputed: 0, dead_lettered: 0,
    };
    const record = {
      kind: 'locations', topic: 'rtt.locations.v1', partition: 3, received_at_ms: NOW_MS,
      waiting: 0, rule: undefined, unmapped: false, deadLetter: undefined, outlierReasons: {},
    };
    expect(await recordOutcomes.find(CLIENT, id.toUpperCase())).toEqual([
      { ...record, offset: 1, items: 2, outcomes: { ...outcomes, stored: 2, duplicate: 0 } },
      { ...record, offset: 3, items: 1, outcomes: { ...outcomes, stored: 0, duplicate: 1 } },
    ]);
    expect(await recordOutcomes.find('100000000000002', id)).toEqual([]);
  });

  it('[GEN-27] [LOC-23] names the reasons of outliers', async () => {
    const id = ids.ingestId();
    const at = (timestamp: number) => ({ timestamp, country_id: 'BR', latitude: 1, longitude: 2 });
    await writePosts(history.ingest, [post(
      [at(0), at(1), at(Math.floor(NOW_MS / 1000) - 500 * 86_400), at(Math.floor(NOW_MS / 1000))],
      { device: 'd2', offset: 70, receivedAtMs: NOW_MS, headers: { 'ingest-id': id } },
    )]);
    expect(await recordOutcomes.find(CLIENT, id)).toMatchObject([{
      items: 4, outcomes: { stored: 1, outlier: 3 },
      outlierReasons: { clock_not_set: 2, too_old: 1 },
    }]);
  });

  it('finds nothing for what is no id, not even records without one', async () => {
    await writePosts(history.ingest, [post([], { offset: 9 })]);
    for (const id of ['', 'x', '00000000-0000-0000-0000-000000000000', "' OR 1 = 1 --"]) {
      expect(await recordOutcomes.find(CLIENT, id)).toEqual([]);
    }
  });

  it('lists the newest calls of the sender by their ids, each with all its items', async () => {
    const client = '100000000000009';
    const at = Math.floor(NOW_MS / 1_000);
    const fixes = (count: number) => Array.from({ length: count }, (_, nth) => ({
      timestamp: at - nth, country_id: 'BR', latitude: 3, longitude: 4,
    }));
    // Ids of one millisecond have no order.
    const [first, second, third, others] = [4, 3, 2, 1].map((ago) => (
      createIds({ nowMs: () => NOW_MS - ago }).ingestId()));
    const sent = (id: string | undefined, offset: number, count: number, more: object = {}) => (
      post(fixes(count), {
        device: 'd5', offset, receivedAtMs: NOW_MS, headers: { 'ingest-id': id ?? '', client, ...more },
      }));
    const posts = [
      sent(first, 201, 1), sent(second, 202, 2), sent(second, 203, 3), sent(third, 204, 4),
      sent(others, 205, 5, { client: '100000000000008' }), sent(undefined, 206, 6),
      sent(ids.ingestId(), 207, 7, { 'replayed-from': 'topic-a:3:204' }),
    ];
    await writePosts(history.ingest, posts);
    // The log is read again: the same records come in another insert.
    await writePosts(history.ingest, posts.slice(0, 3));
    const list = (limit: number, sinceMs = NOW_MS - 60_000) => (
      recordOutcomes.newest(client, { sinceMs, limit }));
    const call = { received_at_ms: NOW_MS, kind: 'locations', provider: 'acme' };
    expect(await list(20)).toEqual([
      { ...call, ingestId: third, items: 4 }, { ...call, ingestId: second, items: 5 },
      { ...call, ingestId: first, items: 1 },
    ]);
    expect((await list(2)).map(({ ingestId }) => ingestId)).toEqual([third, second]);
    expect(await list(20, NOW_MS + 1)).toEqual([]);
    expect(await recordOutcomes.newest('100000000000010', { sinceMs: 0, limit: 20 })).toEqual([]);
  });

  it('is a fault without a store', async () => {
    await expect(createItemOutcomeReader(undefined).newest(CLIENT, { sinceMs: 0, limit: 1 }))
      .rejects.toMatchObject({ code: 'sink_unavailable' });
    await expect(createItemOutcomeReader(undefined).find(CLIENT, ids.ingestId()))
      .rejects.toMatchObject({ code: 'sink_unavailable', retryable: true });
  });
});
