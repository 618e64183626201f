import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIngestAudit } from '../../../services/adapters/clickhouse/ingest-audit.ts';
import { createIds } from '../../../services/adapters/system/system.ts';
import type { LogRecord } from '../../../services/kernel/record-log.ts';
import type { RowSink } from '../../../services/kernel/row-sink.ts';
import { recordJourneys, received } from '../../support/journeys.ts';
import { createHistory, post, record, writePosts, type History, type PostFacts }
  from './history.ts';
import { journeyRecord, notificationRecord } from './shipments.ts';

const ids = createIds({ nowMs: () => Date.now() });
const HOUR_MS = 3_600_000;
const NOW_MS = Math.floor(Date.now() / 60_000) * 60_000;
let history: History;
let hours = 0;
let devices = 0;

beforeAll(async () => { history = await createHistory(); });
afterAll(async () => { await history.drop(); });

/** What a test writes, and what is seen of it. */
function ownMinute() {
  // An hour of its own, and two between them; offsets of its own, for they make the tokens.
  hours += 3;
  const first = hours * 100;
  const atMs = NOW_MS - hours * HOUR_MS;
  const text = (ms: number): string => new Date(ms).toISOString().slice(0, 23).replace('T', ' ');
  const window = `since = '${text(atMs)}', until = '${text(atMs + 60_000)}'`;
  return {
    atMs,
    device: `device-${devices += 1}`,
    offset: (nth: number) => String(first + nth),
    call: (nth: number) => {
      const id = ids.ingestId();
      const headers = { 'ingest-id': id };
      const offset = first + nth;
      const facts: Partial<PostFacts> = { receivedAtMs: atMs + 5, offset, headers };
      return { id, facts };
    },
    outcomes: async (columns: string) => history.analyst.query(
      `SELECT ${columns} FROM v_ingest_outcomes(${window}) ORDER BY kind, k_offset`,
    ),
    balance: async (columns = '*') => history.analyst.query(
      `SELECT ${columns} FROM v_ingest_balance(${window}) ORDER BY kind`,
    ),
    gaps: async () => history.analyst.query(
      `SELECT k_partition, first_missing, last_missing, records FROM v_ingest_gaps(${window})`,
    ),
    alarm: () => createIngestAudit(history.ingest).unexplained(atMs, atMs + 60_000),
  };
}

const fix = (atMs: number, secondsBefore: number, over: object = {}) => ({
  timestamp: Math.floor(atMs / 1000) - secondsBefore, country_id: 'BR', latitude: -23.5,
  longitude: -46.6, ...over,
});
const COUNTS = 'stored, duplicate, outlier, dead_lettered, waiting, missing';
const counts = (
  stored: number, duplicate = 0, outlier = 0, dead = 0, waiting = 0, missing = 0,
) => ({
  stored: String(stored), duplicate: String(duplicate), outlier: String(outlier),
  dead_lettered: String(dead), waiting: String(waiting), missing: String(missing),
});

async function write(records: readonly LogRecord[], sink: RowSink = history.ingest) {
  const deadLetters = await writePosts(sink, records);
  const lines = deadLetters.map(({ offset, code, detail }) => {
    const { topic, topicId, partition, headers } = records
      .find((each) => each.offset === BigInt(offset)) as LogRecord;
    const origin = { topic, topic_id: topicId, partition, offset };
    const deadLetter = { origin, worker: 'table-writer', stage: 'consume', code, detail, headers };
    return Buffer.from(JSON.stringify({ m: { kp: 0, ko: offset }, ...deadLetter, at_ms: NOW_MS }));
  });
  await history.ingest.insert('in_dead_letters', lines, `letters-${ids.nonce()}`);
}

describe('the outcome of accepted items', () => {
  it('[GEN-07] is stored, duplicate or outlier for each location, whatever repeats what', async () => {
    const at = ownMinute();
    const seconds = [50, 40, 30, 20, 10].map((each) => fix(at.atMs, each));
    const [first, repeat, own] = [at.call(1), at.call(2), at.call(3)];
    await write([
      post(seconds, { device: at.device, ...first.facts }),
      post([...seconds.slice(2), fix(at.atMs, 5), fix(at.atMs, 4)], {
        device: at.device, ...repeat.facts,
      }),
      post([
        fix(at.atMs, 3), fix(at.atMs, 3), fix(at.atMs, 500 * 86_400), fix(at.atMs, -2 * 86_400),
      ], { device: at.device, ...own.facts }),
    ]);
    expect(await at.outcomes('*')).toMatchObject([
      { ingest_id: first.id, items: '5', provider: 'acme', k_offset: at.offset(1), ...counts(5) },
      { ingest_id: repeat.id, items: '5', ...counts(2, 3) },
      { ingest_id: own.id, items: '4', ...counts(1, 1, 2) },
    ]);
    expect(await at.balance()).toMatchObject([
      { calls: '3', accepted: '14', stored: '8', duplicate: '4', outlier: '2', unexplained: '0' },
    ]);
    expect(await at.gaps()).toEqual([]);
  });

  it('[GEN-07] is known for events, deferred answers and deliveries too', async () => {
    const at = ownMinute();
    const event = (seconds: number) => ({
      name: 'stop', start_date: new Date(at.atMs - seconds * 1000).toISOString(),
      end_date: new Date(at.atMs).toISOString(),
    });
    const traceables = ['S1', 'S2', 'S1'].map((id) => ({ id, type: 'shipment' }));
    const drive = (seconds: number) => ({
      post_timestamp: 0, device: { external_id: at.device, external_type: 'driver' }, traceables,
      locations: [fix(at.atMs, seconds), fix(at.atMs, 500 * 86_400)],
    });
    const n = (items: number, offset: number) => {
      const { facts } = at.call(offset);
      return { ...facts, headers: { ...facts.headers, n: String(items), transport: '77' } };
    };
    const events = 'rtt.telemetry-events.v1';
    const deferred = 'rtt.deferred-events.v1';
    const deliveries = 'delivery.locations.v1';
    const answer = (id: string, list: readonly object[]) => (
      { id, route_distance: 1, post_timestamp: 0, events: list }
    );
    const happened = (...list: object[]) => ({ post_timestamp: 0, events: list });
    await write([
      record(events, at.device, happened(event(9), event(8), event(500 * 86_400)), n(3, 1)),
      record(events, at.device, happened(event(9)), n(1, 2)),
      record(deferred, '77', answer('r1', [event(9), event(9)]), n(2, 1)),
      record(deferred, '77', answer('r1', [event(9), event(9)]), n(2, 2)),
      record(deferred, '77', answer('r2', []), n(1, 3)),
      record(deliveries, 'acme|driver|x', drive(9), n(6, 1)),
      record(deliveries, 'acme|driver|x', drive(9), n(6, 2)),
    ]);
    expect(await at.outcomes(`kind, k_offset, ${COUNTS}`)).toEqual([
      { kind: 'deferred_events', k_offset: at.offset(1), ...counts(2) },
      { kind: 'deferred_events', k_offset: at.offset(2), ...counts(0, 2) },
      { kind: 'deferred_events', k_offset: at.offset(3), ...counts(1) },
      { kind: 'delivery_locations', k_offset: at.offset(1), ...counts(2, 1, 3) },
      { kind: 'delivery_locations', k_offset: at.offset(2), ...counts(0, 3, 3) },
      { kind: 'telemetry_events', k_offset: at.offset(1), ...counts(2, 0, 1) },
      { kind: 'telemetry_events', k_offset: at.offset(2), ...counts(0, 1) },
    ]);
  });

  it('[GEN-07] is a dead letter with step and code for a poisoned record only', async () => {
    const at = ownMinute();
    const good = post([fix(at.atMs, 5)], { device: at.device, ...at.call(1).facts });
    const poisoned = post([fix(at.atMs, 4), fix(at.atMs, 3)], {
      device: at.device, ...at.call(2).facts,
    });
    await write([good, { ...poisoned, value: Buffer.from('[]') }]);
    expect(await at.outcomes('*')).toMatchObject([
      { k_offset: at.offset(1), ...counts(1), stage: '', code: '' },
      { k_offset: at.offset(2), ...counts(0, 0, 0, 2), stage: 'consume', code: 'record_invalid' },
    ]);

    // Replayed, it has a new offset, and is the same acceptance.
    const headers = { ...poisoned.headers, 'replayed-from': `t1:3:${at.offset(2)}` };
    await write([{ ...poisoned, offset: BigInt(at.offset(3)), headers }]);
    expect(await at.balance('accepted, stored, dead_lettered, unexplained'))
      .toEqual([{ accepted: '3', stored: '3', dead_lettered: '0', unexplained: '0' }]);
  });

  it('[GEN-07] counts a record once that came twice in one insert, since an append was repeated',
    async () => {
      const at = ownMinute();
      const diverted = post([fix(at.atMs, 5), fix(at.atMs, 4)], {
        device: at.device, ...at.call(1).facts,
      });
      const headers = { ...diverted.headers, 'replayed-from': `t1:3:${at.offset(1)}` };
      await write([diverted, ...[2, 3].map((nth) => (
        { ...diverted, offset: BigInt(at.offset(nth)), headers }
      ))]);
      expect(await at.balance('accepted, stored, duplicate, unexplained'))
        .toEqual([{ accepted: '2', stored: '2', duplicate: '0', unexplained: '0' }]);
    });

  it('[GEN-07] is what the rules made of each notification', async () => {
    const at = ownMinute();
    const codes = ['EX-HUB', 'EX-HUB', 'EX-COLLECTED', 'EX-DELIVERED', 'EX-HUB', 'EX-HUB'];
    const minutes = [10, 10, 5, 11, 12, 13];
    const number = `N-${at.device}`;
    const notifications = codes.map((_code, nth) => {
      const { facts } = at.call(nth);
      const recordId = { topic_id: 'n1', partition: 3, offset: Number(facts.offset) };
      const reported = { recordId, text: '{}', image: undefined, received_at_ms: at.atMs + 5 };
      const plain = notificationRecord(number, reported);
      return { ...plain, headers: { ...plain.headers, ...facts.headers } };
    });
    const { events } = recordJourneys(codes.map((
      code, nth,
    ) => received(1, code, minutes[nth] ?? 0, {
      tracking_number: number, received_at_ms: at.atMs + 5,
      notification: { topic_id: 'n1', partition: 3, offset: Number(at.offset(nth)) },
    })));
    const journeyRows = events.map((event, nth) => (
      { ...journeyRecord(event, Number(at.offset(nth))), partition: 3 }
    ));
    // The last one is not classified yet.
    await write([...notifications, ...journeyRows.slice(0, -1)]);
    const columns = 'stored, duplicate, out_of_order, ignored_after_final, waiting, rule';
    const none = {
      stored: '0', duplicate: '0', out_of_order: '0', ignored_after_final: '0', waiting: '0',
    };
    expect(await at.outcomes(columns)).toEqual([
      { ...none, stored: '1', rule: 'first' },
      { ...none, duplicate: '1', rule: 'repeated_content' },
      { ...none, out_of_order: '1', rule: 'older_than_applied' },
      { ...none, stored: '1', rule: 'final_code' },
      { ...none, ignored_after_final: '1', rule: 'after_final' },
      { ...none, waiting: '1', rule: '' },
    ]);
    expect(await at.alarm()).toEqual({ items: 1, unreadRecords: 0 });

    await write(journeyRows.slice(-1));
    expect(await at.balance('calls, accepted, unexplained'))
      .toEqual([{ calls: '6', accepted: '6', unexplained: '0' }]);
  });
});

describe('what the balance and the gaps show', () => {
  it('shows a row that went away, until the same fact comes again', async () => {
    const at = ownMinute();
    const seconds = [30, 20, 10].map((each) => fix(at.atMs, each));
    await write([post(seconds, { device: at.device, ...at.call(1).facts })]);
    await history.admin.execute(
      `DELETE FROM locations WHERE device_id = '${at.device}'
       AND ts = toDateTime(${Math.floor(at.atMs / 1000) - 20}, 'UTC')`,
    );
    expect(await at.outcomes('*')).toMatchObject([{ ...counts(2, 0, 0, 0, 0, 1) }]);
    expect(await at.balance('unexplained')).toEqual([{ unexplained: '1' }]);

    await write([post(seconds, { device: at.device, ...at.call(2).facts })]);
    expect(await at.outcomes('*')).toMatchObject([{ ...counts(2, 1) }, { ...counts(1, 2) }]);
    expect(await at.balance('unexplained')).toEqual([{ unexplained: '0' }]);
  });

  it('shows a record that was never read', async () => {
    const at = ownMinute();
    const posts = [11, 12, 15].map((offset) => (
      post([fix(at.atMs, offset)], { device: at.device, ...at.call(offset).facts })
    ));
    await write(posts.map((each) => ({ ...each, topicId: 'with-a-gap' })));
    expect(await at.gaps()).toEqual([
      { k_partition: 3, first_missing: at.offset(13), last_missing: at.offset(14), records: '2' },
    ]);
    expect(await at.alarm()).toEqual({ items: 0, unreadRecords: 2 });
  });

  it('shows what was read and not written as waiting, and counts it for the alarm', async () => {
    const at = ownMinute();
    const facts = { device: at.device, ...at.call(1).facts };
    const posts = [post([fix(at.atMs, 9), fix(at.atMs, 8)], facts)];
    const broken: RowSink = {
      insert: async (table, lines, token) => {
        if (table === 'in_locations') throw new Error('as the test asked');
        return history.ingest.insert(table, lines, token);
      },
    };
    await expect(write(posts, broken)).rejects.toThrow('as the test asked');
    expect(await at.outcomes('*')).toMatchObject([counts(0, 0, 0, 0, 2)]);
    expect(await at.alarm()).toEqual({ items: 2, unreadRecords: 0 });

    await write(posts);
    expect(await at.outcomes('*')).toMatchObject([counts(2)]);
    expect(await at.alarm()).toEqual({ items: 0, unreadRecords: 0 });
  });

  it('has the evidence of an insert that broke off behind its rows, once it is repeated', async () => {
    const at = ownMinute();
    const posts = [post([fix(at.atMs, 9)], { device: at.device, ...at.call(1).facts })];
    const view = 'locations_to_ingest_stored';
    const [made] = await history.admin.query(
      `SELECT create_table_query AS text FROM system.tables
       WHERE database = currentDatabase() AND name = '${view}'`,
    );
    await history.admin.execute(`DROP VIEW ${view} SYNC`);
    await write(posts);
    expect(await at.outcomes('*')).toMatchObject([counts(0, 0, 0, 0, 1)]);
    await history.admin.execute(String(made?.['text']));
    await write(posts);
    expect(await at.outcomes('*')).toMatchObject([counts(1)]);
  });

  it('counts nothing twice when the same records are written again in other batches', async () => {
    const at = ownMinute();
    const posts = [1, 2].map((offset) => (
      post([fix(at.atMs, offset), fix(at.atMs, 500 * 86_400 + offset)], {
        device: at.device, ...at.call(offset).facts,
      })
    ));
    await write(posts);
    await write(posts.slice(0, 1));
    await write(posts.slice(1));
    expect(await at.balance('calls, accepted, stored, outlier, unexplained'))
      .toEqual([{ calls: '2', accepted: '4', stored: '2', outlier: '2', unexplained: '0' }]);
  });
});
