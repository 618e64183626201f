import type { BenchTables, TableSize } from '../store.ts';

/** Bytes per location on disk, after all parts of the tables were merged. */
export interface DiskUse {
  readonly locations: number;
  /** Of the fixes alone. */
  readonly locationBytes: number;
  /** Of fixes, their order by place and telemetry together, divided by fixes. */
  readonly withTelemetryBytes: number;
}

/** Disk of recorded drives, and of what the shooters made up. */
export interface DiskRow {
  readonly recorded: DiskUse;
  readonly simulated: DiskUse;
}

const FIXES = 'locations';
const PLACES = 'fixes_by_place';
const TELEMETRY = 'telemetry';

/** Merges, then asks the server's own books. */
export async function mergedSize(store: BenchTables): Promise<readonly TableSize[]> {
  for (const table of [FIXES, PLACES, TELEMETRY]) await store.mergeAll(table);
  return store.size();
}

/** What came between two readings of the books, per location. */
export function diskUse(
  before: readonly TableSize[], after: readonly TableSize[],
): DiskUse {
  const grown = (what: 'rows' | 'bytes', name: string): number => {
    const [one, two] = [before, after].map((sizes) =>
      sizes.find(({ table }) => table === name)?.[what] ?? 0);
    return (two ?? 0) - (one ?? 0);
  };
  const locations = grown('rows', FIXES);
  return {
    locations,
    locationBytes: grown('bytes', FIXES) / locations,
    withTelemetryBytes: [FIXES, PLACES, TELEMETRY]
      .reduce((total, name) => total + grown('bytes', name), 0) / locations,
  };
}
