import { shardOf } from '../../services/kernel/shards.ts';
import type { AuthorizationCalls } from '../../services/kernel/authorization-calls.ts';
import type { FeedStates } from '../../services/kernel/feeds.ts';
import type { ShipmentJourney, ShipmentStates } from '../../services/kernel/shipments.ts';
import type { StateKey } from '../../services/kernel/state-store.ts';
import type { FakeStateStore } from './fake-state-store.ts';
import { fakeStates, type FakeStates } from './fake-states.ts';
import { shipmentsIn } from './shipments-in.ts';

/** {@link fakeStates} for tests of the platform's side, with what they look at. */
export interface MemoryStates extends Omit<FakeStates, 'failWith'> {
  /** Every call rejects with this outage from now on; without a code they work again. */
  failWith(code?: 'state_unavailable' | 'state_not_ready'): void;
  /** Sets the marks as a rebuild does when it ends. */
  markReady(): void;
  /** The carrier that authorized each tracking number. */
  carriers(): ReadonlyMap<string, string>;
  /** Tracking numbers that are about to be given. */
  claimedNumbers(): readonly string[];
  /** Every journey, to compare two stores. */
  journeys(): Readonly<Record<string, ShipmentJourney | undefined>>;
  /** When each call of a carrier is due, by its id. */
  callsDue(): ReadonlyMap<string, number>;
  /** When each feed of a carrier is due, by tracking number. */
  feedsDue(carrier: string): ReadonlyMap<string, number>;
}

/** How long after a rebuild a store is in doubt. */
const DOUBT_MS = 60_000;
const CALLS_DUE: StateKey = { shard: 0, kind: 'authorization-calls-due', id: '' };

/** Makes empty, ready stores; `nowMs` drives leases and expiry. */
export function memoryStates(
  nowMs: () => number = () => Date.now(), claimLeaseMs = 10_000,
): MemoryStates {
  return memoryOver(fakeStates({ claimLeaseMs }, { nowMs }), nowMs);
}

/** The same over stores that a test has already. */
export function memoryOver(
  states: FakeStates, nowMs: () => number = () => Date.now(),
): MemoryStates {
  const { store } = states;
  return {
    ...states,
    failWith: store.failWith,
    markReady() {
      if (!store.isReady()) store.doubtUntil(nowMs() + DOUBT_MS);
      store.setReady(true);
    },
    carriers: () => new Map([...shipmentsIn(store)].flatMap(([number, { authorized }]) => (
      authorized === undefined ? [] : [[number, authorized.client_id] as const]
    ))),
    claimedNumbers: () => store.ofKind('authorization')
      .flatMap(({ fields }) => fields.get('pending_number') ?? []),
    journeys: () => journeysIn(store),
    callsDue: () => store.members(CALLS_DUE),
    feedsDue: (id) => store.members({ shard: shardOf(id), kind: 'feeds-due', id }),
  };
}

/** {@link memoryStates}, its shipments to hand. */
export function memoryShipments(
  ...settings: Parameters<typeof memoryStates>
): MemoryStates & ShipmentStates {
  const states = memoryStates(...settings);
  return { ...states, ...states.shipments };
}

/** {@link memoryStates}, its calls of carriers to hand. */
export function memoryCalls(
  ...settings: Parameters<typeof memoryStates>
): MemoryStates & AuthorizationCalls {
  const states = memoryStates(...settings);
  return { ...states, ...states.authorizationCalls };
}

/** {@link memoryStates}, its feeds to hand. */
export function memoryFeeds(
  ...settings: Parameters<typeof memoryStates>
): MemoryStates & FeedStates {
  const states = memoryStates(...settings);
  return { ...states, ...states.feeds };
}

/** Every journey in a store, by tracking number. */
export function journeysIn(
  store: FakeStateStore,
): Readonly<Record<string, ShipmentJourney | undefined>> {
  return Object.fromEntries(
    [...shipmentsIn(store)].map(([number, { journey }]) => [number, journey] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** Every transport order in a store by client and id, parted by a zero byte. */
export function authorizationsIn(
  store: FakeStateStore,
): ReadonlyMap<string, { readonly stage: number; readonly tracking_number: string }> {
  return new Map(store.ofKind('authorization').map(({ key, fields }) => [
    key.id,
    { stage: Number(fields.get('stage') ?? 0), tracking_number: fields.get('tracking_number') ?? '' },
  ]));
}
