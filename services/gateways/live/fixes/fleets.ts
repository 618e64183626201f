import { isNewer } from '../../../domain/fix/is-newer.ts';
import type { FixOffer, LastFix } from '../../../kernel/fixes.ts';
import type { ClientId, DeviceId } from '../../../kernel/ids.ts';
import type { RecordId } from '../../../kernel/record-id.ts';
import { createBoundedCache } from '../../../kernel/bounded-cache.ts';

/** A device on the map. Changes are counted over all devices, so that they have one order. */
export interface MapDevice {
  readonly deviceId: DeviceId;
  readonly clientId: ClientId;
  fix: LastFix;
  recordId: RecordId;
  /** Number of the change that brought it, and of its last one. */
  readonly appeared: number;
  change: number;
  isGone: boolean;
}

/** Devices in the order of their last change; one that changed again is where it changed last. */
export interface MapFleet {
  /** Those whose last change is after one and not after another, the oldest first. */
  between(after: number, upTo: number): Iterable<MapDevice>;
}

/** The newest position of every device, of each client and of all. */
export interface Fleets {
  offer(offer: FixOffer): void;
  /** What the state store knows, from a record that is not known. */
  seed(fix: LastFix): void;
  /** Takes a stopped device off the map for good. */
  stop(deviceId: DeviceId): void;
  /** Takes off what was received up to a time, and takes nothing of it again. */
  erase(deviceId: DeviceId, untilMs: number): void;
  of(whose: ClientId | 'all'): MapFleet;
  size(): number;
  /** Number of the newest change. */
  change(): number;
  /** Says that an update ends here; devices that left before `floor` are forgotten. */
  endUpdate(floor: number): void;
}

interface Change {
  readonly number: number;
  readonly device: MapDevice;
}

interface OwnFleet extends MapFleet {
  push(device: MapDevice): void;
  sweep(floor: number): void;
}

/** Of a seed nothing is known but its time: whatever the log has at that time replaces it. */
const BEFORE_THE_LOG: RecordId = { topicId: '', partition: 0, offset: -1n };
const LEFT_MAX = 200_000;
const SPARE_CHANGES = 1_024;

/** Makes an empty map. */
export function createFleets(): Fleets {
  const devices = new Map<DeviceId, MapDevice>();
  const all = createFleet();
  const byClient = new Map<ClientId, OwnFleet>();
  const stopped = createBoundedCache<DeviceId, true>(LEFT_MAX);
  const erased = createBoundedCache<DeviceId, number>(LEFT_MAX);
  let change = 0;
  let updateEnd = 0;

  function fleetOf(clientId: ClientId): OwnFleet {
    let fleet = byClient.get(clientId);
    if (fleet === undefined) {
      fleet = createFleet();
      byClient.set(clientId, fleet);
    }
    return fleet;
  }

  /** A device that changes twice in an update has one place in it. */
  function moved(device: MapDevice): void {
    if (device.change > updateEnd) return;
    change += 1;
    device.change = change;
    all.push(device);
    fleetOf(device.clientId).push(device);
  }

  function put(fix: LastFix, recordId: RecordId): void {
    if (stopped.get(fix.device_id) === true) return;
    if (fix.received_at_ms <= (erased.get(fix.device_id) ?? -1)) return;
    const known = devices.get(fix.device_id);
    if (known === undefined) {
      const device: MapDevice = {
        deviceId: fix.device_id, clientId: fix.client_id, fix, recordId,
        appeared: change + 1, change: 0, isGone: false,
      };
      devices.set(fix.device_id, device);
      moved(device);
      return;
    }
    const kept = { timestamp: known.fix.timestamp, recordId: known.recordId };
    if (!isNewer({ timestamp: fix.timestamp, recordId }, kept)) return;
    known.fix = fix;
    known.recordId = recordId;
    moved(known);
  }

  function leave(deviceId: DeviceId): void {
    const device = devices.get(deviceId);
    if (device === undefined) return;
    devices.delete(deviceId);
    device.isGone = true;
    moved(device);
  }

  return {
    offer: ({ recordId, ...fix }) => { put(fix, recordId); },
    seed: (fix) => { put(fix, BEFORE_THE_LOG); },
    stop(deviceId) {
      stopped.set(deviceId, true);
      leave(deviceId);
    },
    erase(deviceId, untilMs) {
      erased.set(deviceId, Math.max(untilMs, erased.get(deviceId) ?? 0));
      const device = devices.get(deviceId);
      if (device !== undefined && device.fix.received_at_ms <= untilMs) leave(deviceId);
    },
    of: (whose) => whose === 'all' ? all : fleetOf(whose),
    size: () => devices.size,
    change: () => change,
    endUpdate(floor) {
      updateEnd = change;
      all.sweep(floor);
      for (const fleet of byClient.values()) fleet.sweep(floor);
    },
  };
}

function createFleet(): OwnFleet {
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
