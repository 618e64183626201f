import type { TablePartsReader } from '../../kernel/table-parts.ts';
import type { ClickHouse } from './clickhouse.ts';

/** Asks the view of parts, which the user `ingest` may read. */
export function createTableParts(store: Pick<ClickHouse, 'query'>): TablePartsReader {
  return {
    read: async () => (await store.query('SELECT * FROM in_table_parts')).map((row) => ({
      table: String(row['table']),
      parts: Number(row['parts']),
      partitionPartsMax: Number(row['partition_parts_max']),
    })),
  };
}
