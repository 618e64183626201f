import { sortedJson } from '../../kernel/exact-json.ts';
import type { ShipmentJourney, ShipmentOwner } from '../../kernel/shipments.ts';
import { PACKED_TIME_DIGITS } from '../../kernel/lifetimes.ts';
import { lastFactMs, type ShipmentRecord, type Side } from './projection.ts';

/** What many finished shipments have in common: their parties, and by which code they ended. */
export type FinishedForm = readonly [
  platform: string | null, authorized: string | null, reassigned: string | null, carrier: string,
  owner: string | null, basis: ShipmentOwner['basis'] | null,
  status: string | null, code: string, topicId: string,
];

/** A finished shipment in two parts: the form that it shares, and the rest in one short text. */
export interface FinishedShipment {
  /** JSON of its {@link FinishedForm}. */
  readonly form: string;
  /** What is its own; it begins with the time of the last fact about it. */
  readonly rest: string;
}

const BASE = 36;
const NUMBERS = 8;

/**
 * A shipment with a final status in as few bytes as hold all of it; undefined for one that is not
 * final, or that holds more than these do. Times are distances from the last fact, and one that is
 * the same as the one before it is empty. The carrier's own code is last, because it may be any
 * text.
 */
export function packFinished(shipment: ShipmentRecord): FinishedShipment | undefined {
  const { platform, authorized, reassigned, journey } = shipment;
  const { state, owner } = journey ?? {};
  if (journey === undefined || state?.final !== true) return undefined;
  const { topic_id, partition, offset } = journey.last_notification;
  const lastMs = lastFactMs(shipment);
  const times = [
    journey.received_at_ms, platform?.at_ms, authorized?.at_ms, reassigned?.at_ms, owner?.at_ms,
  ];
  let before = lastMs;
  const distances = times.map((time) => {
    const text = time === undefined || time === before ? '' : (lastMs - time).toString(BASE);
    before = time ?? before;
    return text;
  });
  const form: FinishedForm = [
    platform?.client_id ?? null, authorized?.client_id ?? null, reassigned?.client_id ?? null,
    journey.carrier, owner?.client_id ?? null, owner?.basis ?? null,
    state.status ?? null, state.code, topic_id,
  ];
  const packed = {
    form: JSON.stringify(form),
    rest: lastMs.toString(BASE).padStart(PACKED_TIME_DIGITS, '0') + [
      ...distances, (lastMs - state.occurred_at_ms).toString(BASE),
      partition.toString(BASE), offset.toString(BASE), state.carrier_code,
    ].join(','),
  };
  return holdsAll(packed, shipment) ? packed : undefined;
}

/** The shipment that was packed. */
export function unpackFinished({ form, rest }: FinishedShipment): ShipmentRecord {
  const [platform, authorized, reassigned, carrier, owner, basis, status, code, topic_id] =
    JSON.parse(form) as FinishedForm;
  const texts = rest.slice(PACKED_TIME_DIGITS).split(',');
  const lastMs = lastFactIn(rest);
  let before = lastMs;
  const [received, ...sides] = texts.slice(0, NUMBERS - 3).map((text, at) => {
    const isThere = at === 0 || [platform, authorized, reassigned, owner][at - 1] !== null;
    if (!isThere) return before;
    before = text === '' ? before : lastMs - Number.parseInt(text, BASE);
    return before;
  });
  const sideOf = (client_id: string | null, at_ms = 0): Side | undefined => (
    client_id === null ? undefined : { client_id, at_ms }
  );
  const [platformMs, authorizedMs, reassignedMs, ownerMs = 0] = sides;
  const [occurred = '', partition = '', offset = ''] = texts.slice(NUMBERS - 3, NUMBERS);
  const journey: ShipmentJourney = {
    carrier,
    ...(owner === null || basis === null
      ? {} : { owner: { client_id: owner, basis, at_ms: ownerMs } }),
    state: {
      ...(status === null ? {} : { status }),
      code, carrier_code: texts.slice(NUMBERS).join(','), final: true,
      occurred_at_ms: lastMs - Number.parseInt(occurred, BASE),
    },
    contents: [],
    last_notification: {
      topic_id, partition: Number.parseInt(partition, BASE), offset: Number.parseInt(offset, BASE),
    },
    received_at_ms: received ?? lastMs,
  };
  return {
    platform: sideOf(platform, platformMs), authorized: sideOf(authorized, authorizedMs),
    reassigned: sideOf(reassigned, reassignedMs), journey,
  };
}

/** When the last fact about it came, ms since epoch. */
function lastFactIn(rest: string): number {
  return Number.parseInt(rest.slice(0, PACKED_TIME_DIGITS), BASE);
}

/** Whatever is unusual about a shipment stays as it is: nothing may be lost by packing it. */
function holdsAll(packed: FinishedShipment, shipment: ShipmentRecord): boolean {
  return contentOf(unpackFinished(packed)) === contentOf(shipment);
}

function contentOf({ platform, authorized, reassigned, journey }: ShipmentRecord): string {
  return sortedJson([platform, authorized, reassigned, journey]);
}
