import type { Answer, Call } from '../../kernel/http.ts';
import type { ShipmentStates, StoredShipment } from '../../kernel/shipments.ts';
import { badCursor, badLimit, readLimit } from '../common/page.ts';
import type { CursorKind, PageStart, PlaceCursors } from './place-cursors.ts';
import type { TrackingNumber } from '../../kernel/ids.ts';

/** What reading pages about a shipment needs from outside. */
export interface OwnPagePorts {
  readonly shipments: Pick<ShipmentStates, 'find'>;
  readonly cursors: PlaceCursors;
}

/** A page that the caller may have. */
export interface OwnPage extends PageStart {
  readonly trackingNumber: TrackingNumber;
  readonly shipment: StoredShipment;
  readonly limit: number;
}

/**
 * What the caller asks for: a page about a shipment of its own, or the refusal. A foreign shipment
 * and an unknown one get the same 404 (decisions.md, Unknown in the pull feed); whose it is
 * comes first, so that nothing is learned from a cursor.
 */
export async function ownPage(
  { shipments, cursors }: OwnPagePorts,
  call: Call<'bearer', undefined, 'tracking_number'>,
  kind: CursorKind,
): Promise<OwnPage | Answer> {
  const trackingNumber = call.params.tracking_number.trim();
  const shipment = await shipments.find(trackingNumber);
  if (shipment === undefined || shipment.carrier !== call.caller.clientId) {
    return {
      kind: 'refusal', code: 'shipment_not_found', detail: 'The caller has no such shipment.',
    };
  }
  const { cursor } = call.query;
  const limit = readLimit(call.query['limit']);
  if (limit === undefined) return badLimit();
  const start = cursor === undefined
    ? { after: undefined }
    : cursors.read(kind, trackingNumber, cursor);
  return start === undefined ? badCursor() : { trackingNumber, shipment, limit, ...start };
}
