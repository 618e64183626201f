import { TOPICS } from '../../../../schemas/generated/catalog.ts';
import type {
  AuthorizationCallEvent, AuthorizationCalls, AuthorizationTried,
} from '../../../kernel/authorization-calls.ts';
import type {
  AuthorizationChangeAsked, AuthorizationMove, AuthorizationStates, PlacedMove, ShipmentAuthorized,
} from '../../../kernel/authorizations.ts';
import type { FeedStates } from '../../../kernel/feeds.ts';
import type { ShipmentIndex, ShipmentReference } from '../../../kernel/shipment-index.ts';
import type { ShipmentReassigned, ShipmentStates } from '../../../kernel/shipments.ts';
import { partiesOf } from '../../../domain/authorization/parties.ts';
import { canonicalNumber } from '../../../domain/journey/canonical-number.ts';
import type { ApplyRecords, Outcome } from '../../common/outcomes.ts';
import { deadLetterOutcome, type ReadRecord } from '../../common/read-record.ts';

/** Where facts about authorizations go. */
export interface AuthorizationTargets {
  readonly authorizations: AuthorizationStates;
  readonly authorizationCalls: AuthorizationCalls;
  readonly shipments: Pick<ShipmentStates, 'authorize' | 'reassign'>;
  readonly shipmentIndex: Pick<ShipmentIndex, 'add'>;
  readonly feeds: Pick<FeedStates, 'open' | 'cancel'>;
}

/**
 * Applies authorizations and cancellations by rank, the sides of each shipment, and calls of
 * carriers by round and try, with the feeds that begin and end with them; any order ends in the
 * same state. A refusal changes nothing.
 */
export function createAuthorizationApplier(
  targets: AuthorizationTargets, readRecord: ReadRecord,
): ApplyRecords {
  const readAuthorization = readRecord('authorizations');
  const readCall = readRecord('authorizationCalls');
  return async function applyAuthorizationRecords(records) {
    const placed: PlacedMove[] = [];
    const calls: AuthorizationCallEvent[] = [];
    const reassigned: ShipmentReassigned[] = [];
    const changes: AuthorizationChangeAsked[] = [];
    const outcomes = records.map((record): Outcome => {
      const read = record.topic === TOPICS.authorizations.name ? readAuthorization : readCall;
      const reading = read(record);
      if (!reading.ok) return deadLetterOutcome(record, reading.poison);
      const fact = reading.value;
      switch (fact.type) {
        case 'ShipmentAuthorized':
        case 'ShipmentCancelled': placed.push({ event: fact, recordId: record }); break;
        case 'AuthorizationAsked':
        case 'AuthorizationTried': calls.push(fact); break;
        case 'AuthorizationChangeAsked': changes.push(fact); break;
        case 'ShipmentReassigned': reassigned.push(fact); break;
        case 'AuthorizationRefused': return { kind: 'ignored', record };
      }
      return { kind: 'applied', record };
    });
    const moves = placed.map(({ event }) => event);
    await bindParties(targets, moves, calls);
    for (const fact of reassigned) await targets.shipments.reassign(fact);
    if (placed.length > 0) await targets.authorizations.apply(placed);
    if (changes.length > 0) await targets.authorizations.applyChanges(changes);
    if (calls.length > 0) await targets.authorizationCalls.apply(calls);
    await markFeeds(targets, moves, calls);
    return outcomes;
  };
}

async function bindParties(
  { shipments, shipmentIndex }: AuthorizationTargets, moves: readonly AuthorizationMove[],
  calls: readonly AuthorizationCallEvent[],
): Promise<void> {
  const references: ShipmentReference[] = [];
  for (const fact of [...moves, ...calls]) {
    const isGiven = fact.type === 'ShipmentAuthorized'
      || (fact.type === 'AuthorizationTried' && fact.outcome === 'authorized');
    if (!isGiven || fact.tracking_number?.isWellFormed() !== true) continue;
    const trackingNumber = canonicalNumber(fact.tracking_number);
    await shipments.authorize(trackingNumber, partiesOf(fact));
    if (trackingNumber !== '') references.push(referenceOf(trackingNumber, fact));
  }
  await shipmentIndex.add(references);
}

function referenceOf(
  trackingNumber: string, fact: ShipmentAuthorized | AuthorizationTried,
): ShipmentReference {
  const { transport_order_id, shipment_id, at_ms } = fact;
  const { platform_client_id } = partiesOf(fact);
  return {
    tracking_number: trackingNumber, transport_order_id, shipment_id,
    ...(platform_client_id === undefined ? {} : { platform_client_id }),
    ...(fact.type === 'ShipmentAuthorized' ? { epoch: fact.epoch } : { call_id: fact.call_id }),
    at_ms,
  };
}

/** A number that a carrier gave us has a feed there, until it is cancelled. */
async function markFeeds(
  { feeds }: AuthorizationTargets, moves: readonly AuthorizationMove[],
  calls: readonly AuthorizationCallEvent[],
): Promise<void> {
  for (const call of calls) {
    if (call.type !== 'AuthorizationTried' || call.tracking_number === undefined) continue;
    if (call.outcome !== 'authorized') continue;
    const { carrier, tracking_number: given } = call;
    const spelling = given.trim();
    // No address can name such a number.
    if (spelling === '' || !spelling.isWellFormed()) continue;
    await feeds.open({ carrier, tracking_number: canonicalNumber(given) }, call.at_ms, spelling);
  }
  for (const move of moves) {
    if (move.type === 'ShipmentCancelled') {
      await feeds.cancel(canonicalNumber(move.tracking_number), move.at_ms);
    }
  }
}
