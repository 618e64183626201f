import { isNewer } from '../../../domain/fix/is-newer.ts';
import type { FixOffer, LastFix } from '../../../kernel/fixes.ts';
import type { ClientId, DeviceId } from '../../../kernel/ids.ts';
import type { RecordId } from '../../../kernel/record-id.ts';
import { createBoundedCache } from '../../../kernel/bounded-cache.ts';
import {
  createMapFleet, mapFix, type MapDevice, type MapFix, type MapFleet, type OwnFleet,
} from './map-fleet.ts';
import type { Overflowing } from './overflow-now.ts';

/** The newest position of every device, of each client and of all. */
export interface Fleets {
  offer(offer: FixOffer): void;
  /** What the state store knows, from a record that is not known. */
  seed(fix: LastFix): void;
  /** A device was stopped at a time, for good. */
  stop(deviceId: DeviceId, atMs: number): void;
  /** Takes devices off the map that were stopped before a time, and none of them again. */
  showStoppedSince(sinceMs: number): void;
  /** Which fixes go to the overflow topic from now on. */
  overflow(now: Overflowing): void;
  /** Takes off what was received up to a time, and takes nothing of it again. */
  erase(deviceId: DeviceId, untilMs: number): void;
  of(whose: ClientId | 'all'): MapFleet;
  size(): number;
  /** Number of the newest change. */
  change(): number;
  /** Says that an update ends here; devices that left before `floor` are forgotten. */
  endUpdate(floor: number): void;
}

/** Of a seed nothing is known but its time: whatever the log has at that time replaces it. */
const BEFORE_THE_LOG: RecordId = { topicId: '', partition: 0, offset: -1n };
const LEFT_MAX = 200_000;

/** Makes an empty map. */
export function createFleets(): Fleets {
  const devices = new Map<DeviceId, MapDevice>();
  const all = createMapFleet();
  const byClient = new Map<ClientId, OwnFleet>();
  const stops = createBoundedCache<DeviceId, number>(LEFT_MAX);
  /** Stopped devices that are on the map, those that were stopped first in front. */
  const shownStops = new Map<DeviceId, number>();
  const erased = createBoundedCache<DeviceId, number>(LEFT_MAX);
  let overflowing: Overflowing = { devices: new Set(), providers: new Set() };
  let stoppedSinceMs = -Infinity;
  let change = 0;
  let updateEnd = 0;

  function fleetOf(clientId: ClientId): OwnFleet {
    let fleet = byClient.get(clientId);
    if (fleet === undefined) {
      fleet = createMapFleet();
      byClient.set(clientId, fleet);
    }
    return fleet;
  }

  /** A device that changes twice in an update has one place in it. */
  function changed(device: MapDevice): void {
    if (device.change > updateEnd) return;
    change += 1;
    device.change = change;
    all.push(device);
    fleetOf(device.clientId).push(device);
  }

  /** A change that all see, unless it is one of a stopped device. */
  function moved(device: MapDevice): void {
    changed(device);
    device.plainChange = device.change;
  }

  const overflows = (deviceId: DeviceId, { provider }: Pick<MapFix, 'provider'>): boolean => (
    overflowing.devices.has(deviceId) || overflowing.providers.has(provider)
  );

  function put(fix: LastFix, recordId: RecordId): void {
    const { device_id: deviceId } = fix;
    const stoppedMs = stops.get(deviceId);
    if (stoppedMs !== undefined && stoppedMs < stoppedSinceMs) return;
    if (fix.received_at_ms <= (erased.get(deviceId) ?? -1)) return;
    const known = devices.get(deviceId);
    if (known === undefined) {
      const device: MapDevice = {
        deviceId, clientId: fix.client_id, fix: mapFix(fix), recordId,
        appeared: change + 1, change: 0, plainChange: 0,
        isStopped: stoppedMs !== undefined, isOverflowing: overflows(deviceId, fix), isGone: false,
      };
      devices.set(deviceId, device);
      if (stoppedMs !== undefined) shownStops.set(deviceId, stoppedMs);
      // Also where its stop was read first: who comes from another copy may have it on a map.
      moved(device);
      return;
    }
    const kept = { timestamp: known.fix.timestamp, recordId: known.recordId };
    if (!isNewer({ timestamp: fix.timestamp, recordId }, kept)) return;
    Object.assign(known.fix, mapFix(fix));
    known.recordId = recordId;
    known.isOverflowing = overflows(deviceId, fix);
    if (known.isStopped) changed(known);
    else moved(known);
  }

  function leave(device: MapDevice): void {
    devices.delete(device.deviceId);
    shownStops.delete(device.deviceId);
    device.isGone = true;
    // Who is shown no states lost a stopped one when it was stopped.
    if (device.isStopped) changed(device);
    else moved(device);
  }

  return {
    offer: (offer) => { put(offer, offer.recordId); },
    seed: (fix) => { put(fix, BEFORE_THE_LOG); },
    stop(deviceId, atMs) {
      stops.set(deviceId, atMs);
      const device = devices.get(deviceId);
      if (device === undefined || device.isStopped) return;
      device.isStopped = true;
      shownStops.set(deviceId, atMs);
      moved(device);
    },
    showStoppedSince(sinceMs) {
      stoppedSinceMs = sinceMs;
      for (const [deviceId, atMs] of shownStops) {
        // Stops come in the order of their time, but for moments.
        if (atMs >= sinceMs) return;
        const device = devices.get(deviceId);
        if (device !== undefined) leave(device);
      }
    },
    overflow(now) {
      const flips = (one: Overflowing, other: Overflowing): boolean => (
        one.devices.difference(other.devices).size > 0
          || one.providers.difference(other.providers).size > 0);
      const isOther = flips(now, overflowing) || flips(overflowing, now);
      overflowing = now;
      for (const device of isOther ? devices.values() : []) {
        const isIn = overflows(device.deviceId, device.fix);
        if (device.isOverflowing === isIn) continue;
        device.isOverflowing = isIn;
        changed(device);
      }
    },
    erase(deviceId, untilMs) {
      erased.set(deviceId, Math.max(untilMs, erased.get(deviceId) ?? 0));
      const device = devices.get(deviceId);
      if (device !== undefined && device.fix.received_at_ms <= untilMs) leave(device);
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
