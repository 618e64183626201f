import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLICKHOUSE_LIMITS, openClickHouse }
  from '../../../services/adapters/clickhouse/clickhouse.ts';
import { createProviderQuality } from '../../../services/adapters/clickhouse/provider-quality.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { stackEnv } from '../../support/stack.ts';
import { createHistory, post, writePosts, type History, type PostFacts } from './history.ts';

const DAY_S = 86_400;
const TODAY = Math.floor(Date.now() / 1_000 / DAY_S) * DAY_S;
const FIRST = TODAY - 3 * DAY_S;
const LATER_S = 400;
const STAMPS = ['marked_at', 'compared_at', 'taken_at', 'computed_at', 'unexplained_at'];
let history: History;
beforeAll(async () => { history = await createHistory(); });
afterAll(async () => { await history.drop(); });

const text = (seconds: number): string => (
  new Date(seconds * 1_000).toISOString().slice(0, 23).replace('T', ' ')
);
const fix = (timestamp: number) => ({
  timestamp, country_id: 'BR', latitude: -23.5 - timestamp % 1_000 / 1e4, longitude: -46.6,
});

/** A post that came so many seconds after its last fix. */
async function send(
  device: string, offset: number, times: readonly number[], after: number,
  over: Partial<PostFacts> = {},
): Promise<void> {
  const receivedS = Math.max(...times) + after;
  await writePosts(history.ingest, [post(times.map(fix), {
    device, offset, receivedAtMs: receivedS * 1_000 + offset, postTimestamp: receivedS,
    headers: { provider: device.slice(0, 2) }, ...over,
  })]);
}

interface Row {
  readonly provider: string;
  readonly device_id: string;
  readonly at: number;
  readonly received_ms: number;
  readonly post_s: number;
  readonly k_offset: number;
}

const digits = (ms: number): number => {
  const unit = 10 ** Math.max(Math.floor(Math.log10(Math.abs(ms) + 0.5)) - 1, 0);
  return Math.round(ms / unit) * unit;
};
const groups = <Key extends string>(
  rows: readonly Row[], key: (row: Row) => Key,
): readonly (readonly Row[])[] => [...Map.groupBy(rows, key).values()];

/** How many came after a fix of an earlier call that is newer, of one device and day. */
function outOfOrder(rows: readonly Row[]): number {
  return rows.filter((row) => rows.some(({ k_offset, at }) => (
    k_offset < row.k_offset && at > row.at
  ))).length;
}

function gapsOf(rows: readonly Row[]): number {
  const times = rows.map(({ at }) => at).toSorted((one, other) => one - other);
  return times.filter((at, index) => at - (times[index - 1] ?? at) > 900).length;
}

/** The scorecard of the rows that v_locations has, reckoned without SQL. */
async function reckoned(since: number, until: number): Promise<readonly object[]> {
  const rows = (await history.analyst.query(`
    SELECT provider, device_id, toUnixTimestamp(ts) AS at, toUnixTimestamp(post_ts) AS post_s,
           toUnixTimestamp64Milli(received_at) AS received_ms, k_offset
    FROM v_locations WHERE received_at >= '${text(since)}' AND received_at < '${text(until)}'`,
  )).map((row) => ({ ...row, ...Object.fromEntries(
    ['at', 'post_s', 'received_ms', 'k_offset'].map((name) => [name, Number(row[name])]),
  ) }) as unknown as Row);
  return groups(rows, ({ provider }) => provider).map((own) => {
    const days = groups(own, (row) => `${row.device_id} ${Math.floor(row.received_ms / 864e5)}`);
    const skews = groups(own, ({ device_id }) => device_id).map((device) => (
      Math.min(...device.map(({ received_ms, post_s }) => received_ms - post_s * 1_000))
    )).toSorted((one, other) => one - other);
    const late = own.map(({ received_ms, at }) => digits(received_ms - at * 1_000))
      .toSorted((one, other) => one - other);
    const sum = (of: (rows: readonly Row[]) => number): number => (
      days.reduce((total, day) => total + of(day), 0)
    );
    return {
      provider: own[0]?.provider, devices: skews.length, fixes: own.length,
      out_of_order: sum(outOfOrder), gaps: sum(gapsOf),
      clock_skew_ms: skews[Math.floor(skews.length / 2)],
      stale: own.filter(({ received_ms, at }) => received_ms - at * 1_000 > 864e5).length,
      latency_p50_s: (late[Math.ceil(late.length / 2) - 1] ?? 0) / 1_000,
      devices_off: skews.filter((skew) => Math.abs(skew) > 60_000).length,
    };
  }).toSorted((one, other) => String(one.provider).localeCompare(String(other.provider)));
}

async function scorecard(since: number, until: number): Promise<readonly object[]> {
  const rows = await history.analyst.query(`
    SELECT * FROM v_provider_quality(since = '${text(since)}', until = '${text(until)}')
    ORDER BY provider`);
  return rows.map((row) => ({
    provider: row['provider'], ...Object.fromEntries([
      'devices', 'fixes', 'out_of_order', 'gaps', 'clock_skew_ms', 'stale', 'latency_p50_s',
      'devices_off',
    ].map((name) => [name, Number(row[name])])),
  }));
}

/** Lets all marks and what was computed be older, as if so much time had gone by. */
async function later(): Promise<void> {
  const stamps = STAMPS.map((name) => (
    `if(max(m.${name}) = 0, max(m.${name}), max(m.${name}) - ${LATER_S}) AS ${name}`
  ));
  const older = `* REPLACE (computed_at - ${LATER_S} AS computed_at)`;
  for (const [table, columns, which] of [
    ['ingest_balances', older, ''], ['provider_days', older, ''],
    ['ingest_period_marks', `period, ${stamps.join(', ')}`, 'm GROUP BY period'],
  ] as const) {
    for (const sql of [
      'DROP TABLE IF EXISTS older',
      `CREATE TABLE older ENGINE = Memory AS SELECT ${columns} FROM ${table} ${which}`,
      `TRUNCATE TABLE ${table}`, `INSERT INTO ${table} SELECT * FROM older`,
    ]) await history.admin.execute(sql);
  }
}

async function computed(): Promise<void> {
  await later();
  // A refresh computes two days.
  for (const view of [
    'ingest_comparisons', 'ingest_choices', 'ingest_balances', 'provider_days', 'provider_days',
  ]) {
    await history.admin.execute(`SYSTEM REFRESH VIEW ${view}_refresh`);
    await history.admin.execute(`SYSTEM WAIT VIEW ${view}_refresh`);
  }
}

const open = async (): Promise<number> => {
  const [row] = await history.admin.query(
    'SELECT countIf(is_open) AS days FROM provider_day_states',
  );
  return Number(row?.['days']);
};
const WINDOWS = [
  [FIRST, TODAY], [FIRST, TODAY + DAY_S], [FIRST + 3_600, TODAY - 40_000], [FIRST, FIRST + 7_300],
] as const;
const same = async (): Promise<void> => {
  for (const [since, until] of WINDOWS) {
    const expected = await reckoned(since, until);
    expect(expected.length).toBeGreaterThan(0);
    expect(await scorecard(since, until), text(since)).toEqual(expected);
  }
};
const from = (start: number, ...steps: readonly number[]) => steps.map((step) => start + step);

describe('the scorecard of providers', { timeout: 300_000 }, () => {
  it('is that of the fixes, open or computed, in whole and in part', async () => {
    for (const day of [0, 1, 2]) {
      const noon = FIRST + day * DAY_S + 7_000;
      await send('pa-1', 10 * day + 1, from(noon, 0, 60, 2_000), 5);
      await send('pa-1', 10 * day + 2, from(noon, 30, 90), 2_050);
      await send('pa-2', 10 * day + 3, from(noon, 0, 5), 61, { postTimestamp: noon + 266 });
      await send('pb-1', 10 * day + 4, from(noon, 0, 901, 1_803), 1_234);
    }
    await send('pb-1', 35, from(FIRST + 7_000, 17), 2 * DAY_S);
    expect(await open()).toBe(3);
    await same();
    await computed();
    expect(await open()).toBe(0);
    await same();
  });

  it('is read over the newest days in a row that are computed, for some providers', async () => {
    const env = stackEnv();
    const store = openClickHouse({
      ...CLICKHOUSE_LIMITS, url: env.CLICKHOUSE_URL, user: env.CLICKHOUSE_HISTORY_USER,
      password: env.CLICKHOUSE_HISTORY_PASSWORD, database: history.database, resultRowsMax: 10_000,
    }, { signals: silentSignals });
    try {
      const quality = createProviderQuality(store);
      // Of what was computed in the last minute the view would read the records.
      expect(await quality.find(['pa'])).toBeUndefined();
      await later();
      const found = await quality.find(['pa', 'none']);
      expect(found).toMatchObject({ sinceMs: FIRST * 1_000, untilMs: TODAY * 1_000 });
      const [pa] = await scorecard(FIRST, TODAY);
      expect(found?.scores).toHaveLength(1);
      const { clock_skew_ms: _, ...shown } = pa as { clock_skew_ms: number };
      expect(found?.scores).toMatchObject([shown]);
      expect((await quality.find(['pa', 'pb']))?.scores.map(({ provider }) => provider))
        .toEqual(['pa', 'pb']);
      // Something comes of the day in the middle, and it is open again.
      await send('pa-1', 40, from(FIRST + DAY_S + 20_000, 0), 5);
      expect(await quality.find(['pa'])).toMatchObject({
        sinceMs: (FIRST + 2 * DAY_S) * 1_000, untilMs: TODAY * 1_000,
      });
    } finally {
      await store.close();
    }
    for (let times = 0; times < 2; times += 1) await computed();
  });

  it('is none before a day is computed, and a fault without a store', async () => {
    await expect(createProviderQuality(undefined).find(['pa']))
      .rejects.toMatchObject({ code: 'sink_unavailable' });
    expect(await createProviderQuality({ query: async () => [] }).find(['pa'])).toBeUndefined();
  });

  it('reads the days that are whole in a window from what was computed', async () => {
    await history.admin.execute(
      'INSERT INTO provider_days SELECT * REPLACE (fixes + 1000 AS fixes) FROM provider_days'
      + ' WHERE device_id = \'\' AND provider = \'pa\'');
    const [all] = await scorecard(FIRST, TODAY) as readonly { fixes: number }[];
    const [part] = await scorecard(FIRST + 1, FIRST + DAY_S) as readonly { fixes: number }[];
    expect(all?.fixes).toBeGreaterThan(2_000);
    expect(part?.fixes).toBeLessThan(1_000);
    await history.admin.execute('TRUNCATE TABLE provider_days');
    expect(await open()).toBe(3);
  });

  it('is computed again when a repeat takes the fixes of another day', async () => {
    const before = from(FIRST + 2 * DAY_S - 900, 0, 60);
    await send('pb-1', 60, before, 61);
    for (let times = 0; times < 2; times += 1) await computed();
    expect(await open()).toBe(0);
    await send('pb-1', 59, before, 1_261);
    expect(await open()).toBe(1);
    for (let times = 0; times < 3; times += 1) await computed();
    expect(await open()).toBe(0);
    await same();
  });
});
