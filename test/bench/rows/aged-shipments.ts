import { randomUUID } from 'node:crypto';
import type { ShipmentRecord } from '../../../services/domain/journey/projection.ts';
import type { ShipmentAuthorized } from '../../../services/kernel/authorizations.ts';
import type { ShipmentReference } from '../../../services/kernel/shipment-index.ts';
import type { ShipmentJourney } from '../../../services/kernel/shipments.ts';
import type { States } from '../../../services/state/create-states.ts';

const DAY_MS = 86_400_000;
/** Of twelve shipments of a year one is on the road or ended less than 30 days ago. */
const LIVE_ONE_IN = 12;
const TOPIC_ID = randomUUID();
const PLATFORM = '100000000000042';
const CARRIERS = 50;

/** A shipment of the past year, by its number from 0. */
export interface AgedShipment {
  readonly nth: number;
  /** Whether it is on the road, with all that is kept of one. */
  readonly isLive: boolean;
  /** Whole months since it came, 0 to 11. */
  readonly month: number;
}

/** The shipment of a number: as many came in each month, and those of the last one are live. */
export function agedShipment(nth: number): AgedShipment {
  const month = LIVE_ONE_IN - 1 - nth % LIVE_ONE_IN;
  return { nth, month, isLive: month === 0 };
}

/** Applies live shipments as the workers do: authorization, sides, index and journey. */
export async function applyLive(
  { authorizations, shipments, shipmentIndex }: States, live: readonly AgedShipment[],
): Promise<void> {
  await authorizations.apply(live.map((each) => ({
    event: authorized(each),
    recordId: { topicId: TOPIC_ID, partition: 0, offset: BigInt(each.nth) },
  })));
  await shipmentIndex.add(live.map(referenceOf));
  await applyShipments({ shipments }, live);
}

/** Applies sides and journeys alone: all that is kept of finished ones. */
export async function applyShipments(
  { shipments }: Pick<States, 'shipments'>, some: readonly AgedShipment[],
): Promise<void> {
  for (const each of some) {
    await shipments.authorize(numberOf(each), {
      platform_client_id: PLATFORM, carrier_client_id: carrierOf(each), at_ms: atMs(each),
    });
  }
  await shipments.putJourneys(new Map(some.map((each) => [numberOf(each), journeyOf(each)])));
}

/** A finished shipment as its facts make it. */
export function finishedShipment(each: AgedShipment): readonly [string, ShipmentRecord] {
  return [numberOf(each), {
    platform: { client_id: PLATFORM, at_ms: atMs(each) },
    authorized: { client_id: carrierOf(each), at_ms: atMs(each) },
    journey: journeyOf(each),
  }];
}

/** Spread over its month, by the millisecond. */
function atMs({ nth, month }: AgedShipment): number {
  const newestMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - (month * 30 + 4) * DAY_MS;
  return newestMs - (nth * 7_919_777) % (26 * DAY_MS);
}

function numberOf({ nth }: AgedShipment): string {
  return `RST${String(nth).padStart(13, '0')}`;
}

function carrierOf({ nth }: AgedShipment): string {
  return String(100_000_000_000_100 + nth % CARRIERS);
}

function referenceOf(each: AgedShipment): ShipmentReference {
  return {
    tracking_number: numberOf(each), transport_order_id: `order-${each.nth}`,
    shipment_id: `${each.nth}`, platform_client_id: PLATFORM, epoch: 1, at_ms: atMs(each),
  };
}

function authorized(each: AgedShipment): ShipmentAuthorized {
  const tracking_number = numberOf(each);
  return {
    type: 'ShipmentAuthorized', client_id: PLATFORM, transport_order_id: `order-${each.nth}`,
    shipment_id: `${each.nth}`, epoch: 1, tracking_number, asks_secret_word: false, request: {},
    answer: {
      id: `${each.nth}`, status: 'AUTHORIZED', status_message: 'Authorized.', tracking_number,
      authorization_information: { date: new Date(atMs(each)).toISOString(), custom_data: {} },
    },
    at_ms: atMs(each),
  };
}

/** On the road while live; past its final status, two days after it came, otherwise. */
function journeyOf(each: AgedShipment): ShipmentJourney {
  const { nth, isLive } = each;
  const received_at_ms = atMs(each) + 2 * DAY_MS + nth % DAY_MS;
  return {
    carrier: carrierOf(each),
    owner: { client_id: carrierOf(each), basis: 'authorization', at_ms: atMs(each) },
    state: {
      status: isLive ? 'in_transit' : 'delivered', code: isLive ? 'EX-HUB' : 'EX-DELIVERED',
      carrier_code: isLive ? 'H1' : 'D1', final: !isLive, occurred_at_ms: received_at_ms - 90_000,
    },
    contents: isLive ? ['a', 'b', 'c'].map((digit) => digit.repeat(24)) : [],
    last_notification: { topic_id: TOPIC_ID, partition: nth % 12, offset: nth },
    received_at_ms,
  };
}
