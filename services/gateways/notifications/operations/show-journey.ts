import type { JourneyEntry, JourneyResource } from '../../../../schemas/generated/types.ts';
import { JOURNEY_RULES } from '../../../domain/journey/rules.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import type { ShipmentHistory } from '../../../kernel/shipment-history.ts';
import type { JourneyRecorded } from '../../../kernel/shipments.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import { notificationErrors } from '../error-form.ts';
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
    entries: entries.map(entryOf),
    next_cursor: ports.cursors.write('journey', trackingNumber, { after: last }),
    has_more: next !== undefined,
  };
  return { kind: 'answer', status: 200, body };
}

function entryOf(recorded: JourneyRecorded): JourneyEntry {
  const { status_before, state, rule } = recorded;
  return {
    code: recorded.code,
    carrier_code: recorded.carrier_code,
    occurred_at: recorded.occurred_at,
    received_at_ms: recorded.received_at_ms,
    outcome: recorded.outcome,
    rule,
    unmapped: recorded.unmapped,
    ...(status_before === undefined ? {} : { status_before }),
    explanation: JOURNEY_RULES[rule].explanation,
    ...(state === undefined ? {} : { state }),
    ingest_id: recorded.ingest_id,
    source: recorded.source,
  };
}
