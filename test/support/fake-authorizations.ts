import type {
  AuthorizationMarks, AuthorizationMove, AuthorizationStates, ShipmentCancelled,
  StoredAuthorization,
} from '../../services/kernel/authorizations.ts';
import { rankOf } from '../../services/kernel/authorizations.ts';
import { Fault } from '../../services/kernel/faults.ts';
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
  at_ms: number;
  answer: string;
  shipment_id: string;
  tracking_number: string;
  claim?: { id: string; rank: number; untilMs: number; marks: AuthorizationMarks };
  cancellation?: ShipmentCancelled;
}

/** Makes an empty, ready store; `nowMs` drives the leases. */
export function fakeAuthorizations(
  nowMs: () => number = () => Date.now(), leaseMs = 10_000,
): FakeAuthorizations {
  const orders = new Map<string, Order>();
  const owners = new Map<string, string>();
  let isReady = true;
  let failure: 'state_unavailable' | 'state_not_ready' | undefined;

  function guard(marked = true): void {
    if (failure !== undefined) throw new Fault(failure, 'apply', 'as the test asked');
    if (marked && !isReady) throw new Fault('state_not_ready', 'apply', 'no ready mark');
  }

  function orderOf(clientId: string, transportOrderId: string): Order {
    const name = `${clientId}\0${transportOrderId}`;
    const order = orders.get(name)
      ?? { rank: 0, at_ms: 0, answer: '', shipment_id: '', tracking_number: '' };
    orders.set(name, order);
    return order;
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
        const kept = claim?.rank === to ? claim.marks : marks;
        order.claim = { id: claimId, rank: to, untilMs: nowMs() + leaseMs, marks: kept };
        return { kind: 'taken', marks: kept };
      },
      async confirm(event) {
        guard();
        apply(orderOf(event.client_id, event.transport_order_id), event);
      },
      async release(clientId, transportOrderId, claimId) {
        guard();
        const order = orderOf(clientId, transportOrderId);
        if (order.claim?.id === claimId) delete order.claim;
      },
      async apply(events) {
        guard(false);
        for (const event of events) {
          apply(orderOf(event.client_id, event.transport_order_id), event);
        }
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
    },
    markReady() { isReady = true; },
  };
}

function mayMove(
  order: Order, from: number, to: number, cancellation: ShipmentCancelled | undefined,
): boolean {
  if (order.cancellation === undefined) return true;
  if (cancellation === undefined) return to > from + 1;
  return JSON.stringify(order.cancellation) === JSON.stringify(cancellation);
}

function apply(order: Order, event: AuthorizationMove): void {
  const rank = rankOf(event);
  const answer = event.type === 'ShipmentAuthorized' ? JSON.stringify(event.answer) : '';
  const isEarlier = event.at_ms < order.at_ms
    || (event.at_ms === order.at_ms && answer < order.answer);
  const before = order.rank;
  if (rank > before || (rank === before && isEarlier)) {
    const { at_ms, shipment_id, tracking_number } = event;
    Object.assign(order, { rank, at_ms, answer, shipment_id, tracking_number });
  }
  if (order.claim !== undefined && order.claim.rank <= rank) delete order.claim;
  if (rank > before) delete order.cancellation;
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
