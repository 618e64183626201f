import { randomUUID } from 'node:crypto';
import {
  accepted, KNOWN, refuse, type ReceiverAnswer, type ReceiverMemory, type ReceiverRoute,
  type RouteCall,
} from './receiver.ts';

const CARRIER = { form: 'authorization', audience: 'authorizations', denials: [401, 403] } as const;
const TRACKING = '/shipping/tracking';
const FEED_LIMIT = 100;

interface Pushed {
  readonly tracking_number: string;
  readonly code: string;
  readonly carrier_code: string;
  readonly payload: {
    readonly date: string;
    readonly proof_of_delivery?: { readonly image?: string };
  };
}

/** Endpoints 1 and 4, cancellation, feed and journey. */
export const SHIPMENT_ROUTES: readonly ReceiverRoute[] = [
  {
    ...CARRIER, pattern: /^POST \/shipments\/([^/]+)\/authorization$/,
    schema: 'AuthorizationRequest', handle: authorize,
  },
  {
    ...CARRIER, pattern: /^POST \/shipments\/([^/]+)\/cancellation$/,
    schema: 'CancellationRequest', handle: cancel,
  },
  {
    form: 'problem', audience: 'logistic-feed', denials: [401, 403],
    pattern: new RegExp(`^POST ${TRACKING}/notifications$`), schema: 'NotificationsBody',
    handle: push,
  },
  {
    form: 'problem', audience: 'tracking-pull', denials: [401, 403],
    pattern: new RegExp(`^GET ${TRACKING}/shipments/([^/]+)/notifications$`), handle: pull,
  },
  {
    form: 'problem', audience: 'tracking-pull', denials: [401, 403],
    pattern: new RegExp(`^GET ${TRACKING}/shipments/([^/]+)/journey$`), handle: journey,
  },
];

function authorize({ params, body, memory }: RouteCall): ReceiverAnswer {
  const id = String(body['id']);
  if (id !== params[0]) return refuse('authorization', 400, 'invalid_shipment_information.id');
  const order = orderOf(memory, body) ?? { shipment: id, number: undefined, epoch: 0 };
  memory.orders.set(String(body['transport_order_id']), order);
  order.number ??= `${body['test'] === true ? 'TEST' : 'RS'}${randomUUID()}`;
  return {
    status: 200,
    body: {
      id, status: 'AUTHORIZED', status_message: 'ok', tracking_number: order.number,
      authorization_information: { date: new Date().toISOString(), custom_data: {} },
    },
  };
}

function cancel({ params, body, memory }: RouteCall): ReceiverAnswer {
  const order = orderOf(memory, body);
  if (order === undefined || String(body['id']) !== params[0]) {
    return refuse('authorization', 400, 'invalid_shipment_information.id');
  }
  order.number = undefined;
  return { status: 200, body: { id: String(body['id']), status: 'CANCELLED' } };
}

function orderOf(memory: ReceiverMemory, body: RouteCall['body']) {
  return memory.orders.get(String(body['transport_order_id']));
}

function push({ body, memory }: RouteCall): ReceiverAnswer {
  const list = (Array.isArray(body) ? body : [body]) as readonly Pushed[];
  const images = list.map(({ payload }) => payload.proof_of_delivery?.image ?? '');
  if (images.some((image) => !/^[A-Za-z0-9+/]*=*$/.test(image))) {
    return refuse('problem', 400, 'validation_failed');
  }
  for (const notification of list) {
    const journey = memory.journeys.get(notification.tracking_number) ?? [];
    memory.journeys.set(notification.tracking_number, [...journey, notification]);
  }
  return accepted();
}

function pull({ params, query, memory }: RouteCall): ReceiverAnswer {
  const number = decodeURIComponent(params[0] ?? '');
  const all = memory.journeys.get(number);
  if (all === undefined) return refuse('problem', 404, 'shipment_not_found');
  const cursor = query['cursor'] ?? 'c0';
  if (!/^c\d+$/.test(cursor)) return refuse('problem', 400, 'invalid_parameter');
  const from = Number(cursor.slice(1));
  const to = from + Number(query['limit'] ?? FEED_LIMIT);
  const notifications = all.slice(from, to);
  return {
    status: 200,
    body: {
      tracking_number: number, notifications, next_cursor: `c${from + notifications.length}`,
      has_more: to < all.length,
    },
  };
}

function journey({ params, memory }: RouteCall): ReceiverAnswer {
  const tracking_number = decodeURIComponent(params[0] ?? '');
  const all = (memory.journeys.get(tracking_number) ?? []) as readonly Pushed[];
  let final: Pushed | undefined;
  const entries = all.map((one) => {
    const outcome = final === undefined ? 'applied' : 'ignored_after_final';
    const rule = final === undefined ? 'in_order' : 'after_final';
    if (one.code === KNOWN.finalCode) final ??= one;
    return {
      code: one.code, carrier_code: one.carrier_code, occurred_at: one.payload.date,
      received_at_ms: Date.now(), outcome, rule, unmapped: false, explanation: 'so',
      ingest_id: randomUUID(), source: 'push',
    };
  });
  const last = final ?? all.at(-1);
  const state = last === undefined ? {} : {
    state: {
      code: last.code, carrier_code: last.carrier_code, final: final !== undefined,
      occurred_at_ms: Date.parse(last.payload.date),
    },
  };
  const page = { tracking_number, entries, next_cursor: 'c0', has_more: false };
  return { status: 200, body: { ...page, ...state } };
}
