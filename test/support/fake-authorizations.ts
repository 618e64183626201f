import type {
  AuthorizationMarks, AuthorizationMove, AuthorizationStates, PlacedMove, ShipmentCancelled,
  StoredAuthorization,
} from '../../services/kernel/authorizations.ts';
import { rankOf } from '../../services/kernel/authorizations.ts';
import { Unavailable } from '../../services/kernel/unavailable.ts';
import type { ShipmentStates } from '../../services/kernel/shipments.ts';

/** The ports about authorizations in memory, for the tests of who uses them. */
export interface FakeAuthorizations {
  readonly authorizations: AuthorizationStates;
  readonly shipments: Pick<ShipmentStates, 'authorize'>;
  /** Owner of each tracking number. */
  readonly owners: ReadonlyMap<string, string>;
  /** Every transport order by client and id, parted by a zero byte. */
  ranks(): ReadonlyMap<string, { readonly rank: number; readonly tracking_number: string }>;
  /** Every call rejects with this fault from now on; without a code they work again. */
  failWith(code?: 'state_unavailable' | 'state_not_ready'): void;
  /** Forgets everything; until `markReady` it is not ready either. */
  wipe(): void;
  markReady(): void;
}

interface Order {
  rank: number;
  /** Where the log has the fact; not known of one that was only confirmed. */
  first?: PlacedMove['position'] | undefined;
  answer: string;
  shipment_id: string;
  tracking_number: string;
  claim?: { id: string; rank: number; untilMs: number };
  /** Of the highest step whose fact may still come into the log, and whose claim it was. */
  marks?: AuthorizationMarks & { rank: number; by: string };
  cancellation?: ShipmentCancelled;
}

/** How long a store counts as rebuilt just now. */
const DOUBT_MS = 60_000;

/** Makes an empty, ready store; `nowMs` drives the leases. */
export function fakeAuthorizations(
  nowMs: () => number = () => Date.now(), leaseMs = 10_000,
): FakeAuthorizations {
  const orders = new Map<string, Order>();
  /** By claim until when it is held. */
  const held = new Map<string, number>();
  let inDoubtUntilMs = 0;
  const owners = new Map<string, string>();
  let isReady = true;
  let failure: 'state_unavailable' | 'state_not_ready' | undefined;

  function guard(marked = true): void {
    if (failure !== undefined) throw new Unavailable(failure, 'apply', 'as the test asked');
    if (marked && !isReady) throw new Unavailable('state_not_ready', 'apply', 'no ready mark');
  }

  function orderOf(clientId: string, transportOrderId: string): Order {
    const name = `${clientId}\0${transportOrderId}`;
    const order = orders.get(name)
      ?? { rank: 0, answer: '', shipment_id: '', tracking_number: '' };
    orders.set(name, order);
    return order;
  }

  function apply(event: AuthorizationMove, position?: PlacedMove['position']): void {
    const order = orderOf(event.client_id, event.transport_order_id);
    const ended = fold(order, event, position);
    if (ended !== undefined) held.delete(ended);
  }

  return {
    authorizations: {
      async load(clientId, transportOrderId) {
        guard();
        const order = orders.get(`${clientId}\0${transportOrderId}`);
        return order === undefined ? undefined : stored(order, nowMs());
      },
      async claim({ client_id, transport_order_id, from, to, marks, cancellation }, claimId) {
        guard();
        const order = orderOf(client_id, transport_order_id);
        const { claim } = order;
        if (order.rank !== from) return { kind: 'moved' };
        if (claim !== undefined && claim.id !== claimId && claim.untilMs > nowMs()) {
          return { kind: 'busy' };
        }
        if (!mayMove(order, from, to, cancellation)) return { kind: 'moved' };
        if (cancellation !== undefined) order.cancellation = cancellation;
        if ((order.marks?.rank ?? 0) < to) order.marks = { ...marks, rank: to, by: claimId };
        order.claim = { id: claimId, rank: to, untilMs: nowMs() + leaseMs };
        held.set(claimId, nowMs() + leaseMs);
        const { at_ms, test } = order.marks?.rank === to ? order.marks : marks;
        return { kind: 'taken', marks: { at_ms, test } };
      },
      async confirm(event, claimId) {
        guard();
        const isHeld = (held.get(claimId) ?? 0) > nowMs();
        held.delete(claimId);
        if (!isHeld || inDoubtUntilMs > nowMs()) return false;
        apply(event);
        return true;
      },
      async release(clientId, transportOrderId, claimId) {
        guard();
        const order = orderOf(clientId, transportOrderId);
        held.delete(claimId);
        if (order.claim?.id !== claimId) return;
        delete order.claim;
        if (order.marks?.by === claimId) delete order.marks;
      },
      async apply(facts) {
        guard(false);
        for (const { event, position } of facts) apply(event, position);
      },
    },
    shipments: {
      async authorize(trackingNumber, clientId) {
        guard(false);
        owners.set(trackingNumber, clientId);
      },
    },
    owners,
    ranks: () => orders,
    failWith(code) { failure = code; },
    wipe() {
      isReady = false;
      orders.clear();
      owners.clear();
      held.clear();
    },
    markReady() {
      if (!isReady) inDoubtUntilMs = nowMs() + DOUBT_MS;
      isReady = true;
    },
  };
}

function mayMove(
  order: Order, from: number, to: number, cancellation: ShipmentCancelled | undefined,
): boolean {
  if (order.cancellation === undefined) return true;
  if (cancellation === undefined) return to > from + 1;
  return JSON.stringify(order.cancellation) === JSON.stringify(cancellation);
}

/** Folds a fact into its order; answers the claim that it ended. */
function fold(
  order: Order, event: AuthorizationMove, position: PlacedMove['position'] | undefined,
): string | undefined {
  const rank = rankOf(event);
  const before = order.rank;
  const isFirst = rank === before && position !== undefined && (order.first === undefined
    || (order.first.topicId === position.topicId && position.offset < order.first.offset));
  if (rank > before || isFirst) {
    const answer = event.type === 'ShipmentAuthorized' ? JSON.stringify(event.answer) : '';
    const { shipment_id, tracking_number } = event;
    Object.assign(order, { rank, answer, shipment_id, tracking_number, first: position });
  }
  if (rank > before) delete order.cancellation;
  if ((order.marks?.rank ?? 0) <= rank) delete order.marks;
  if (order.claim === undefined || order.claim.rank > rank) return undefined;
  const { id } = order.claim;
  delete order.claim;
  return id;
}

function stored(order: Order, nowMs: number): StoredAuthorization {
  const { rank, shipment_id, tracking_number, answer, cancellation, claim } = order;
  return {
    rank,
    shipment_id,
    tracking_number,
    answer: answer === ''
      ? undefined
      : JSON.parse(answer) as NonNullable<StoredAuthorization['answer']>,
    ...(cancellation === undefined ? {} : { cancellation }),
    is_claimed: claim !== undefined && claim.untilMs > nowMs,
  };
}
