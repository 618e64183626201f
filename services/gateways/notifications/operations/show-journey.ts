import type { JourneyResource } from '../../../../schemas/generated/types.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import type { ShipmentHistory } from '../../../kernel/shipment-history.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import { journeyEntry } from '../../common/journey-entry.ts';
import { notificationErrors } from '../../common/notification-errors.ts';
import { ownPage, type OwnPagePorts } from '../own-page.ts';

/** What showing a journey needs from outside. */
export interface JourneyPorts extends OwnPagePorts {
  readonly history: Pick<ShipmentHistory, 'journey'>;
}

/**
 * `GET …/shipments/{tracking_number}/journey`: the outcome of every notification about a shipment
 * of the caller, by which rule, and where that left the shipment. It shows no personal data.
 */
export function showJourney(ports: JourneyPorts): Operation {
  return defineOperation('show-journey', {
    errors: notificationErrors,
    handle: (call) => handle(ports, call),
  });
}

async function handle(ports: JourneyPorts, call: CallOf<'show-journey'>): Promise<Answer> {
  const page = await ownPage(ports, call, 'journey');
  if ('kind' in page) return page;
  const { trackingNumber, of, asked, shipment: { state }, after, limit } = page;
  const { entries, next } = await ports.history.journey(of, after, limit);
  const last = entries.at(-1)?.notification ?? after;
  const body: JourneyResource = {
    tracking_number: asked,
    ...(state === undefined ? {} : { state }),
    entries: entries.map(journeyEntry),
    next_cursor: ports.cursors.write('journey', trackingNumber, { after: last }),
    has_more: next !== undefined,
  };
  return { kind: 'answer', status: 200, body };
}
