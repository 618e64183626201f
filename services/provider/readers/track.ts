import type { LocationFix } from '../../../schemas/generated/types.ts';

/**
 * One vehicle of one file: its fixes in the order of the file, with its back steps, gaps, repeats
 * and bad values. Times are the origin's, in epoch seconds; replay shifts them.
 */
export interface Track {
  /** Name of the origin folder, for example `capmetrics`. */
  readonly source: string;
  readonly vehicle: string;
  readonly country_id: string;
  readonly fixes: readonly LocationFix[];
  /** Rows whose time is no date at all: the contract cannot express them, they leave a gap. */
  readonly unsendable: number;
}

/** Reads one file of an origin; the text is the whole file, `name` its name without a folder. */
export type TrackReader = (text: string, name: string) => Track[];

/** Collects rows of a file by vehicle, in the order of the file. */
export function createTrackCollector(source: string, country_id: string) {
  const vehicles = new Map<string, { fixes: LocationFix[]; unsendable: number }>();

  function vehicleNamed(vehicle: string) {
    let entry = vehicles.get(vehicle);
    if (entry === undefined) {
      entry = { fixes: [], unsendable: 0 };
      vehicles.set(vehicle, entry);
    }
    return entry;
  }

  return {
    add(vehicle: string, fix: LocationFix): void {
      vehicleNamed(vehicle).fixes.push(fix);
    },
    addUnsendable(vehicle: string): void {
      vehicleNamed(vehicle).unsendable += 1;
    },
    tracks(): Track[] {
      return [...vehicles].map(([vehicle, entry]) => ({ source, vehicle, country_id, ...entry }));
    },
  };
}
