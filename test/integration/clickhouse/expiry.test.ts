import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHistory, post, writePosts, type History } from './history.ts';

const LONG_AGO_MS = Date.now() - 500 * 86_400_000;
/** As the migration has it. */
const TTL = 'toDate(ts) + 1 + INTERVAL 400 DAY DELETE';
let history: History;
beforeAll(async () => { history = await createHistory(); });
afterAll(() => history.drop());

async function stored(): Promise<unknown> {
  await history.admin.execute('OPTIMIZE TABLE locations FINAL');
  return history.admin.query('SELECT count() AS fixes FROM locations');
}

function partitions(): Promise<unknown> {
  return history.admin.query(`
    SELECT partition, sum(rows) AS fixes FROM system.parts
    WHERE database = currentDatabase() AND table = 'locations' AND active
    GROUP BY partition HAVING fixes > 0`);
}

it('rows older than 400 days stay in the databases of tests, and nowhere else', async () => {
  const fix = { timestamp: Math.floor(LONG_AGO_MS / 1_000), latitude: 1, longitude: 2 };
  const posts = [post([fix], { receivedAtMs: LONG_AGO_MS })];
  expect(await writePosts(history.ingest, posts)).toEqual([]);
  expect(await stored()).toEqual([{ fixes: '1' }]);
  await history.admin.execute(`ALTER TABLE locations MODIFY TTL ${TTL}`);
  expect(await stored()).toEqual([{ fixes: '0' }]);
});

it('of the late fixes only those go that are over 400 days old', async () => {
  const nowS = Math.floor(Date.now() / 1_000);
  const receivedAtMs = Date.now() - 300 * 86_400_000;
  const fixes = [500, 350, 310].map((days) => (
    { timestamp: nowS - days * 86_400, latitude: 1, longitude: 2 }
  ));
  await history.admin.execute('ALTER TABLE locations REMOVE TTL');
  expect(await writePosts(history.ingest, [post(fixes, { receivedAtMs })])).toEqual([]);
  expect(await partitions()).toEqual([{ partition: '0', fixes: '3' }]);
  await history.admin.execute(`ALTER TABLE locations MODIFY TTL ${TTL}`);
  expect(await stored()).toEqual([{ fixes: '2' }]);
  expect(await partitions()).toEqual([{ partition: '0', fixes: '2' }]);
});
