import type { Clock } from '../../../services/kernel/clock.ts';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import type {
  GeoBox, LastPosition, PositionOffer, PositionStates,
} from '../../../services/kernel/positions.ts';
import type { Readiness } from '../../../services/kernel/readiness.ts';
import type { TraceablePositions } from '../../../services/kernel/traceables.ts';
import type { FakeStore, Guard } from './store.ts';

/** {@link PositionStates} over the store in memory. */
export function fakePositions(store: FakeStore, guard: Guard, clock: Clock): PositionStates {
  return {
    async offer(offers) {
      guard(false);
      for (const offer of offers) {
        const kept = store.positions.get(offer.device_id);
        const { position, ...fix } = offer;
        if (kept === undefined || newer(offer, kept)) {
          store.positions.set(offer.device_id, { fix, place: position });
        }
      }
    },
    async find(clientId, deviceId) {
      guard(true);
      const fix = store.positions.get(deviceId)?.fix;
      if (fix === undefined && !store.positionsComplete) {
        throw new Unavailable('state_not_ready', 'admit', 'positions follow');
      }
      return fix?.client_id === clientId ? fix : undefined;
    },
    async findWithin(clientId, box, after, limit) {
      guard(true);
      if (!store.positionsComplete) throw new Unavailable('state_not_ready', 'admit', 'positions follow');
      const rest = [...store.positions.values()].map(({ fix }) => fix)
        .filter((fix) => fix.client_id === clientId && isLive(store, fix.device_id))
        .filter((fix) => isWithin(box, fix))
        .sort((a, b) => (a.device_id < b.device_id ? -1 : 1))
        .filter((fix) => after === undefined || fix.device_id > after.device_id);
      const positions = rest.slice(0, limit);
      const last = positions.length < limit ? undefined : positions.at(-1);
      return { positions, next: last && { score: 0, device_id: last.device_id } };
    },
    async isComplete() {
      guard(false);
      return store.positionsComplete;
    },
    async markComplete(owner) {
      guard(false);
      if (!holdsRight(store, clock, owner)) return false;
      store.rebuild = undefined;
      store.positionsComplete = true;
      return true;
    },
  };
}

/** A stop that only was claimed leaves the device where it was. */
function isLive(store: FakeStore, deviceId: string): boolean {
  const device = store.devices.get(deviceId);
  return device?.rank !== 3 || device.stopFrom !== undefined;
}

function isWithin(box: GeoBox, { latitude, longitude }: LastPosition): boolean {
  const { min_longitude: west, max_longitude: east } = box;
  if (latitude < box.min_latitude || latitude > box.max_latitude) return false;
  if (west > east) return longitude >= west || longitude <= east;
  return longitude >= west && longitude <= east;
}

function newer(
  offer: Pick<PositionOffer, 'timestamp' | 'position'>,
  kept: { fix: { timestamp: number }; place: PositionOffer['position'] },
): boolean {
  if (offer.timestamp !== kept.fix.timestamp) return offer.timestamp > kept.fix.timestamp;
  const { topicId, offset } = offer.position;
  return topicId === kept.place.topicId ? offset > kept.place.offset : topicId > kept.place.topicId;
}

/** {@link TraceablePositions} over the store in memory. */
export function fakeTraceables(store: FakeStore, guard: Guard): TraceablePositions {
  const nameOf = (...parts: readonly string[]): string => JSON.stringify(parts);
  return {
    async offer(offers) {
      guard(false);
      for (const offer of offers) {
        const name = nameOf(offer.client_id, offer.traceable_type, offer.traceable_id);
        const kept = store.traceables.get(name);
        if (kept === undefined || newer(offer, { fix: kept, place: kept.position })) {
          store.traceables.set(name, offer);
        }
      }
    },
    async find(clientId, traceableType, traceableId) {
      guard(true);
      const kept = store.traceables.get(nameOf(clientId, traceableType, traceableId));
      if (kept === undefined && !store.positionsComplete) {
        throw new Unavailable('state_not_ready', 'admit', 'positions follow');
      }
      if (kept === undefined) return undefined;
      const { position: _, ...fix } = kept;
      return fix;
    },
  };
}

/** {@link Readiness} over the store in memory. */
export function fakeReadiness(store: FakeStore, guard: Guard, clock: Clock): Readiness {
  const holds = (owner: string): boolean => holdsRight(store, clock, owner);
  const free = (): boolean =>
    store.rebuild === undefined || store.rebuild.untilMs <= clock.nowMs();

  return {
    async isReady() {
      guard(false);
      return store.ready;
    },
    async claimRebuild(owner, leaseMs) {
      guard(false);
      if (!free() && !holds(owner)) return false;
      store.rebuild = { owner, untilMs: clock.nowMs() + leaseMs };
      return true;
    },
    async renewRebuild(owner, leaseMs) {
      guard(false);
      if (!holds(owner)) return false;
      store.rebuild = { owner, untilMs: clock.nowMs() + leaseMs };
      return true;
    },
    async markReady(owner) {
      guard(false);
      if (!holds(owner)) return false;
      store.rebuild = undefined;
      store.ready = true;
      return true;
    },
  };
}

function holdsRight(store: FakeStore, clock: Clock, owner: string): boolean {
  return store.rebuild?.owner === owner && store.rebuild.untilMs > clock.nowMs();
}
