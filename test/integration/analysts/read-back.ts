import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { stackEnv } from '../../support/stack.ts';
import type { History } from '../clickhouse/history.ts';

/**
 * Puts an exported file into a table of its own and answers how many rows it has, and how many of
 * them are none of `source`, a view or its call with a window.
 */
export async function readBack(
  history: History, source: string, format: 'CSVWithNames' | 'Parquet', bytes: Buffer,
): Promise<unknown> {
  const table = `back_${randomBytes(6).toString('hex')}`;
  await history.admin.execute(
    `CREATE TABLE ${table} ENGINE = Memory AS SELECT * FROM ${source} LIMIT 0`,
  );
  const { CLICKHOUSE_URL, CLICKHOUSE_USER, CLICKHOUSE_PASSWORD } = stackEnv();
  const query = encodeURIComponent(`INSERT INTO ${table} FORMAT ${format}`);
  const response = await fetch(`${CLICKHOUSE_URL}/?database=${history.database}&query=${query}`, {
    method: 'POST', body: new Uint8Array(bytes),
    headers: { 'X-ClickHouse-User': CLICKHOUSE_USER, 'X-ClickHouse-Key': CLICKHOUSE_PASSWORD },
  });
  expect(response.status, await response.text()).toBe(200);
  const hashes = (from: string) => `SELECT cityHash64(formatRow('JSONEachRow', *)) AS hash FROM ${from}`;
  const [row] = await history.admin.query(`
    SELECT count() AS rows, countIf(hash NOT IN (${hashes(source)})) AS unknown
    FROM (${hashes(table)})`);
  return row;
}
