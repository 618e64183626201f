import type { DriverEraser, NamedDriver } from '../../kernel/driver-eraser.ts';
import type { ClickHouse } from './clickhouse.ts';

const OF_PROVIDER = 'client_id = {client_id:String} AND provider = {provider:String}';
const OF_DRIVER = `${OF_PROVIDER} AND external_type = {external_type:String}
  AND external_id = {external_id:String}`;
const UNTIL = 'received_at <= fromUnixTimestamp64Milli({until:Int64}, \'UTC\')';
const SENT = ['delivery_locations', 'delivery_outliers'];

// Every replica has rewritten its parts when the statement ends; the rows that a subquery finds are
// the same on each.
const WAITS = 'SETTINGS mutations_sync = 2, allow_nondeterministic_mutations = 1';

/** The key of a post is its first driver; others are found by the rows of the post. */
const LEDGER = `ALTER TABLE ingest_records UPDATE kind = 'erased', key = ''
  WHERE kind = 'delivery_locations' AND ${OF_PROVIDER} AND ${UNTIL}
    AND (key = {key:String} OR (k_partition, k_offset) IN (
      ${SENT.map((table) => `SELECT k_partition, bitNot(k_rank) FROM ${table}
        WHERE ${OF_DRIVER} AND ${UNTIL}`).join(' UNION ALL ')})) ${WAITS}`;

/** The key is gone with the driver, so all erased records of the client count. */
const BALANCES_AGAIN = `INSERT INTO ingest_period_marks (period, marked_at)
  SELECT DISTINCT toStartOfTenMinutes(received_at), now64(3, 'UTC') FROM ingest_records
  WHERE kind = 'erased' AND ${OF_PROVIDER} AND ${UNTIL}`;

const DEAD_LETTERS = `ALTER TABLE dead_letters DELETE
  WHERE key = {key:String} AND client_id = {client_id:String} AND ${UNTIL}
    AND origin_topic = 'delivery.locations.v1' ${WAITS}`;

const LAST_GONE = `ALTER TABLE traceable_last DELETE
  WHERE client_id = {client_id:String} AND (traceable_type, traceable_id) IN (
    SELECT traceable_type, traceable_id FROM delivery_locations WHERE ${OF_DRIVER} AND ${UNTIL})
  ${WAITS}`;

/** As in_delivery_fixes_to_traceable_last, for what has no last position now. */
const LAST_AGAIN = `INSERT INTO traceable_last
  SELECT client_id, traceable_type, traceable_id, max(l.ts) AS ts,
         argMaxState((l.ts, lat_e7, lon_e7, bearing, toString(provider), toString(external_type),
                      external_id, toString(call_country_id), received_at),
                     (l.ts, bitNot(k_rank), toUInt16(0))) AS place
  FROM delivery_locations AS l
  WHERE client_id = {client_id:String} AND bitAnd(flag_bits, 3) = 0
    AND (traceable_type, traceable_id) NOT IN (
      SELECT traceable_type, traceable_id FROM traceable_last
      WHERE client_id = {client_id:String})
  GROUP BY client_id, traceable_type, traceable_id`;

/** Erases drivers by mutations, as positions of devices are. */
export function createDriverEraser(
  store: Pick<ClickHouse, 'query' | 'execute'>,
): DriverEraser {
  return {
    async driversOf(client_id, provider) {
      const rows = await store.query(SENT.map((table) => `SELECT DISTINCT
        toString(external_type) AS external_type, external_id FROM ${table}
        WHERE ${OF_PROVIDER}`).join(' UNION DISTINCT '), { client_id, provider });
      return rows.map((row): NamedDriver => ({
        client_id, provider,
        external_type: String(row['external_type']), external_id: String(row['external_id']),
      }));
    },

    async traceablesOf(driver) {
      const rows = await store.query(`SELECT traceable_type AS type, traceable_id AS id
        FROM v_traceable_last WHERE ${OF_DRIVER} ORDER BY type, id`, { ...driver });
      return rows.map(({ type, id }) => ({ type: String(type), id: String(id) }));
    },

    async erase(driver, until) {
      const { provider, external_type, external_id } = driver;
      const parameters = {
        ...driver, until, key: `${provider}|${external_type}|${external_id}`,
      };
      // While the rows are there, which say what else is about the driver.
      await store.execute(LEDGER, parameters);
      await store.execute(BALANCES_AGAIN, parameters);
      await store.execute(DEAD_LETTERS, parameters);
      await store.execute(LAST_GONE, parameters);
      let rows = 0;
      for (const table of SENT) {
        const [found] = await store.query(
          `SELECT count() AS rows FROM ${table} WHERE ${OF_DRIVER} AND ${UNTIL}`, parameters,
        );
        rows += Number(found?.['rows'] ?? 0);
        await store.execute(
          `ALTER TABLE ${table} DELETE WHERE ${OF_DRIVER} AND ${UNTIL} ${WAITS}`, parameters,
        );
      }
      await store.execute(LAST_AGAIN, parameters);
      return rows;
    },
  };
}
