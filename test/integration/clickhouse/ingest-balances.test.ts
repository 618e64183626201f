import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RowSink } from '../../../services/kernel/row-sink.ts';
import { received, recordJourneys } from '../../support/journeys.ts';
import { createHistory, post, writePosts, type History } from './history.ts';
import { journeyRecord, notificationRecord, writeLines } from './shipments.ts';

const MINUTE_MS = 60_000;
const PERIOD_MS = 10 * MINUTE_MS;
const FIRST_MS = Math.floor(Date.now() / PERIOD_MS - 12) * PERIOD_MS;
const LATER_S = 400;
// Each reading of the view costs a second to plan, and a test has up to ten.
const TEST_MS_MAX = 120_000;
const STAMPS = ['marked_at', 'compared_at', 'taken_at', 'computed_at', 'unexplained_at'];

let history: History;
beforeAll(async () => { history = await createHistory(); });
afterAll(async () => { await history.drop(); });

const text = (ms: number): string => new Date(ms).toISOString().slice(0, 23).replace('T', ' ');
const windowOf = (sinceMs: number, untilMs: number): string => (
  `since = '${text(sinceMs)}', until = '${text(untilMs)}'`
);
const WHOLE = windowOf(FIRST_MS - PERIOD_MS, FIRST_MS + 12 * PERIOD_MS);

const postOf = (device: string, period: number, offset: number, fixes: readonly number[]) => post(
  fixes.map((at) => ({
    timestamp: Math.floor(FIRST_MS / 1000) - at, country_id: 'BR', latitude: -23.5,
    longitude: -46.6,
  })),
  { device, offset, receivedAtMs: FIRST_MS + period * PERIOD_MS + offset * 7_000 % PERIOD_MS },
);

/** A post that came in a period, with fixes so many seconds before the first of all periods. */
async function send(
  device: string, period: number, offset: number, fixes: readonly number[],
): Promise<void> {
  await writePosts(history.ingest, [postOf(device, period, offset, fixes)]);
}

/** Lets all marks and balances be older, as if so much time had gone by. */
async function later(): Promise<void> {
  const older = STAMPS.map((name) => (
    `if(max(m.${name}) = 0, max(m.${name}), max(m.${name}) - ${LATER_S}) AS ${name}`
  ));
  await rewrite('ingest_balances', `* REPLACE (computed_at - ${LATER_S} AS computed_at)`);
  await rewrite('ingest_period_marks', `period, ${older.join(', ')}`, 'm GROUP BY period');
}

async function rewrite(table: string, columns: string, which = ''): Promise<void> {
  for (const sql of [
    'DROP TABLE IF EXISTS older',
    `CREATE TABLE older ENGINE = Memory AS SELECT ${columns} FROM ${table} ${which}`,
    `TRUNCATE TABLE ${table}`,
    `INSERT INTO ${table} SELECT * FROM older`,
  ]) await history.admin.execute(sql);
}

const STEPS = ['ingest_comparisons', 'ingest_choices', 'ingest_balances'];

async function refresh(steps = STEPS): Promise<void> {
  for (const view of steps) {
    await history.admin.execute(`SYSTEM REFRESH VIEW ${view}_refresh`);
    await history.admin.execute(`SYSTEM WAIT VIEW ${view}_refresh`);
  }
}

/** Twice, as what took rows of another period lets that one be computed again. */
async function computed(): Promise<void> {
  for (let times = 0; times < 2; times += 1) {
    await later();
    await refresh();
  }
}

const balance = async (asked = WHOLE) => history.analyst.query(
  `SELECT * FROM v_ingest_balance(${asked}) ORDER BY ALL`,
);

/** The same, of each record as it is now. */
const outcomes = async (asked = WHOLE) => history.analyst.query(
  `SELECT toStartOfMinute(received_at) AS minute, provider, kind, uniqExact(ingest_id) AS calls,
          sum(items) AS accepted, sum(o.stored) AS stored, sum(o.duplicate) AS duplicate,
          sum(o.outlier) AS outlier, sum(o.out_of_order) AS out_of_order,
          sum(o.ignored_after_final) AS ignored_after_final, sum(o.disputed) AS disputed,
          sum(o.dead_lettered) AS dead_lettered,
          sum(o.waiting) + sum(o.missing) AS unexplained
   FROM v_ingest_outcomes(${asked}) AS o
   GROUP BY minute, provider, kind ORDER BY ALL`,
);

const periods = async (which: 'open' | 'due'): Promise<number> => {
  const asked = which === 'open' ? WHOLE : "step = 'compute'";
  const [row] = await history.admin.query(
    `SELECT count() AS n FROM ingest_periods_${which}(${asked})`,
  );
  return Number(row?.['n']);
};

const sums = async () => {
  const [row] = await history.analyst.query(
    `SELECT sum(b.stored) AS stored, sum(b.duplicate) AS duplicate
     FROM v_ingest_balance(${WHOLE}) AS b`,
  );
  return row;
};

describe('the kept balance', { timeout: TEST_MS_MAX }, () => {
  it('says the same as the records, open or computed', async () => {
    await send('a', 0, 1, [10, 20, 30]);
    await send('a', 1, 2, [30, 40]);
    await send('b', 1, 3, [10, 10]);
    const live = await balance();
    expect(live).toHaveLength(2);
    expect(live).toEqual(await outcomes());
    expect(await periods('due')).toBe(0);
    expect(await periods('open')).toBe(2);

    await computed();
    expect(await periods('open')).toBe(0);
    expect(await balance()).toEqual(live);
  });

  it('reads what was computed, and nothing else', async () => {
    await history.admin.execute(`INSERT INTO ingest_balances
      SELECT * REPLACE (accepted + 100 AS accepted, now64(3) AS computed_at) FROM ingest_balances
      WHERE minute = toDateTime(${FIRST_MS / 1000}, 'UTC')`);
    const [first] = await balance();
    expect(first).toMatchObject({ accepted: '103' });
    await send('a', 0, 4, [50]);
    expect(await balance()).toEqual(await outcomes());
    await computed();
    expect(await balance()).toEqual(await outcomes());
  });

  it('cuts a window within a minute as the records do', async () => {
    const [sinceMs, untilMs] = [FIRST_MS + 10_000, FIRST_MS + PERIOD_MS + 15_500];
    const asked = windowOf(sinceMs, untilMs);
    expect(await periods('open')).toBe(0);
    expect(await balance(asked)).toEqual(await outcomes(asked));
    expect(await balance(asked)).not.toEqual(await balance(windowOf(sinceMs, untilMs + 44_500)));
  });

  it('turns an item into a duplicate when an earlier record takes its row', async () => {
    await send('late', 3, 40, [100, 110]);
    await computed();
    const before = await sums();
    // Read from its partition after it, as a dead letter that was put right.
    await send('late', 2, 30, [100, 110]);
    await computed();
    expect(await periods('open')).toBe(0);
    expect(await balance()).toEqual(await outcomes());
    const after = await sums();
    expect(Number(after?.['stored'])).toBe(Number(before?.['stored']));
    expect(Number(after?.['duplicate'])).toBe(Number(before?.['duplicate']) + 2);
  });

  it('stays open while an item has no row, and closes when it has', async () => {
    await send('lost', 4, 50, [10, 20]);
    await history.admin.execute("DELETE FROM locations WHERE device_id = 'lost'");
    await computed();
    expect(await periods('open')).toBe(1);
    expect(await balance()).toEqual(await outcomes());
    await send('lost', 4, 51, [10, 20]);
    await computed();
    expect(await periods('open')).toBe(0);
    expect(await balance()).toEqual(await outcomes());
  });

  it('loses no period when another choice is made while it is computed', async () => {
    const before = await periods('open');
    await send('chosen', 4, 57, [10, 20]);
    await later();
    await refresh(['ingest_comparisons', 'ingest_choices']);
    await history.admin.execute(
      "INSERT INTO ingest_choices (chosen_at, periods) VALUES (now64(3, 'UTC') + 1, [])",
    );
    await refresh(['ingest_balances']);
    expect(await periods('open')).toBe(before + 1);
    expect(await history.admin.query('SELECT count() AS n FROM ingest_periods_chosen'))
      .toEqual([{ n: '1' }]);
    expect(await balance()).toEqual(await outcomes());
    await history.admin.execute('TRUNCATE TABLE ingest_choices');
    await computed();
    expect(await periods('open')).toBe(before);
    expect(await balance()).toEqual(await outcomes());
  });

  it('closes when rows come that were waited for, or their dead letter', async () => {
    const [late, poisoned] = [postOf('waits', 4, 52, [10]), postOf('waits', 5, 53, [10])];
    let rows: () => Promise<unknown> = () => Promise.reject(new Error('No rows came.'));
    const away: RowSink = {
      insert: async (table, lines, token) => {
        if (table !== 'in_locations') return history.ingest.insert(table, lines, token);
        rows = () => history.ingest.insert(table, lines, token);
        throw new Error('as the test asked');
      },
    };
    for (const record of [poisoned, late]) {
      await expect(writePosts(away, [record])).rejects.toThrow('as the test asked');
    }
    await computed();
    expect(await periods('open')).toBe(2);
    await rows();
    const { topic, topicId, partition, headers } = poisoned;
    await history.ingest.insert('in_dead_letters', [Buffer.from(JSON.stringify({
      m: { kp: 0, ko: 1 }, origin: { topic, topic_id: topicId, partition, offset: 53 },
      worker: 'table-writer', stage: 'consume', code: 'record_invalid', detail: '', headers,
      at_ms: Date.now(),
    }))], 'letter-of-a-balance');
    await computed();
    expect(await periods('open')).toBe(0);
    expect(await balance()).toEqual(await outcomes());
  });

  it('closes when a notification that waited is classified', async () => {
    const received_at_ms = FIRST_MS + 10 * PERIOD_MS + 5;
    const recordId = { topic_id: 'n1', partition: 3, offset: 900 };
    const { events } = recordJourneys([received(1, 'EX-HUB', 10, {
      tracking_number: 'N-1', received_at_ms, notification: recordId,
    })]);
    await writePosts(history.ingest, [
      notificationRecord('N-1', { recordId, text: '{}', image: undefined, received_at_ms }),
    ]);
    await computed();
    expect(await periods('open')).toBe(1);
    await writeLines(history.ingest, 'in_journeys', events.map((event) => journeyRecord(event, 900)));
    await computed();
    expect(await periods('open')).toBe(0);
    expect(await balance()).toEqual(await outcomes());
  });

  it('is the same for any order of arrival, with repeats', async () => {
    const posts = Array.from({ length: 60 }, (_, nth) => ({
      device: `any-${nth % 3}`, period: 5 + nth * 7 % 5, offset: 1_000 + nth,
      fixes: [nth % 4, nth % 4 + 1, nth % 4 + 2].map((at) => at * 10),
    })).toSorted((one, other) => one.offset * 7_919 % 101 - other.offset * 7_919 % 101);
    for (const [nth, { device, period, offset, fixes }] of posts.entries()) {
      await send(device, period, offset, fixes);
      if (nth % 20 === 7) await computed();
    }
    // Whose row a repeated fix has is compared later; that it has one is known at once.
    const [accepted, ofRecords] = [await balance(), await outcomes()].map((rows) => rows.map((
      { minute, accepted: items, unexplained },
    ) => ({ minute, items, unexplained })));
    expect(accepted).toEqual(ofRecords);
    await computed();
    expect(await periods('open')).toBe(0);
    expect(await balance()).toEqual(await outcomes());
  });
});
