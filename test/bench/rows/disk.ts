import type { Store, TableSize } from '../store.ts';

/** Bytes per location on disk, after all parts of the tables were merged. */
export interface DiskRow {
  readonly locations: number;
  /** Of the fixes alone. */
  readonly locationBytes: number;
  /** Of fixes and telemetry together, divided by fixes. */
  readonly withTelemetryBytes: number;
  readonly tables: readonly TableSize[];
}

const FIXES = 'locations';
const TELEMETRY = 'telemetry';

/** Merges, then asks the server's own books. */
export async function measureDisk(store: Store): Promise<DiskRow> {
  for (const table of [FIXES, TELEMETRY]) await store.mergeAll(table);
  const tables = await store.size();
  const bytesOf = (name: string): number =>
    tables.find(({ table }) => table === name)?.bytes ?? 0;
  const locations = tables.find(({ table }) => table === FIXES)?.rows ?? 0;
  return {
    locations,
    locationBytes: bytesOf(FIXES) / locations,
    withTelemetryBytes: (bytesOf(FIXES) + bytesOf(TELEMETRY)) / locations,
    tables,
  };
}
