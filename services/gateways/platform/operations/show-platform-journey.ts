import type { JourneyResource } from '../../../../schemas/generated/types.ts';
import { canonicalNumber } from '../../../domain/journey/canonical-number.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import type { ShipmentHistory } from '../../../kernel/shipment-history.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import { journeyEntry } from '../../common/journey-entry.ts';
import { badCursor, badLimit, readLimit } from '../../common/page.ts';
import type { PlaceCursors } from '../../common/place-cursors.ts';
import { problemErrors } from '../../common/problem.ts';
import { noSuchShipment } from '../../common/refusals.ts';
import { findShipment, type PlatformShipmentPorts } from '../../common/shipment-resource.ts';

/** What showing a journey needs from outside. */
export interface PlatformJourneyPorts extends PlatformShipmentPorts {
  readonly history: Pick<ShipmentHistory, 'journey'>;
  readonly cursors: PlaceCursors;
}

/** `GET /platform/shipments/{tracking_number}/journey`: as its sides read it, of any shipment. */
export function showPlatformJourney(ports: PlatformJourneyPorts): Operation {
  return defineOperation('show-platform-journey', {
    errors: problemErrors,
    handle: (call) => handle(ports, call),
  });
}

async function handle(
  ports: PlatformJourneyPorts, { params, query }: CallOf<'show-platform-journey'>,
): Promise<Answer> {
  const { history, cursors } = ports;
  const trackingNumber = canonicalNumber(params.tracking_number);
  const shipment = await findShipment(ports, trackingNumber);
  if (shipment === undefined) return noSuchShipment();
  const limit = readLimit(query['limit']);
  if (limit === undefined) return badLimit();
  const { cursor } = query;
  const start = cursor === undefined
    ? { after: undefined } : cursors.read('journey', trackingNumber, cursor);
  if (start === undefined) return badCursor();
  const { state, carrier_client_id: carrier = '' } = shipment;
  const of = { tracking_number: trackingNumber, carrier };
  const { entries, next } = await history.journey(of, start.after, limit);
  const body: JourneyResource = {
    tracking_number: trackingNumber,
    ...(state === undefined ? {} : { state }),
    entries: entries.map(journeyEntry),
    next_cursor: cursors.write('journey', trackingNumber, {
      after: entries.at(-1)?.notification ?? start.after,
    }),
    has_more: next !== undefined,
  };
  return { kind: 'answer', status: 200, body };
}
