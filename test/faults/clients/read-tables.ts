import { DATABASE } from '../../../infra/local/processes/local-stack.ts';
import type { StackEnv } from '../../../infra/local/stack-env.ts';
import { askTables } from '../checker/collect/clickhouse.ts';
import type { StackAddresses } from '../run-files.ts';
import type { StoredFix } from './measure.ts';

/** All fixes of some devices as analysts see them, with the number of rows of each. */
export async function readFixes(
  env: StackEnv, devices: readonly string[],
): Promise<readonly StoredFix[]> {
  const rows = await askTables(addressesOf(env), `
    SELECT device_id, toUnixTimestamp(ts) AS time, count() AS rows FROM v_locations
    WHERE device_id IN (${devices.map((device) => `'${device}'`).join(', ')})
    GROUP BY device_id, ts`);
  return rows.map(({ device_id, time, rows: count }) => (
    { device_id: String(device_id), time: Number(time), rows: Number(count) }
  ));
}

/** How many items since then were known already, by the ledger. */
export async function readRepeats(env: StackEnv, since: Date): Promise<number> {
  const time = (at: Date): string => `'${at.toISOString().slice(0, -1).replace('T', ' ')}'`;
  const until = new Date(Date.now() + 60_000);
  const [row] = await askTables(addressesOf(env), `
    SELECT sum(duplicate) AS repeats
    FROM v_ingest_outcomes(since = ${time(since)}, until = ${time(until)})
    WHERE kind = 'locations'`);
  return Number(row?.['repeats']);
}

function addressesOf(env: StackEnv): StackAddresses {
  return {
    brokers: [], state_urls: [], registry_url: '', gateways: [],
    clickhouse_url: env.CLICKHOUSE_URL, clickhouse_user: env.CLICKHOUSE_USER,
    clickhouse_password: env.CLICKHOUSE_PASSWORD, clickhouse_database: DATABASE,
  };
}
