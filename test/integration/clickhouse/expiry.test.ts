import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHistory, post, writePosts, type History } from './history.ts';

const LONG_AGO_MS = Date.now() - 500 * 86_400_000;
let history: History;
beforeAll(async () => { history = await createHistory(); });
afterAll(() => history.drop());

async function stored(): Promise<unknown> {
  await history.admin.execute('OPTIMIZE TABLE locations FINAL');
  return history.admin.query('SELECT count() AS fixes FROM locations');
}

it('rows older than 400 days stay in the databases of tests, and nowhere else', async () => {
  const fix = { timestamp: Math.floor(LONG_AGO_MS / 1_000), latitude: 1, longitude: 2 };
  const posts = [post([fix], { receivedAtMs: LONG_AGO_MS })];
  expect(await writePosts(history.ingest, posts)).toEqual([]);
  expect(await stored()).toEqual([{ fixes: '1' }]);
  await history.admin.execute(
    'ALTER TABLE locations MODIFY TTL toDate(ts) + 1 + INTERVAL 400 DAY DELETE',
  );
  expect(await stored()).toEqual([{ fixes: '0' }]);
});

it('of the late fixes only those go that are over 400 days old, by merges', async () => {
  const own = await createHistory({ asInProduction: true });
  const receivedAtMs = Date.now() - 300 * 86_400_000;
  const fixes = [500, 350, 310].map((days) => (
    { timestamp: Math.floor(Date.now() / 1_000) - days * 86_400, latitude: 1, longitude: 2 }
  ));
  try {
    expect(await writePosts(own.ingest, [post(fixes, { receivedAtMs })])).toEqual([]);
    await expect.poll(() => own.admin.query(`
      SELECT _partition_id AS partition, count() AS fixes FROM locations GROUP BY partition`),
    { timeout: 60_000, interval: 200 }).toEqual([{ partition: '0', fixes: '2' }]);
  } finally {
    await own.drop();
  }
}, 90_000);
