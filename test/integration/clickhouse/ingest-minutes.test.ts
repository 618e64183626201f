import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLICKHOUSE_LIMITS, openClickHouse, type ClickHouse } from '../../../services/adapters/clickhouse/clickhouse.ts';
import { createIngestMinutes } from '../../../services/adapters/clickhouse/ingest-minutes.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { received, recordJourneys } from '../../support/journeys.ts';
import { stackEnv } from '../../support/stack.ts';
import { createHistory, post, writePosts, type History } from './history.ts';
import { journeyRecord, notificationRecord } from './shipments.ts';

const MINUTE_MS = 60_000;
const FIRST_MS = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 10 * MINUTE_MS;
let history: History;
let pictures: ClickHouse;
beforeAll(async () => {
  history = await createHistory();
  const env = stackEnv();
  pictures = openClickHouse({
    ...CLICKHOUSE_LIMITS, url: env.CLICKHOUSE_URL, user: env.CLICKHOUSE_PICTURES_USER,
    password: env.CLICKHOUSE_PICTURES_PASSWORD, database: history.database, resultRowsMax: 10_001,
  }, { signals: silentSignals });
});
afterAll(async () => {
  await pictures.close();
  await history.drop();
});

const fix = (secondsBefore: number) => ({
  timestamp: Math.floor(FIRST_MS / 1_000) - secondsBefore, country_id: 'BR', latitude: -23.5,
  longitude: -46.6,
});
const sent = (nth: number, minute: number, fixes: readonly object[], n = fixes.length) => (
  post(fixes, {
    offset: nth, receivedAtMs: FIRST_MS + minute * MINUTE_MS + nth,
    headers: { 'ingest-id': `0198c0de-0000-7000-8000-00000000000${nth}`, 'n': String(n) },
  }));
/** A stored one, a repeat, an older, the final one, one behind it, and one without an outcome. */
const CODES = ['EX-HUB', 'EX-HUB', 'EX-COLLECTED', 'EX-DELIVERED', 'EX-HUB', 'EX-HUB'];
const TIMES = [10, 10, 5, 11, 12, 13];

function notifications() {
  const at = FIRST_MS + MINUTE_MS;
  const idOf = (nth: number) => ({ topic_id: 'n1', partition: 3, offset: nth });
  const sentOnes = CODES.map((_, nth) => ({
    ...notificationRecord('N1', {
      recordId: idOf(nth), text: '{}', image: undefined, received_at_ms: at,
    }),
  }));
  const { events } = recordJourneys(CODES.map((code, nth) => received(1, code, TIMES[nth] ?? 0, {
    tracking_number: 'N1', received_at_ms: at, notification: idOf(nth),
  })));
  return [
    ...sentOnes,
    ...events.slice(0, -1).map((event, nth) => ({ ...journeyRecord(event, nth), partition: 3 })),
  ];
}

const minutes = () => createIngestMinutes(pictures).find(FIRST_MS, FIRST_MS + 5 * MINUTE_MS);
const text = (ms: number) => new Date(ms).toISOString().slice(0, 23).replace('T', ' ');
/** What analysts read of the same minutes. */
const balance = () => history.analyst.query(`
  SELECT toUnixTimestamp(minute) AS minute_s, kind, calls, accepted, stored + duplicate AS stored,
         outlier, out_of_order, ignored_after_final, disputed, dead_lettered,
         unexplained AS waiting
  FROM v_ingest_balance(since = '${text(FIRST_MS)}', until = '${text(FIRST_MS + 5 * MINUTE_MS)}')
  ORDER BY minute_s, kind`);

describe('accepted items by minute', () => {
  it('are their outcomes together, and the same as the balance that analysts read', async () => {
    await writePosts(history.ingest, [
      sent(1, 0, [fix(1), fix(2), fix(3)]), sent(2, 0, [fix(3), fix(600 * 86_400)]),
      // One item of it never came into a table.
      sent(3, 2, [fix(9)], 2),
    ]);
    await writePosts(history.ingest, notifications());
    const none = {
      stored: 0, outlier: 0, out_of_order: 0, ignored_after_final: 0, disputed: 0,
      dead_lettered: 0, waiting: 0,
    };
    const found = await minutes();
    expect(found).toEqual([
      { ...none, minuteMs: FIRST_MS, kind: 'locations', calls: 2, accepted: 5, stored: 4, outlier: 1 },
      {
        ...none, minuteMs: FIRST_MS + MINUTE_MS, kind: 'notifications', calls: 1, accepted: 6,
        stored: 3, out_of_order: 1, ignored_after_final: 1, waiting: 1,
      },
      {
        ...none, minuteMs: FIRST_MS + 2 * MINUTE_MS, kind: 'locations', calls: 1, accepted: 2,
        stored: 1, waiting: 1,
      },
    ]);
    for (const { accepted, calls: _, minuteMs: __, kind: ___, ...outcomes } of found) {
      expect(Object.values(outcomes).reduce((sum, each) => sum + each, 0)).toBe(accepted);
    }
    expect((await balance()).map(({ minute_s, kind, ...counts }) => ({
      minuteMs: Number(minute_s) * 1_000, kind,
      ...Object.fromEntries(Object.entries(counts).map(([name, each]) => [name, Number(each)])),
    }))).toEqual(found);
  }, 60_000);

  it('are an outage where there is no store', async () => {
    await expect(createIngestMinutes(undefined).find(0, 1))
      .rejects.toMatchObject({ code: 'sink_unavailable' });
  });
});
