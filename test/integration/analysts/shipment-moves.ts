import sample from '../../../schemas/data/notification-codes.sample.json' with { type: 'json' };
import { aCancellation, anAuthorization, aRequest, aUser }
  from '../../support/authorization-facts.ts';
import { catalogueOf, received, recordJourneys } from '../../support/journeys.ts';
import { sha256 } from '../../support/state-facts.ts';
import type { LogRecord } from '../../../services/kernel/record-log.ts';
import type { JourneyRecorded } from '../../../services/kernel/shipments.ts';
import { record } from '../clickhouse/history.ts';
import { notificationRecord } from '../clickhouse/shipments.ts';
import { START_TS } from './tracks.ts';

const HOUR_S = 3_600;
const SHIPMENTS = 12;
const CARRIERS = ['carrier-north', 'carrier-south', 'carrier-west'] as const;
/** A carrier that notifies of numbers that are not its own. */
const STRANGER = 'carrier-east';
/** How late each carrier notifies. */
const DELAYS_S = [30, 600, 7_200] as const;
const TOPIC = 'topic-1';
/** The sample, which asks for a reason that one shipment has not. */
const CODES = catalogueOf({
  name: 'of the shipments', sample: true,
  codes: {
    ...sample.codes,
    'EX-FAILED': { ...sample.codes['EX-FAILED'], required: ['/payload/reason'] },
  },
});

/** One notification of a shipment, with what the journey says of it. */
export interface Move {
  readonly tracking_number: string;
  readonly client: string;
  readonly at_s: number;
  readonly received_s: number;
  readonly payload: MovePayload;
  readonly picture?: 'image/jpeg' | 'unknown';
  readonly event: JourneyRecorded;
}

interface MovePayload {
  readonly reason?: string;
  readonly cost?: number;
  readonly dimensions?: { readonly weight: number };
  readonly estimated_delivery_date?: string;
  readonly [name: string]: unknown;
}

type Step = Pick<Move, 'at_s' | 'payload' | 'picture'> & {
  readonly code: string; readonly client?: string; readonly delay_s?: number;
};

/** An authorized shipment, and where it goes from and to. */
interface AuthorizedShipment {
  readonly order: string;
  readonly tracking_number: string;
  readonly at_s: number;
  readonly from: string;
  readonly to: string;
  readonly isCancelled: boolean;
}

const numberOf = (shipment: number): string => `SHP-${String(shipment).padStart(2, '0')}`;
const beginOf = (shipment: number): number => START_TS + shipment * HOUR_S;
const iso = (seconds: number): string => new Date(seconds * 1_000).toISOString();

/** All notifications, shipment by shipment, each in the order of the log. */
export const MOVES: readonly Move[] = Array.from({ length: SHIPMENTS }, (_, n) => n)
  .flatMap((shipment) => movesOf(shipment));

/** The authorized shipments; of the last three no carrier ever notified. */
export const AUTHORIZED: readonly AuthorizedShipment[] = [
  ...Array.from({ length: SHIPMENTS }, (_, n) => n), 90, 91, 92,
].map((shipment) => ({
  order: `order-${shipment}`, tracking_number: numberOf(shipment),
  at_s: START_TS + (shipment % 24) * HOUR_S - 1_800, from: 'São Paulo',
  to: ['Recife', 'Manaus', 'Curitiba'][shipment % 3] ?? '', isCancelled: shipment === 92,
}));

/** What happens to a shipment: 3 has a repeat, 4 and 9 never arrive, 10 goes back. */
function stepsOf(shipment: number): readonly Step[] {
  const begin = beginOf(shipment);
  const at = (hours: number): number => begin + hours * HOUR_S;
  const estimate = (hours: number) => ({ estimated_delivery_date: iso(at(hours)) });
  const location = { country_id: 'BR', city_name: 'Recife', facility: `Hub ${shipment % 2}` };
  return [
    { code: 'EX-CREATED', at_s: at(0), payload: estimate(48) },
    {
      code: 'EX-COLLECTED', at_s: at(4), payload: {},
      ...(shipment === 7 ? { delay_s: -120 } : {}),
    },
    { code: 'EX-HUB', at_s: at(10 + shipment), payload: { location } },
    ...(shipment === 3
      ? [{ code: 'EX-HUB', at_s: at(10 + shipment), payload: { location }, delay_s: 90 }] : []),
    ...(shipment % 2 === 0 ? [{ code: 'CBT-0265', at_s: at(12 + shipment), payload: {
      ...estimate(60), estimated_pickup_date: iso(at(5)), location: { country_id: 'BR' },
      cost: 10 + shipment / 2, dimensions: { weight: 500 * (shipment + 1) },
    } }] : []),
    ...(shipment === 2 || shipment === 5
      ? [{ code: 'EX-HUB', client: STRANGER, at_s: at(15), payload: {} }] : []),
    ...(shipment % 4 === 1 ? [{ code: 'XX-SORTED', at_s: at(24), payload: {} }] : []),
    { code: 'EX-ON-ROUTE', at_s: at(30), payload: {} },
    ...(shipment % 4 === 2 ? [{ code: 'EX-FAILED', at_s: at(33), payload: shipment === 6 ? {} : {
      reason: shipment === 10 ? 'wrong address' : 'receiver absent',
    } }] : []),
    ...lastOf(shipment, at(40 + 2 * shipment)),
  ];
}

function lastOf(shipment: number, at_s: number): readonly Step[] {
  if (shipment % 5 === 4) return [];
  if (shipment === 10) return [{ code: 'EX-RETURNED', at_s, payload: {} }];
  if (shipment % 2 === 1) return [{ code: 'EX-DELIVERED', at_s, payload: {} }];
  const picture = shipment === 6 ? 'unknown' : 'image/jpeg';
  return [{ code: 'EX-DELIVERED', at_s, payload: {}, picture }];
}

function movesOf(shipment: number): readonly Move[] {
  const tracking_number = numberOf(shipment);
  const carrier = CARRIERS[shipment % 3] ?? STRANGER;
  const moves = stepsOf(shipment).map((step, n) => {
    const client = step.client ?? carrier;
    const received_s = step.at_s + (step.delay_s ?? (DELAYS_S[shipment % 3] ?? 0) + shipment);
    const notice = received(shipment * 100 + n, step.code, 0, {
      tracking_number, client_id: client, carrier_code: `own-${step.code}`,
      notification: { topic_id: TOPIC, partition: 0, offset: shipment * 100 + n },
      occurred_at: iso(step.at_s), occurred_at_ms: step.at_s * 1_000,
      received_at_ms: received_s * 1_000, payload: step.payload,
      content_hash: sha256(JSON.stringify([step.code, step.at_s, step.payload])),
    });
    return { ...step, tracking_number, client, received_s, notice };
  });
  const { events } = recordJourneys(moves.map(({ notice }) => notice), CODES);
  return moves.flatMap(({ notice: _, ...move }, n) => {
    const event = events[n];
    return event === undefined ? [] : [{ ...move, event }];
  });
}

/** The notifications as the log has them. */
export function notificationRecords(): readonly LogRecord[] {
  return MOVES.map(({ tracking_number, client, at_s, received_s, payload, picture, event }) => {
    const text = JSON.stringify({
      tracking_number, code: event.code, carrier_code: event.carrier_code,
      payload: { date: iso(at_s), ...payload },
    });
    const image = picture === undefined ? undefined : {
      sha256: sha256(tracking_number), bytes: 5, media_type: picture, object: 'o',
      ...(picture === 'unknown' ? { flag: 'unknown_type' as const } : {}),
    };
    return notificationRecord(tracking_number, {
      recordId: event.notification, text, image, received_at_ms: received_s * 1_000,
    }, client);
  });
}

/** The authorizations as the log has them. */
export function authorizationRecords(): readonly LogRecord[] {
  return AUTHORIZED.flatMap(({ order, tracking_number, at_s, from, to, isCancelled }) => {
    const facts = [
      anAuthorization(order, 1, {
        tracking_number, at_ms: at_s * 1_000, request: { ...requestBetween(order, from, to) },
      }),
      ...(isCancelled
        ? [aCancellation(order, 1, { tracking_number, at_ms: at_s * 1_000 + 1 })] : []),
    ];
    return facts.map((fact) => record(
      'shipment.authorizations.v1', order, fact, { receivedAtMs: fact.at_ms },
    ));
  });
}

function requestBetween(transport_order_id: string, from: string, to: string) {
  const request = aRequest({ transport_order_id });
  const userOf = (name: string) => {
    const { address } = aUser();
    return aUser({ address: { ...address, city: { id: name, name } } });
  };
  return {
    ...request,
    shipment_information: {
      ...request.shipment_information, sender: userOf(from), receiver: userOf(to),
    },
  };
}
