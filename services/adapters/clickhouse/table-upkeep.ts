import type { TablePartition, TableUpkeep } from '../../kernel/table-upkeep.ts';
import type { ClickHouse } from './clickhouse.ts';

/**
 * Not filled from the log but by migrations, or by the clock (ADR 0021), or summed up of rows of
 * other tables, whose older ones the log does not hold any more.
 */
const LEDGERS = [
  'schema_migrations', 'table_backups', 'device_day_marks', 'device_days', 'device_day_states',
  'provider_command_states',
  'ingest_period_marks', 'ingest_choices', 'ingest_balances', 'provider_days', 'place_day_marks',
  'device_day_zones', 'visit_days', 'battery_days', 'provider_hours', 'provider_hour_marks',
  'time_zone_releases', 'time_zone_runs', 'time_zone_clocks', 'time_zone_countries',
];

/** Columns that pass before their row does, and those that say when something was written. */
const PASSING: readonly string[] = ['dead_letters.value', 'device_minutes.arrived_at'];

/**
 * What was stored of records of which something was erased: it says how it was before, and a store
 * that knew of the erasure has less.
 */
const NOT_OF_ERASED = (database: string): string => `(k_partition, k_offset, received_at) NOT IN (
  SELECT k_partition, k_offset, received_at FROM ${database}.ingest_records WHERE kind = 'erased')`;

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
    async partitions(among) {
      const found: TablePartition[] = [];
      for (const [table, columns] of await columnsOf()) {
        const wanted = among?.filter((each) => each.table === table);
        if (wanted?.length === 0) continue;
        const which = wanted === undefined ? '1' : '_partition_id IN {wanted:Array(String)}';
        const rows = await store.query(`
          SELECT _partition_id AS partition, count() AS rows, groupBitXor(${hashOf(columns)}) AS hash
          FROM ${database}.${table} FINAL WHERE ${which} AND ${accounted(database, table)}
          GROUP BY partition
          ORDER BY partition`, { wanted: wanted?.map(({ partition }) => partition) ?? [] });
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
        SELECT ${hash} AS hash FROM ${name}.${table} FINAL
        WHERE _partition_id = {partition:String} AND ${accounted(name, table)}`;
      const rows = await store.query(
        `SELECT count() AS rows FROM (${rowsIn(other)}) WHERE hash NOT IN (${rowsIn(database)})`,
        { partition },
      );
      return Number(rows[0]?.['rows']);
    },
  };
}

function accounted(database: string, table: string): string {
  return table === 'ingest_stored' ? NOT_OF_ERASED(database) : '1';
}

/** Over the bytes of a row, so that an absent value counts too. */
function hashOf(columns: string): string {
  return `cityHash64(formatRow('RowBinary', ${columns}))`;
}
