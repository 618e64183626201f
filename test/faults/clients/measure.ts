import type { LocationFix } from '../../../services/clients/typescript/src/index.ts';
import type { Handed } from './kit-process.ts';

/** Makes fixes of devices, and keeps which there are. */
export interface Measurer {
  /** The next fixes of each device. */
  measure(): readonly Handed[];
  /** How many there are. */
  count(): number;
  /** Compares them with what is stored. */
  compare(rows: readonly StoredFix[]): FixComparison;
}

/** A fix in the tables, and how many rows it has. */
export interface StoredFix {
  readonly device_id: string;
  readonly time: number;
  readonly rows: number;
}

/** What is missing and what is too much. */
export interface FixComparison {
  readonly rows: number;
  readonly lost: number;
  readonly doubled: number;
  readonly strange: number;
}

const FIXES_AT_ONCE = 3;

/** Fixes one second of the device apart, from `fromSeconds` on. */
export function createMeasurer(
  devices: readonly string[], country_id: string, fromSeconds: number,
): Measurer {
  const times = new Map(devices.map((device) => [device, new Set<number>()] as const));
  let next = fromSeconds;
  let number = 0;

  return {
    measure() {
      const seconds = Array.from({ length: FIXES_AT_ONCE }, () => next++);
      return devices.map((device_id) => {
        for (const time of seconds) times.get(device_id)?.add(time);
        const fixes = seconds.map((time) => fixAt(time, country_id));
        return { number: number++, device_id, fixes };
      });
    },
    count: () => devices.length * (next - fromSeconds),
    compare(rows) {
      let lost = [...times.values()].reduce((sum, { size }) => sum + size, 0);
      let doubled = 0;
      let strange = 0;
      let total = 0;
      for (const row of rows) {
        total += row.rows;
        if (times.get(row.device_id)?.has(row.time) !== true) strange += row.rows;
        else {
          lost -= 1;
          doubled += row.rows - 1;
        }
      }
      return { rows: total, lost, doubled, strange };
    },
  };
}

/** A vehicle that drives along a meridian, some 40 km/h. */
function fixAt(timestamp: number, country_id: string): LocationFix {
  return {
    timestamp, country_id, accuracy: 5,
    latitude: -23 + (timestamp % 10_000) * 1e-4, longitude: -46.6,
  };
}
