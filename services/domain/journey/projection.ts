import type {
  JourneyRecorded, NotificationRecordId, ShipmentJourney, ShipmentOwner, ShipmentParties,
  ShipmentReassigned, StoredShipment,
} from '../../kernel/shipments.ts';
import type { ClientId } from '../../kernel/ids.ts';
import { HISTORY_MS } from '../../kernel/lifetimes.ts';

/** One side of a shipment, and when that was said. */
export interface Side {
  readonly client_id: ClientId;
  readonly at_ms: number;
}

/** Everything that is kept about one shipment. */
export interface ShipmentRecord {
  /** Who authorized it. */
  readonly platform?: Side | undefined;
  /** The carrier by its authorization, which wins over who notified. */
  readonly authorized?: Side | undefined;
  /** The carrier that an operator named, which wins over both. */
  readonly reassigned?: Side | undefined;
  readonly journey?: ShipmentJourney | undefined;
}

/** How many distinct contents of a shipment are remembered; a repeat beyond counts as new. */
export const CONTENTS_MAX = 512;

const SHORT_HASH_CHARACTERS = 24;

/**
 * The journey as a notification finds it. One whose last notification is 400 days older is over:
 * the state store may have let it go, so by times of the log alone it counts as forgotten.
 */
export function journeyAt(
  journey: ShipmentJourney | undefined, receivedAtMs: number,
): ShipmentJourney | undefined {
  const isOver = journey !== undefined && journey.received_at_ms + HISTORY_MS <= receivedAtMs;
  return isOver ? undefined : journey;
}

/**
 * The journey with one more classified notification. One that is part of it already changes
 * nothing, so that replays and repeats of the log end in the same journey. Past a final status no
 * content is compared, so none is kept.
 */
export function evolveJourney(
  kept: ShipmentJourney | undefined, event: JourneyRecorded,
): ShipmentJourney {
  if (kept !== undefined && isKnown(kept, event.notification)) return kept;
  const journey = journeyAt(kept, event.received_at_ms);
  const isOwnersFirst = journey !== undefined && journey.carrier !== event.carrier;
  const contents = isOwnersFirst ? [] : journey?.contents ?? [];
  const reapplied = journey?.reapplied ?? [];
  const isNew = event.outcome === 'applied' || event.outcome === 'out_of_order';
  const known = isNew ? [...contents, shortHash(event)].slice(-CONTENTS_MAX) : contents;
  return {
    carrier: event.carrier,
    ...(event.owner === undefined ? {} : { owner: event.owner }),
    state: event.state,
    contents: event.state?.final === true ? [] : known,
    ...(event.reapplies === undefined && reapplied.length === 0
      ? {}
      : { reapplied: [...reapplied, ...reappliedIn(event)].slice(-CONTENTS_MAX) }),
    last_notification: event.notification,
    received_at_ms: event.received_at_ms,
  };
}

function reappliedIn({ reapplies }: JourneyRecorded): readonly string[] {
  return reapplies === undefined ? [] : [recordIdName(reapplies)];
}

/** The record id of a notification that was kept apart, as a journey remembers it. */
export function recordIdName({ topic_id, partition, offset }: NotificationRecordId): string {
  return `${topic_id}:${partition}:${offset}`;
}

/** True when the notification of this record id was classified already. */
export function isKnown(
  { last_notification: last }: Pick<ShipmentJourney, 'last_notification'>,
  { topic_id, offset }: NotificationRecordId,
): boolean {
  return last.topic_id === topic_id && last.offset >= offset;
}

/** 96 bits distinguish the contents of one shipment. */
export function shortHash({ content_hash }: { readonly content_hash: string }): string {
  return content_hash.slice(0, SHORT_HASH_CHARACTERS);
}

/**
 * The shipment with a whole journey; one that reaches as far stays. Every journey is the whole fold
 * of its log up to its place, so the one that reaches further holds all that the other holds.
 */
export function withJourney(shipment: ShipmentRecord, journey: ShipmentJourney): ShipmentRecord {
  const kept = shipment.journey;
  if (kept !== undefined && isKnown(kept, journey.last_notification)) return shipment;
  return { ...shipment, journey };
}

/** When the last fact about a shipment came: a word about its sides, or a notification. */
export function lastFactMs({ platform, authorized, reassigned, journey }: ShipmentRecord): number {
  return Math.max(
    platform?.at_ms ?? 0, authorized?.at_ms ?? 0, reassigned?.at_ms ?? 0,
    journey?.received_at_ms ?? 0,
  );
}

/**
 * The shipment without what is 400 days older than the last fact about it, words about its sides
 * and its journey: the state store may have let them go before that one came.
 */
export function withoutPast(shipment: ShipmentRecord): ShipmentRecord {
  const oldestMs = lastFactMs(shipment) - HISTORY_MS;
  const kept = (side: Side | undefined): Side | undefined => (
    side === undefined || side.at_ms <= oldestMs ? undefined : side
  );
  return {
    platform: kept(shipment.platform),
    authorized: kept(shipment.authorized),
    reassigned: kept(shipment.reassigned),
    journey: journeyAt(shipment.journey, lastFactMs(shipment)),
  };
}

/** A shipment as callers see it; undefined while nothing is known of it. */
export function storedShipmentOf(
  shipment: ShipmentRecord,
): StoredShipment | undefined {
  const { platform, journey } = shipment;
  const owner = declaredOwner(shipment, undefined)?.client_id ?? journey?.carrier;
  if (owner === undefined && platform === undefined && journey === undefined) return undefined;
  return {
    platform_client_id: platform?.client_id,
    carrier_client_id: owner,
    // What another carrier notified before is no state of this one.
    state: journey?.carrier === owner ? journey?.state : undefined,
  };
}

/** The shipment with the sides that an authorization names, in whatever order they come. */
export function withParties(
  shipment: ShipmentRecord, { platform_client_id, carrier_client_id, at_ms }: ShipmentParties,
): ShipmentRecord {
  return {
    ...shipment,
    platform: newerSide(shipment.platform, platform_client_id, at_ms),
    authorized: newerSide(shipment.authorized, carrier_client_id, at_ms),
  };
}

function newerSide(
  kept: Side | undefined, client_id: ClientId | undefined, at_ms: number,
): Side | undefined {
  if (client_id === undefined) return kept;
  const isNewer = kept === undefined || at_ms > kept.at_ms
    || (at_ms === kept.at_ms && client_id > kept.client_id);
  return isNewer ? { client_id, at_ms } : kept;
}

/** Whose a shipment is by what was declared; ranges are declared for many at once. */
export function declaredOwner(
  { reassigned, authorized }: ShipmentRecord, byRange: ShipmentOwner | undefined,
): ShipmentOwner | undefined {
  if (reassigned !== undefined) return { ...reassigned, basis: 'reassignment' };
  return authorized === undefined ? byRange : { ...authorized, basis: 'authorization' };
}

/** The shipment of whom an operator says it is; the newest such word counts. */
export function withReassignment(
  shipment: ShipmentRecord,
  { carrier_client_id, at_ms }: Pick<ShipmentReassigned, 'carrier_client_id' | 'at_ms'>,
): ShipmentRecord {
  return { ...shipment, reassigned: newerSide(shipment.reassigned, carrier_client_id, at_ms) };
}
