import type { Answer, Call } from '../../kernel/http.ts';
import type { ShipmentStates, StoredShipment } from '../../kernel/shipments.ts';
import type { HistoryOf } from '../../kernel/shipment-history.ts';
import { canonicalNumber } from '../../domain/journey/canonical-number.ts';
import { badCursor, badLimit, readLimit } from '../common/page.ts';
import type { CursorKind, PageStart, PlaceCursors } from '../common/place-cursors.ts';
import type { ClientId, TrackingNumber } from '../../kernel/ids.ts';

/** What reading pages about a shipment needs from outside. */
export interface OwnPagePorts {
  readonly shipments: Pick<ShipmentStates, 'find'>;
  readonly cursors: PlaceCursors;
}

/** A page that the caller may have. */
export interface OwnPage extends PageStart {
  readonly trackingNumber: TrackingNumber;
  /** As the caller writes it, without the blanks around it: what the answer says. */
  readonly asked: string;
  readonly shipment: StoredShipment;
  readonly of: HistoryOf;
  readonly limit: number;
}

/**
 * What the caller asks for: a page about a shipment that it authorized or carries, or the refusal
 * (decisions.md, Both parties of a shipment). A foreign shipment
 * and an unknown one get the same 404 (decisions.md, Unknown in the pull feed); whose it is
 * comes first, so that nothing is learned from a cursor.
 */
export async function ownPage(
  { shipments, cursors }: OwnPagePorts,
  call: Call<'bearer', undefined, 'tracking_number'>,
  kind: CursorKind,
): Promise<OwnPage | Answer> {
  const asked = call.params.tracking_number.trim();
  const trackingNumber = canonicalNumber(asked);
  const shipment = await shipments.find(trackingNumber);
  if (shipment === undefined || !isSide(shipment, call.caller.clientId)) {
    return notOwnShipment();
  }
  const { cursor } = call.query;
  const limit = readLimit(call.query['limit']);
  if (limit === undefined) return badLimit();
  const start = cursor === undefined
    ? { after: undefined }
    : cursors.read(kind, trackingNumber, cursor);
  if (start === undefined) return badCursor();
  const of = { tracking_number: trackingNumber, carrier: shipment.carrier_client_id ?? '' };
  return { of, trackingNumber, asked, shipment, limit, ...start };
}

/** The same for an unknown shipment and a foreign one. */
export function notOwnShipment(): Answer {
  return {
    kind: 'refusal', code: 'shipment_not_found', detail: 'The caller has no such shipment.',
  };
}

/** Whether a client is one of the two sides of a shipment. */
export function isSide(
  { platform_client_id, carrier_client_id }: Readonly<Partial<
    Pick<StoredShipment, 'platform_client_id' | 'carrier_client_id'>
  >>, clientId: ClientId,
): boolean {
  return clientId === platform_client_id || clientId === carrier_client_id;
}
