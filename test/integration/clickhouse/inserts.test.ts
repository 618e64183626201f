import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLICKHOUSE_LIMITS, openClickHouse }
  from '../../../services/adapters/clickhouse/clickhouse.ts';
import { INSERT_SETTINGS } from '../../../services/adapters/clickhouse/settings.ts';
import { spliceMetadata } from '../../../services/workers/table-writer/splice-metadata.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { createHistory, holdMerges, post, writePosts, type History } from './history.ts';
import { stackEnv } from '../../support/stack.ts';

let history: History;
const NOW = Math.floor(Date.now() / 1000);
const TARGETS = ['locations', 'telemetry', 'location_outliers', 'device_last'];

beforeAll(async () => {
  history = await createHistory();
  await holdMerges(history, TARGETS);
});
afterAll(async () => { await history.drop(); });

/** One fix with telemetry and one outlier, so that every target gets a row. */
function line(device: string, offset: number, body: object = {}): Uint8Array {
  const fixes = [
    { timestamp: NOW - offset, country_id: 'AR', latitude: 1, longitude: 2,
      telemetry: { timestamp: NOW - offset, speed: 5 } },
    { timestamp: 946_684_800 + offset, country_id: 'AR', latitude: 1, longitude: 2 },
  ];
  return spliceMetadata(post(fixes, { device, offset, body })) ?? Buffer.alloc(0);
}

const lines = (device: string, first: number, last: number, body: object = {}): Uint8Array[] => (
  Array.from({ length: last - first + 1 }, (_, i) => line(device, first + i, body))
);

/** Rows physically present in each target, duplicates included. */
async function stored(device: string): Promise<number[]> {
  const counts = TARGETS.map((table) => (
    `(SELECT count() FROM ${table} WHERE device_id = {device:String}) AS ${table}`
  ));
  const [row] = await history.admin.query(`SELECT ${counts.join(', ')}`, { device });
  return TARGETS.map((table) => Number(row?.[table]));
}

const seen = async (view: string, device: string): Promise<number> => {
  const [row] = await history.analyst.query(
    `SELECT count() AS n FROM ${view} WHERE device_id = {device:String}`, { device },
  );
  return Number(row?.['n']);
};

describe('a token', () => {
  it('[LOC-17] lets the same batch into every target once', async () => {
    const batch = lines('token', 1, 5);
    for (let i = 0; i < 3; i += 1) {
      expect(await history.ingest.insert('in_locations', batch, 'token:1-5#0-5'))
        .toEqual({ kind: 'stored' });
    }
    expect(await stored('token')).toEqual([5, 5, 5, 1]);
  });

  it('holds for a batch that becomes several blocks', async () => {
    // 3,400 posts of 20 fixes are more than one block of 65,409 rows behind the landing table.
    const batch = Array.from({ length: 3_400 }, (_, i) => {
      const fixes = Array.from({ length: 20 }, (_fix, j) => (
        { timestamp: NOW - 20 * i - j, country_id: 'AR', latitude: 1, longitude: 2 }
      ));
      return spliceMetadata(post(fixes, { device: 'blocks', offset: i })) ?? Buffer.alloc(0);
    });
    await history.ingest.insert('in_locations', batch, 'blocks');
    await history.ingest.insert('in_locations', batch, 'blocks');
    const [row] = await history.admin.query(
      `SELECT count() AS n, uniqExact(ts) AS distinct FROM locations WHERE device_id = 'blocks'`,
    );
    expect(row).toEqual({ n: '68000', distinct: '68000' });
  });

  it('[LOC-17] is not needed for exact views: overlapping batches collapse by content', async () => {
    await history.ingest.insert('in_locations', lines('overlap', 1, 6), 'overlap:1-6');
    await history.ingest.insert('in_locations', lines('overlap', 4, 9), 'overlap:4-9');
    const [, telemetry] = await stored('overlap');
    expect(telemetry).toBe(12);
    for (const view of ['v_locations', 'v_telemetry', 'v_location_outliers']) {
      expect(await seen(view, 'overlap')).toBe(9);
    }
    expect(await seen('v_device_last', 'overlap')).toBe(1);
  });

  it('does not hide other batches whose bytes are the same', async () => {
    await history.ingest.insert('in_locations', [line('twin', 1)], 'twin:1');
    await history.ingest.insert('in_locations', [line('twin', 1)], 'twin:2');
    expect((await stored('twin'))[0]).toBe(2);
  });
});

describe('bad data', () => {
  it('costs exactly the bad record', async () => {
    const fixes = (second: number) => (
      [{ timestamp: NOW - second, country_id: 'AR', latitude: 1, longitude: 2 }]
    );
    const broken = (offset: number, text: string) => (
      { ...post([], { device: 'bad', offset }), value: Buffer.from(text) }
    );
    const deadLetters = await writePosts(history.ingest, [
      post(fixes(1), { device: 'bad', offset: 1 }),
      broken(2, '{"post_timestamp":"(at row 1)","locations":[]}'),
      post(fixes(3), { device: 'bad', offset: 3 }),
      broken(4, '{"post_timestamp":1,"locations":[{"timestamp":"x"}]}'),
      broken(5, '{"m":{"d":"forged"},"locations":[]}'),
      post(fixes(6), { device: 'bad', offset: 6 }),
    ]);
    expect(deadLetters.map(({ offset, code }) => [offset, code])).toEqual(
      [[2, 'sink_rejected'], [4, 'sink_rejected'], [5, 'sink_rejected']],
    );
    expect(deadLetters.every(({ detail }) => /^ClickHouse \d+ [A-Z_]+$/.test(detail))).toBe(true);
    expect(await seen('v_locations', 'bad')).toBe(3);
    expect(await seen('v_locations', 'forged')).toBe(0);
  });

  it('stores nothing of a refused batch and names the line', async () => {
    const batch = [...lines('line', 1, 3), Buffer.from('{"m":{"d":"line"},"locations":7}')];
    const answer = await history.ingest.insert('in_locations', batch, 'line');
    expect(answer).toMatchObject({ kind: 'rejected', line: 3 });
    expect(await stored('line')).toEqual([0, 0, 0, 0]);
  });
});

describe('a store that cannot take the batch now', () => {
  it('is a fault where no server listens', async () => {
    const store = openClickHouse(
      { ...CLICKHOUSE_LIMITS, url: 'http://127.0.0.1:1', user: 'a', password: 'b', database: 'c' },
      { signals: silentSignals },
    );
    await expect(store.insert('in_locations', lines('none', 1, 1), 'none'))
      .rejects.toMatchObject({ code: 'sink_unavailable', retryable: true });
    expect(await store.ping()).toBe(false);
    await store.close();
  });

  it('is a fault, never a dead letter, where the table is missing', async () => {
    await expect(history.ingest.insert('in_nothing', lines('gone', 1, 1), 'gone'))
      .rejects.toMatchObject({ code: 'sink_unavailable' });
  });

  it('is a fault for a user without the right', async () => {
    await expect(history.analyst.insert('in_locations', lines('right', 1, 1), 'right'))
      .rejects.toMatchObject({ code: 'sink_unavailable' });
  });
});

describe('a connection that is cut in the middle of a batch', () => {
  it.each(['end', 'reset'] as const)('stores nothing (%s), and the whole later', async (how) => {
    // An unknown key fills the posts, so that the store begins to read before the end.
    const batch = lines(`cut-${how}`, 1, 8, { filling: 'x'.repeat(400_000) });
    await sendHalf(batch, `cut-${how}`, how);
    expect(await stored(`cut-${how}`)).toEqual([0, 0, 0, 0]);
    await history.ingest.insert('in_locations', batch, `cut-${how}`);
    expect((await stored(`cut-${how}`))[0]).toBe(8);
  });
});

/** Sends the first half of an insert, whole lines only, and breaks off. */
async function sendHalf(batch: readonly Uint8Array[], token: string, how: 'end' | 'reset') {
  const env = stackEnv();
  const url = new URL(env.CLICKHOUSE_URL);
  const half = batch.slice(0, batch.length / 2).map((bytes) => Buffer.from(bytes).toString());
  const body = `${half.join('\n')}\n`;
  const query = new URLSearchParams({
    ...Object.fromEntries(Object.entries(INSERT_SETTINGS).map(([k, v]) => [k, String(v)])),
    database: history.database, insert_deduplication_token: token,
    query: 'INSERT INTO in_locations FORMAT JSONEachRow',
  });
  const socket = connect(Number(url.port), url.hostname);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => {}).resume();
  const head = `POST /?${query.toString()} HTTP/1.1\r\nHost: x\r\n`
    + `X-ClickHouse-User: ${env.CLICKHOUSE_INGEST_USER}\r\n`
    + `X-ClickHouse-Key: ${env.CLICKHOUSE_INGEST_PASSWORD}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  await new Promise((resolve) => {
    socket.write(`${head}${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n`, resolve);
  });
  await expect.poll(insertsUnderWay).toBeGreaterThan(0);
  if (how === 'end') socket.end();
  else socket.resetAndDestroy();
  await closed;
  await expect.poll(insertsUnderWay).toBe(0);
}

async function insertsUnderWay(): Promise<number> {
  const rows = await history.admin.query(
    `SELECT 1 FROM system.processes WHERE query LIKE 'INSERT INTO in_locations%'
     AND current_database = {database:String}`,
    { database: history.database },
  );
  return rows.length;
}
