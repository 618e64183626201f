import type { AuthorizationCalls } from '../../services/kernel/authorization-calls.ts';
import type { FeedStates } from '../../services/kernel/feeds.ts';
import type { ShipmentJourney, ShipmentStates } from '../../services/kernel/shipments.ts';
import type { StateKey, StateStore } from '../../services/kernel/state-store.ts';
import { shardOf } from '../../services/kernel/shards.ts';
import { createStates, type States } from '../../services/state/create-states.ts';
import { fakeStateStore, type FakeEntry, type FakeStateStore } from './fake-state-store.ts';

/** The product's own stores over entries in memory, and what tests need beside them. */
export interface MemoryStates extends States {
  readonly store: FakeStateStore;
  /** Every call rejects with this fault from now on; without a code they work again. */
  failWith(code?: 'state_unavailable' | 'state_not_ready'): void;
  /** Forgets everything; until {@link MemoryStates.markReady} it is not ready either. */
  wipe(): void;
  /** Sets the marks as a rebuild does that has ended just now. */
  markReady(): void;
  /** The carrier that authorized each tracking number. */
  owners(): ReadonlyMap<string, string>;
  /** Every journey, to compare two stores. */
  journeys(): Readonly<Record<string, ShipmentJourney | undefined>>;
  /** Every transport order by client and id, parted by a zero byte. */
  ranks(): ReadonlyMap<string, { readonly rank: number; readonly tracking_number: string }>;
  /** When each call of a carrier is due, by its id. */
  callsDue(): ReadonlyMap<string, number>;
  /** When each feed of a carrier is due, by tracking number. */
  feedsDue(carrier: string): ReadonlyMap<string, number>;
}

/** How long a store counts as rebuilt just now. */
const DOUBT_MS = 60_000;
const CALLS_DUE: StateKey = { shard: 0, kind: 'authorization-calls-due', id: '' };
const free = async () => ({ allowed: true, retryAfterSeconds: 0 });
const NO_LIMITS = { chargeTokenRequest: free, chargeProvenClient: free, noteTokenFailure: free };

/** Makes empty, ready stores; `nowMs` drives leases and expiry. */
export function memoryStates(
  nowMs: () => number = () => Date.now(), claimLeaseMs = 10_000,
): MemoryStates {
  const store = fakeStateStore({ nowMs });
  return {
    ...statesOver(store, claimLeaseMs),
    store,
    failWith: (code) => store.failWith(code),
    wipe: () => store.wipe(),
    markReady() {
      if (!store.isReady()) store.doubtUntil(nowMs() + DOUBT_MS);
      store.setReady(true);
    },
    owners: () => new Map(store.ofKind('shipment').flatMap(({ key, fields }) => {
      const owner = fields.get('authorized');
      return owner === undefined ? [] : [[key.id, owner] as const];
    })),
    journeys: () => Object.fromEntries(
      store.ofKind('shipment').map((entry) => [entry.key.id, journeyIn(entry)] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    ranks: () => new Map(store.ofKind('authorization').map(({ key, fields }) => [
      key.id,
      { rank: Number(fields.get('rank') ?? 0), tracking_number: fields.get('tracking_number') ?? '' },
    ])),
    callsDue: () => store.members(CALLS_DUE),
    feedsDue: (id) => store.members({ shard: shardOf(id), kind: 'feeds-due', id }),
  };
}

/** The product's stores over any store of entries, as one process has them. */
export function statesOver(store: StateStore, claimLeaseMs = 10_000): States {
  const config = { claimLeaseMs, tokenGraceMs: 60_000 };
  // Names as they are, so that tests can tell whose an entry is.
  const digest = (text: string): string => text;
  return createStates(config, { store, digest, tokenLimits: NO_LIMITS });
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

function journeyIn({ fields }: FakeEntry): ShipmentJourney | undefined {
  const text = fields.get('journey');
  return text === undefined ? undefined : JSON.parse(text) as ShipmentJourney;
}
