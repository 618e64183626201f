import { Unavailable } from '../../../services/kernel/unavailable.ts';
import { isNewer } from '../../../services/domain/fix/is-newer.ts';
import type {
  GeoBox, LastFix, FixOffer, LastFixes,
} from '../../../services/kernel/fixes.ts';
import { isErased } from '../../../services/kernel/erased-tracks.ts';
import type { TraceableOffer, TraceableFixes } from '../../../services/kernel/traceables.ts';
import { toDeviceState } from '../../../services/state/device-fields.ts';
import { deviceKey } from '../../../services/state/device-directory.ts';
import type { FakeStateStore } from '../fake-state-store.ts';
import type { RebuildRight } from './readiness.ts';

/** Last fixes in memory. */
export interface FakeFixes {
  readonly ofDevices: Map<string, FixOffer>;
  readonly ofTraceables: Map<string, TraceableOffer>;
  /** Up to which time of receipt the positions of each device are erased. */
  readonly erasedMs: Map<string, number>;
  isComplete: boolean;
}

/** {@link LastFixes} in memory, by the rule of the domain. */
export function fakeLastFixes(
  store: FakeStateStore, fixes: FakeFixes, right: RebuildRight,
): LastFixes {
  return {
    async offer(offers) {
      store.guard({ requireReady: false });
      for (const offer of offers) {
        if (isErased(fixes.erasedMs, offer.device_id, offer.received_at_ms)) continue;
        if (isNewer(offer, fixes.ofDevices.get(offer.device_id))) {
          fixes.ofDevices.set(offer.device_id, offer);
        }
      }
    },
    async erase(tracks) {
      store.guard({ requireReady: false });
      for (const { device_id, received_until_ms } of tracks) {
        const known = fixes.erasedMs.get(device_id) ?? received_until_ms;
        fixes.erasedMs.set(device_id, Math.max(known, received_until_ms));
        const kept = fixes.ofDevices.get(device_id);
        if (kept !== undefined && isErased(fixes.erasedMs, device_id, kept.received_at_ms)) {
          fixes.ofDevices.delete(device_id);
        }
      }
    },
    async find(clientId, deviceId) {
      store.guard({ requireReady: true });
      const kept = fixes.ofDevices.get(deviceId);
      if (kept === undefined) requireComplete(fixes);
      return kept?.client_id === clientId ? withoutRecordId(kept) : undefined;
    },
    async findWithin(clientId, box, after, limit) {
      store.guard({ requireReady: true });
      requireComplete(fixes);
      const rest = [...fixes.ofDevices.values()].map(withoutRecordId)
        .filter((fix) => fix.client_id === clientId && isLive(store, fix))
        .filter((fix) => isWithin(box, fix))
        .sort((a, b) => (a.device_id < b.device_id ? -1 : 1))
        .filter((fix) => after === undefined || fix.device_id > after.device_id);
      const page = rest.slice(0, limit);
      const last = page.length < limit ? undefined : page.at(-1);
      return { fixes: page, next: last && { score: 0, device_id: last.device_id } };
    },
    async isComplete() {
      store.guard({ requireReady: false });
      return fixes.isComplete;
    },
    async markComplete(owner) {
      store.guard({ requireReady: false });
      if (!right.giveBack(owner)) return false;
      fixes.isComplete = true;
      return true;
    },
  };
}

/** A stop that only was claimed leaves the device where it was. */
function isLive(store: FakeStateStore, { client_id, device_id }: LastFix): boolean {
  const fields = store.entry(deviceKey(client_id, device_id))?.fields;
  const device = fields && toDeviceState(fields);
  return device?.stage !== 3 || device.stop_from !== undefined;
}

function requireComplete({ isComplete }: FakeFixes): void {
  if (!isComplete) throw new Unavailable('state_not_ready', 'admit', 'positions follow');
}

function withoutRecordId<Offer extends { readonly recordId: unknown }>(
  { recordId: _, ...fix }: Offer,
): Omit<Offer, 'recordId'> {
  return fix;
}

function isWithin(box: GeoBox, { latitude, longitude }: LastFix): boolean {
  const { min_longitude: west, max_longitude: east } = box;
  if (latitude < box.min_latitude || latitude > box.max_latitude) return false;
  if (west > east) return longitude >= west || longitude <= east;
  return longitude >= west && longitude <= east;
}

/** {@link TraceableFixes} in memory, by the rule of the domain. */
export function fakeTraceables(store: FakeStateStore, fixes: FakeFixes): TraceableFixes {
  const nameOf = (...parts: readonly string[]): string => JSON.stringify(parts);
  return {
    async offer(offers) {
      store.guard({ requireReady: false });
      for (const offer of offers) {
        const name = nameOf(offer.client_id, offer.traceable_type, offer.traceable_id);
        if (isNewer(offer, fixes.ofTraceables.get(name))) fixes.ofTraceables.set(name, offer);
      }
    },
    async forget(traceables) {
      store.guard({ requireReady: false });
      for (const { client_id, traceable_type, traceable_id, received_until_ms } of traceables) {
        const name = nameOf(client_id, traceable_type, traceable_id);
        const kept = fixes.ofTraceables.get(name);
        if (kept !== undefined && kept.received_at_ms <= received_until_ms) {
          fixes.ofTraceables.delete(name);
        }
      }
    },
    async find(clientId, traceableType, traceableId) {
      store.guard({ requireReady: true });
      const kept = fixes.ofTraceables.get(nameOf(clientId, traceableType, traceableId));
      if (kept !== undefined) return withoutRecordId(kept);
      requireComplete(fixes);
      return undefined;
    },
  };
}
