import type { ComputedWaitsReader } from '../../kernel/computed-waits.ts';
import type { ClickHouse } from './clickhouse.ts';

/** Asks the view of what waits, which the user `ingest` may read. */
export function createComputedWaits(store: Pick<ClickHouse, 'query'>): ComputedWaitsReader {
  return {
    read: async () => (await store.query('SELECT * FROM in_computed_waits')).map((row) => ({
      table: String(row['table']),
      waiting: Number(row['waiting']),
      secondsMax: Number(row['seconds_max']),
    })),
  };
}
