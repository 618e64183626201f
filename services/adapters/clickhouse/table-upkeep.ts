import type { TablePartition, TableUpkeep } from '../../kernel/table-upkeep.ts';
import type { ClickHouse } from './clickhouse.ts';

/**
 * Not filled from the log, or by the clock (ADR 0021), or summed up of rows of other tables, whose
 * older ones the log does not hold any more.
 */
const LEDGERS = [
  'schema_migrations', 'table_backups', 'device_day_marks', 'device_days', 'provider_command_states',
];

/** Columns that pass before their row does. */
const PASSING: readonly string[] = ['dead_letters.value'];

const TABLES = `
  SELECT t.name AS name,
         arrayStringConcat(groupArray(if(startsWith(c.type, 'AggregateFunction'),
             concat('finalizeAggregation(\`', c.name, '\`)'), concat('\`', c.name, '\`'))), ', ')
             AS columns
  FROM system.tables AS t
  INNER JOIN (SELECT * FROM system.columns WHERE database = {database:String}
              ORDER BY table, position) AS c
  ON c.table = t.name
  WHERE t.database = {database:String} AND t.engine LIKE '%MergeTree'
    AND t.name NOT IN ({ledgers:Array(String)})
    AND c.default_kind NOT IN ('ALIAS', 'EPHEMERAL')
    AND concat(t.name, '.', c.name) NOT IN ({passing:Array(String)})
  GROUP BY t.name
  ORDER BY t.name`;

/** The upkeep of one database, as a user who may read its tables. */
export function createTableUpkeep(store: ClickHouse, database: string): TableUpkeep {
  async function columnsOf(): Promise<ReadonlyMap<string, string>> {
    const rows = await store.query(TABLES, { database, ledgers: LEDGERS, passing: PASSING });
    return new Map(rows.map(({ name, columns }) => [String(name), String(columns)]));
  }

  return {
    async partitions() {
      const found: TablePartition[] = [];
      for (const [table, columns] of await columnsOf()) {
        const rows = await store.query(`
          SELECT _partition_id AS partition, count() AS rows, groupBitXor(${hashOf(columns)}) AS hash
          FROM ${database}.${table} FINAL
          GROUP BY partition
          ORDER BY partition`);
        for (const { partition, rows: count, hash } of rows) {
          found.push({
            table, partition: String(partition), rows: Number(count), hash: String(hash),
          });
        }
      }
      return found;
    },

    async lacking({ table, partition }, other) {
      const hash = hashOf((await columnsOf()).get(table) ?? '');
      const rowsIn = (name: string) => `
        SELECT ${hash} AS hash FROM ${name}.${table} FINAL WHERE _partition_id = {partition:String}`;
      const rows = await store.query(
        `SELECT count() AS rows FROM (${rowsIn(other)}) WHERE hash NOT IN (${rowsIn(database)})`,
        { partition },
      );
      return Number(rows[0]?.['rows']);
    },
  };
}

/** Over the bytes of a row, so that an absent value counts too. */
function hashOf(columns: string): string {
  return `cityHash64(formatRow('RowBinary', ${columns}))`;
}
