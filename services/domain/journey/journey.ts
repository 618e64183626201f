import type {
  JourneyRecorded, NotificationPosition, ShipmentJourney, ShipmentState,
} from '../../kernel/shipments.ts';
import { meaningOf, type CodeCatalogue, type CodeMeaning } from './catalogue.ts';
import { JOURNEY_RULES, type JourneyRule } from './rules.ts';

/** A notification as it stands in the log, with what is known about its receipt. */
export interface ReceivedNotification {
  readonly tracking_number: string;
  readonly client_id: string;
  readonly ingest_id: string;
  readonly source: JourneyRecorded['source'];
  readonly notification: NotificationPosition;
  readonly code: string;
  readonly carrier_code: string;
  readonly occurred_at: string;
  readonly occurred_at_ms: number;
  readonly received_at_ms: number;
  /** SHA-256 of codes and content. */
  readonly content_hash: string;
}

/** How many distinct contents of a shipment are remembered; a repeat beyond is judged as new. */
export const CONTENTS_MAX = 512;

const SHORT_HASH_CHARACTERS = 24;

/**
 * Judges one notification of a shipment by the journey so far (decisions.md, After a final status,
 * Out of order, Later). Pure and total: what it says depends on the log and the catalogue only.
 */
export function decideJourney(
  catalogue: CodeCatalogue, journey: ShipmentJourney | undefined, received: ReceivedNotification,
): JourneyRecorded {
  const { occurred_at_ms, ...told } = received;
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
    ...told,
    outcome,
    rule,
    unmapped: meaning.unmapped,
    ...(before?.status === undefined ? {} : { status_before: before.status }),
    catalogue: catalogue.version,
    carrier: journey?.carrier ?? client_id,
    ...(after === undefined ? {} : { state: after }),
  };
}

/**
 * The journey with one more judged notification. One that is part of it already changes nothing,
 * so that replays and repeats of the log end in the same journey.
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
    position: event.notification,
  };
}

/** True when the notification at this place was judged already. */
export function isKnown(
  { position }: Pick<ShipmentJourney, 'position'>, place: NotificationPosition,
): boolean {
  return position.topic_id === place.topic_id && position.offset >= place.offset;
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

/** 96 bits tell the contents of one shipment apart. */
function shortHash({ content_hash }: { readonly content_hash: string }): string {
  return content_hash.slice(0, SHORT_HASH_CHARACTERS);
}
