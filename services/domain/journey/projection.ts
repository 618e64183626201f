import type {
  JourneyRecorded, NotificationRecordId, ShipmentClaimAnswer, ShipmentConfirmAnswer,
  ShipmentJourney, ShipmentParties, StoredShipment,
} from '../../kernel/shipments.ts';
import type { ClientId } from '../../kernel/ids.ts';

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
  /** Client id of the carrier that notified it first. */
  readonly carrier?: string | undefined;
  /** Who is just notifying it, until when. */
  readonly reserved?: { readonly client_id: ClientId; readonly until_ms: number } | undefined;
  /** Another whose reservation lapsed: its notification may still come into the log. */
  readonly reserved_after?: string | undefined;
  readonly journey?: ShipmentJourney | undefined;
}

/** What a client that wants to notify a shipment finds. */
export type Ownership = Exclude<ShipmentClaimAnswer, 'reserved'> | 'free';

/** How many distinct contents of a shipment are remembered; a repeat beyond counts as new. */
export const CONTENTS_MAX = 512;

const SHORT_HASH_CHARACTERS = 24;

/**
 * The journey with one more classified notification. One that is part of it already changes
 * nothing, so that replays and repeats of the log end in the same journey.
 */
export function evolveJourney(
  journey: ShipmentJourney | undefined, event: JourneyRecorded,
): ShipmentJourney {
  if (journey !== undefined && isKnown(journey, event.notification)) return journey;
  const contents = journey?.contents ?? [];
  const isNew = event.outcome === 'applied' || event.outcome === 'out_of_order';
  return {
    carrier: event.carrier,
    state: event.state,
    contents: isNew ? [...contents, shortHash(event)].slice(-CONTENTS_MAX) : contents,
    last_notification: event.notification,
  };
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
  const { platform, authorized } = shipment;
  return { platform, authorized, carrier: journey.carrier, journey };
}

/** A shipment as callers see it; undefined while nothing is known of it. */
export function storedShipmentOf(
  shipment: ShipmentRecord,
): StoredShipment | undefined {
  const { platform, journey } = shipment;
  const owner = ownerOf(shipment);
  if (owner === undefined && platform === undefined && journey === undefined) return undefined;
  return {
    platform_client_id: platform?.client_id, carrier_client_id: owner, state: journey?.state,
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

function ownerOf({ authorized, carrier }: ShipmentRecord): ClientId | undefined {
  return authorized?.client_id ?? carrier;
}

/** Whose a shipment is, or who is just about to have it, as a client sees it. */
export function ownershipOf(
  shipment: ShipmentRecord, clientId: ClientId, nowMs: number,
): Ownership {
  const { reserved } = shipment;
  const owner = ownerOf(shipment);
  if (owner !== undefined) return owner === clientId ? 'owned' : 'foreign';
  const isHeld = reserved !== undefined && reserved.until_ms > nowMs;
  return isHeld && reserved.client_id !== clientId ? 'busy' : 'free';
}

/** Reserves a free shipment; whose reservation lapsed before is remembered. */
export function reserve(
  shipment: ShipmentRecord, clientId: ClientId, untilMs: number,
): ShipmentRecord {
  const before = shipment.reserved?.client_id ?? clientId;
  return {
    ...shipment,
    reserved: { client_id: clientId, until_ms: untilMs },
    reserved_after: before === clientId ? shipment.reserved_after : before,
  };
}

/**
 * Makes a client the carrier of what is reserved for it. Unknown is whose reservation was lost, or
 * followed one that lapsed, or may have been forgotten by a rebuild: the log decides.
 */
export function confirmReserved(
  shipment: ShipmentRecord, clientId: ClientId, nowMs: number, inDoubt: boolean,
): { readonly answer: ShipmentConfirmAnswer; readonly shipment: ShipmentRecord } {
  const owner = ownerOf(shipment);
  if (owner !== undefined) {
    return { answer: owner === clientId ? 'owned' : 'foreign', shipment };
  }
  const { reserved, reserved_after } = shipment;
  const isHeld = reserved?.client_id === clientId && reserved.until_ms > nowMs;
  if (!isHeld || reserved_after !== undefined || inDoubt) return { answer: 'unknown', shipment };
  return { answer: 'owned', shipment: { ...shipment, carrier: clientId, reserved: undefined } };
}
