import type {
  JourneyRecorded, NotificationRecordId, ShipmentJourney, ShipmentState,
} from '../../kernel/shipments.ts';
import { meaningOf, type CodeCatalogue, type CodeMeaning } from './catalogue.ts';
import { shortHash } from './projection.ts';
import { JOURNEY_RULES, type JourneyRule } from './rules.ts';
import type { ClientId, TrackingNumber } from '../../kernel/ids.ts';

/** A notification as the log has it, with what is known about its receipt. */
export interface ReceivedNotification {
  readonly tracking_number: TrackingNumber;
  readonly client_id: ClientId;
  readonly ingest_id: string;
  readonly source: JourneyRecorded['source'];
  readonly notification: NotificationRecordId;
  readonly code: string;
  readonly carrier_code: string;
  readonly occurred_at: string;
  readonly occurred_at_ms: number;
  readonly received_at_ms: number;
  /** SHA-256 of codes and content. */
  readonly content_hash: string;
}

/**
 * Classifies one notification of a shipment by the journey so far (decisions.md, After a final
 * status, Out of order, Later). Pure and total: what it says depends on the log and the catalogue
 * only.
 */
export function decideJourney(
  catalogue: CodeCatalogue, journey: ShipmentJourney | undefined, received: ReceivedNotification,
): JourneyRecorded {
  const { occurred_at_ms, ...copied } = received;
  const { client_id, code, carrier_code } = received;
  const meaning = meaningOf(catalogue, client_id, code, carrier_code);
  const before = journey?.state;
  const rule = ruleFor(meaning, journey, received);
  const { outcome } = JOURNEY_RULES[rule];
  const status = meaning.status ?? before?.status;
  const applied: ShipmentState = {
    ...(status === undefined ? {} : { status }),
    code, carrier_code, final: meaning.final, occurred_at_ms,
  };
  const after = outcome === 'applied' ? applied : before;
  return {
    type: 'JourneyRecorded',
    ...copied,
    outcome,
    rule,
    unmapped: meaning.unmapped,
    ...(before?.status === undefined ? {} : { status_before: before.status }),
    catalogue: catalogue.version,
    carrier: journey?.carrier ?? client_id,
    ...(after === undefined ? {} : { state: after }),
  };
}

function ruleFor(
  meaning: CodeMeaning, journey: ShipmentJourney | undefined, received: ReceivedNotification,
): JourneyRule {
  const state = journey?.state;
  if (state?.final === true) return 'after_final';
  if (journey?.contents.includes(shortHash(received)) === true) return 'repeated_content';
  if (meaning.final) return 'final_code';
  if (state === undefined) return 'first';
  return received.occurred_at_ms < state.occurred_at_ms ? 'older_than_applied' : 'in_order';
}
