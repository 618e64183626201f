import type {
  JourneyRecorded, NotificationRecordId, ShipmentJourney, ShipmentOwner, ShipmentState,
} from '../../kernel/shipments.ts';
import { meaningOf, type CodeCatalogue, type CodeMeaning } from './catalogue.ts';
import { strongerOwner } from './owner.ts';
import { journeyAt, recordIdName, shortHash } from './projection.ts';
import { JOURNEY_RULES, type JourneyRule } from './rules.ts';
import type { ClientId, TrackingNumber } from '../../kernel/ids.ts';
import { valueAt } from '../../kernel/json-fields.ts';

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
  /** What was sent, without what is sealed. */
  readonly payload: unknown;
  /** Whose the number was known to be when it was taken. */
  readonly owner?: ShipmentOwner | undefined;
  /** Of one that was kept apart and came again: its record id then. */
  readonly reapplies?: NotificationRecordId | undefined;
}

/**
 * Classifies one notification of a shipment by the journey so far (decisions.md, Whose shipment,
 * After a final status, Out of order, Later). A journey is that of one carrier: what another
 * notifies is kept apart, and when the shipment gets another carrier its journey begins again. Pure
 * and total: what it says depends on the log and the catalogue only.
 */
export function decideJourney(
  catalogue: CodeCatalogue, kept: ShipmentJourney | undefined, received: ReceivedNotification,
): JourneyRecorded {
  const journey = journeyAt(kept, received.received_at_ms);
  const { occurred_at_ms, owner: _, reapplies, payload, ...copied } = received;
  const { client_id, code, carrier_code } = received;
  const meaning = meaningOf(catalogue, client_id, code, carrier_code);
  const owner = strongerOwner(journey?.owner, received.owner);
  const carrier = owner?.client_id ?? journey?.carrier ?? client_id;
  const own = journey?.carrier === carrier ? journey : undefined;
  const before = own?.state;
  const rule = isReapplied(journey, reapplies)
    ? 'reapplied_before'
    : carrier === client_id ? ruleFor(meaning, own, received) : 'other_carrier';
  const { outcome } = JOURNEY_RULES[rule];
  const status = meaning.status ?? before?.status;
  const applied: ShipmentState = {
    ...(status === undefined ? {} : { status }),
    code, carrier_code, final: meaning.final, occurred_at_ms,
  };
  const after = outcome === 'applied' ? applied : before;
  const lacks = meaning.wanted.filter((pointer) => valueAt({ payload }, pointer) === undefined);
  return {
    type: 'JourneyRecorded',
    ...copied,
    outcome,
    rule,
    unmapped: meaning.unmapped,
    ...(lacks.length === 0 ? {} : { lacks }),
    ...(before?.status === undefined ? {} : { status_before: before.status }),
    catalogue: catalogue.version,
    carrier,
    ...(owner === undefined ? {} : { owner }),
    ...(reapplies === undefined || rule === 'reapplied_before' || rule === 'other_carrier'
      ? {} : { reapplies }),
    ...(after === undefined ? {} : { state: after }),
  };
}

function isReapplied(
  journey: ShipmentJourney | undefined, reapplies: NotificationRecordId | undefined,
): boolean {
  return reapplies !== undefined && journey?.reapplied?.includes(recordIdName(reapplies)) === true;
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
