import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHistory, post, writePosts, type History, type PostFacts } from './history.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Math.floor(Date.now() / 1_000) * 1_000;
const DEVICE = 'device-1';
let history: History;

beforeAll(async () => { history = await createHistory(); });
afterAll(async () => { await history.drop(); });

/** The same fix in two calls of one receipt: the second one has no row. */
async function writeTwice(receivedAtMs: number, offset: number): Promise<void> {
  const fix = {
    timestamp: receivedAtMs / 1_000 - 9, country_id: 'BR', latitude: -23.5, longitude: -46.6,
  };
  const facts = (own: number): Partial<PostFacts> => (
    { receivedAtMs, offset: own, device: DEVICE }
  );
  await writePosts(history.ingest, [post([fix], facts(offset)), post([fix], facts(offset + 1))]);
}

async function counts(source: string, receivedAtMs: number): Promise<unknown> {
  return await history.admin.query(`
    SELECT toInt32(sum(stored)) AS stored, toInt32(sum(duplicate)) AS duplicate,
           toInt32(sum(waiting)) AS waiting
    FROM ${source}
    WHERE received_at = fromUnixTimestamp64Milli({at:Int64}, 'UTC')`, { at: receivedAtMs });
}

const window = (ms: number): string => {
  const text = (each: number): string => new Date(each).toISOString().replace('Z', '');
  return `since = '${text(ms)}', until = '${text(ms + 1)}'`;
};

it.each([
  ['is a duplicate, when its record was received a while ago', -HOUR_MS, { duplicate: 1, waiting: 0 }],
  // Received an hour ahead, it stays new for as long as the test runs.
  ['waits, when its record is new: its row may be visible a moment later', HOUR_MS,
    { duplicate: 0, waiting: 1 }],
])('[GEN-07] an item without a row %s', async (_what, afterMs, expected) => {
  const at = NOW_MS + afterMs;
  await writeTwice(at, 10 + afterMs / HOUR_MS * 3);
  const all = [{ stored: 1, ...expected }];
  expect(await counts(`v_ingest_outcomes(${window(at)})`, at)).toEqual(all);
  expect(await counts(`device_posts(device = '${DEVICE}', ${window(at)})`, at)).toEqual(all);
});
