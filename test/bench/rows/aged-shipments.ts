import { sha256Hex } from '../../../services/adapters/redis/keys.ts';
import type { ShipmentAuthorized } from '../../../services/kernel/authorizations.ts';
import type { ShipmentReference } from '../../../services/kernel/shipment-index.ts';
import type { ShipmentJourney } from '../../../services/kernel/shipments.ts';
import type { StateKey } from '../../../services/kernel/state-store.ts';
import type { States } from '../../../services/state/create-states.ts';
import {
  shipmentNumbersKeys, shipmentOrdersKey,
} from '../../../services/state/shipment-index.ts';

const DAY_MS = 86_400_000;
const AT_ONCE = 500;
/** Of ten shipments of a year one is on the road or ended less than 37 days ago. */
const LIVE_ONE_IN = 10;
const TOPIC_ID = 'bench-aged-shipments';

type Targets = Pick<States, 'authorizations' | 'shipments' | 'shipmentIndex'>;

/**
 * Shipments as a year leaves them in the state store, from one number to another: all of them with
 * their sides and their journey, one of ten with its authorization and what lists it. `remove`
 * takes away what has left of the others.
 */
export async function addShipments(
  { authorizations, shipments, shipmentIndex }: Targets, first: number, end: number,
  remove: (keys: readonly StateKey[]) => Promise<void>,
): Promise<void> {
  for (let from = first; from < end; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, end - from) }, (_, at) => from + at);
    await Promise.all([
      authorizations.apply(numbers.filter(isLive).map((nth) => ({
        event: authorized(nth),
        recordId: { topicId: TOPIC_ID, partition: 0, offset: BigInt(nth) },
      }))),
      shipmentIndex.add(numbers.map(referenceOf)),
      ...numbers.map((nth) => shipments.authorize(numberOf(nth), {
        platform_client_id: 'bench-platform', carrier_client_id: 'bench-carrier', at_ms: atMs(nth),
      })),
    ]);
    await shipments.putJourneys(new Map(numbers.map((nth) => [numberOf(nth), journeyOf(nth)])));
    await remove(numbers.filter((nth) => !isLive(nth)).flatMap(ordersKeys));
  }
}

function ordersKeys(nth: number): readonly StateKey[] {
  const reference = referenceOf(nth);
  return [
    shipmentOrdersKey(reference.tracking_number), ...shipmentNumbersKeys(sha256Hex, reference),
  ];
}

function isLive(nth: number): boolean {
  return nth % LIVE_ONE_IN === 0;
}

/** Spread over the days of a year; live ones over the newest month. */
function atMs(nth: number): number {
  const days = isLive(nth) ? nth % 30 : 30 + nth % 330;
  return Math.floor(Date.now() / DAY_MS) * DAY_MS - days * DAY_MS;
}

function numberOf(nth: number): string {
  return `RST${String(nth).padStart(13, '0')}`;
}

function referenceOf(nth: number): ShipmentReference {
  return {
    tracking_number: numberOf(nth), transport_order_id: `order-${nth}`, shipment_id: `${nth}`,
    platform_client_id: 'bench-platform', epoch: 1, at_ms: atMs(nth),
  };
}

function authorized(nth: number): ShipmentAuthorized {
  const tracking_number = numberOf(nth);
  return {
    type: 'ShipmentAuthorized', client_id: 'bench-platform', transport_order_id: `order-${nth}`,
    shipment_id: `${nth}`, epoch: 1, tracking_number, asks_secret_word: false, request: {},
    answer: {
      id: `${nth}`, status: 'AUTHORIZED', status_message: 'Authorized.', tracking_number,
      authorization_information: { date: new Date(atMs(nth)).toISOString(), custom_data: {} },
    },
    at_ms: atMs(nth),
  };
}

/** On the road while live; past its final status otherwise. */
function journeyOf(nth: number): ShipmentJourney {
  const final = !isLive(nth);
  const received_at_ms = atMs(nth) + 2 * DAY_MS;
  return {
    carrier: 'bench-carrier',
    owner: { client_id: 'bench-carrier', basis: 'authorization', at_ms: atMs(nth) },
    state: {
      status: final ? 'delivered' : 'in_transit', code: final ? 'EX-DELIVERED' : 'EX-HUB',
      carrier_code: final ? 'D1' : 'H1', final, occurred_at_ms: received_at_ms,
    },
    contents: final ? [] : ['a', 'b', 'c'].map((digit) => digit.repeat(24)),
    last_notification: { topic_id: TOPIC_ID, partition: 0, offset: nth },
    received_at_ms,
  };
}
