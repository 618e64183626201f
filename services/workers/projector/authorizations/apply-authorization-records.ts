import { TOPICS } from '../../../../schemas/generated/catalog.ts';
import type { AuthorizationCallEvent, AuthorizationCalls } from '../../../kernel/authorization-calls.ts';
import type {
  AuthorizationChangeAsked, AuthorizationMove, AuthorizationStates, PlacedMove,
} from '../../../kernel/authorizations.ts';
import type { FeedStates } from '../../../kernel/feeds.ts';
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
  { shipments }: AuthorizationTargets, moves: readonly AuthorizationMove[],
  calls: readonly AuthorizationCallEvent[],
): Promise<void> {
  for (const fact of [...moves, ...calls]) {
    const isGiven = fact.type === 'ShipmentAuthorized'
      || (fact.type === 'AuthorizationTried' && fact.outcome === 'authorized');
    if (!isGiven || fact.tracking_number?.isWellFormed() !== true) continue;
    await shipments.authorize(canonicalNumber(fact.tracking_number), partiesOf(fact));
  }
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
