import type { LastFix } from '../../../kernel/fixes.ts';
import type { ClientId, DeviceId } from '../../../kernel/ids.ts';
import type { RecordId } from '../../../kernel/record-id.ts';

/**
 * Where a device is, as its viewers read it. It is written over in place: what would be replaced
 * each second outlives the young heap, and would double the memory of the process.
 */
export interface MapFix {
  provider: string;
  timestamp: number;
  latitude: number;
  longitude: number;
  speed?: number | undefined;
  bearing?: number | undefined;
  ignition?: boolean | undefined;
  received_at_ms: number;
}

/** A device on the map. Changes are counted over all devices, so that they have one order. */
export interface MapDevice {
  readonly deviceId: DeviceId;
  readonly clientId: ClientId;
  readonly fix: MapFix;
  recordId: RecordId;
  /** Number of the change that brought it, and of its last one. */
  readonly appeared: number;
  change: number;
  /** Number of the last change that also those see who are shown no states. */
  plainChange: number;
  isStopped: boolean;
  /** Its fixes go to the overflow topic. */
  isOverflowing: boolean;
  isGone: boolean;
}

/** What a device keeps of a fix. */
export function mapFix(fix: LastFix): MapFix {
  const { provider, timestamp, latitude, longitude, speed, bearing, ignition } = fix;
  return {
    provider, timestamp, latitude, longitude, speed, bearing, ignition,
    received_at_ms: fix.received_at_ms,
  };
}

/** Devices in the order of their last change; one that changed again is where it changed last. */
export interface MapFleet {
  /** Those whose last change is after one and not after another, the oldest first. */
  between(after: number, upTo: number): Iterable<MapDevice>;
}

/** A fleet that changes are added to, by their count. */
export interface OwnFleet extends MapFleet {
  push(device: MapDevice): void;
  /** Forgets changes that others replaced, and devices that left before one. */
  sweep(floor: number): void;
}

interface Change {
  readonly number: number;
  readonly device: MapDevice;
}

const SPARE_CHANGES = 1_024;

/** Makes an empty fleet. */
export function createMapFleet(): OwnFleet {
  let changes: Change[] = [];
  let sizeAtSweep = 0;

  function firstAfter(change: number): number {
    let low = 0;
    let high = changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((changes[middle]?.number ?? 0) <= change) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    * between(after, upTo) {
      for (let at = firstAfter(after); at < changes.length; at += 1) {
        const entry = changes[at];
        if (entry === undefined || entry.number > upTo) return;
        if (entry.device.change === entry.number) yield entry.device;
      }
    },
    push(device) { changes.push({ number: device.change, device }); },
    sweep(floor) {
      if (changes.length < 2 * sizeAtSweep + SPARE_CHANGES) return;
      changes = changes.filter(({ number, device }) => (
        device.change === number && !(device.isGone && number <= floor)
      ));
      sizeAtSweep = changes.length;
    },
  };
}
