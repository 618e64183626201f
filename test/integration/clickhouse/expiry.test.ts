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
  await history.admin.execute('ALTER TABLE locations MODIFY TTL toDate(ts) + 1 + INTERVAL 400 DAY DELETE');
  expect(await stored()).toEqual([{ fixes: '0' }]);
});
