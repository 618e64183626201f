import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTableParts } from '../../../services/adapters/clickhouse/table-parts.ts';
import { createHistory, post, writePosts, type History } from './history.ts';

let history: History;

beforeAll(async () => { history = await createHistory(); });
afterAll(async () => { await history.drop(); });

it('gives the writer the number of parts of its tables, and of no system table', async () => {
  const parts = createTableParts(history.ingest);
  expect((await parts.read()).map(({ table }) => table)).not.toContain('locations');
  const nowS = Math.floor(Date.now() / 1_000);
  const fix = (timestamp: number) => (
    { timestamp, country_id: 'BR', latitude: -23.5, longitude: -46.6 }
  );
  await writePosts(history.ingest, [post([fix(nowS), fix(nowS - 86_400)], { offset: 1 })]);
  const reported = await parts.read();
  expect(reported.find(({ table }) => table === 'locations')).toEqual(
    { table: 'locations', parts: 2, partitionPartsMax: 1 },
  );
  expect(reported.map(({ table }) => table)).not.toContain('query_log');
});
