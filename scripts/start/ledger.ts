import { createComparison, type Balance } from '../../services/provider/ledger/compare.ts';
import { identityOfStored, type StoredLocation } from '../../services/provider/ledger/identity.ts';
import type { LedgerLine } from '../../services/provider/ledger/lines.ts';
import type { Query } from './freshness.ts';
import { ledgerLines } from './platform.ts';

/** Everything that tells one stored location from another (services/provider/README.md, Ledger). */
const ROW_COLUMNS = `device_id, toUnixTimestamp(ts) AS timestamp,
  toInt32(round(latitude * 1e7)) AS lat_e7, toInt32(round(longitude * 1e7)) AS lon_e7,
  country_id, altitude, accuracy, bearing, bearing_accuracy, speed, ignition, odometer, metadata`;
const DEVICES_PER_QUERY = 100;

/**
 * Compares, item by item, what the provider's ledger says was sent with what an analyst finds.
 * Rows of devices that are not in this ledger belong to other runs and are left out.
 */
export async function balance(ledgerFile: string, query: Query): Promise<Balance> {
  const comparison = createComparison();
  const devices = new Set<string>();
  for (const line of ledgerLines<LedgerLine>(ledgerFile)) {
    comparison.addLine(line);
    if (line.line === 'post') devices.add(line.device_id);
  }
  for (const chunk of chunks([...devices], DEVICES_PER_QUERY)) {
    const rows = await query<StoredLocation>(
      `SELECT ${ROW_COLUMNS} FROM v_locations WHERE device_id IN {devices:Array(String)}`,
      { devices: chunk },
    );
    for (const row of rows) comparison.addRow(identityOfStored(row));
  }
  return comparison.balance();
}

/** True when nothing is lost, doubled, unexplained or refused. */
export function isClean(result: Balance): boolean {
  return result.lost === 0 && result.doubled === 0 && result.phantom === 0 && result.refused === 0;
}

function* chunks<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
