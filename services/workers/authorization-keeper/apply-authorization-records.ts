import type { AuthorizationCallEvent, AuthorizationCalls } from '../../kernel/authorization-calls.ts';
import type { AuthorizationMove, AuthorizationStates } from '../../kernel/authorizations.ts';
import { isDecoded } from '../../kernel/record-log.ts';
import type { ShipmentStates } from '../../kernel/shipments.ts';
import { poisoned, type ApplyRecords, type Outcome } from '../common/outcomes.ts';
import { readAuthorizationFact } from './read-authorization-fact.ts';

/** Where facts about authorizations go. */
export interface AuthorizationTargets {
  readonly authorizations: AuthorizationStates;
  readonly authorizationCalls: AuthorizationCalls;
  readonly shipments: Pick<ShipmentStates, 'authorize'>;
}

/**
 * Applies authorizations and cancellations by rank, the carrier of each number, and calls of
 * carriers by round and try; any order ends in the same state. A refusal changes nothing.
 */
export function createAuthorizationApplier(targets: AuthorizationTargets): ApplyRecords {
  return async function applyAuthorizationRecords(records) {
    const moves: AuthorizationMove[] = [];
    const calls: AuthorizationCallEvent[] = [];
    const outcomes = records.map((record): Outcome => {
      if (!isDecoded(record)) return poisoned(record, 'undecodable', 'not in the wire format');
      const fact = readAuthorizationFact(record);
      if (fact === undefined) {
        return poisoned(record, 'record_invalid', 'not a fact about an authorization or a call');
      }
      switch (fact.type) {
        case 'ShipmentAuthorized':
        case 'ShipmentCancelled': moves.push(fact); break;
        case 'AuthorizationAsked':
        case 'AuthorizationTried': calls.push(fact); break;
        case 'AuthorizationRefused': return { kind: 'ignored', record };
      }
      return { kind: 'applied', record };
    });
    await bindCarriers(targets, moves);
    if (moves.length > 0) await targets.authorizations.apply(moves);
    if (calls.length > 0) await targets.authorizationCalls.apply(calls);
    return outcomes;
  };
}

async function bindCarriers(
  { shipments }: AuthorizationTargets, moves: readonly AuthorizationMove[],
): Promise<void> {
  for (const move of moves) {
    if (move.type !== 'ShipmentAuthorized' || move.carrier_client_id === undefined) continue;
    await shipments.authorize(move.tracking_number, move.carrier_client_id);
  }
}
