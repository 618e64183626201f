import type { AccessStates, TokenEvent } from '../../../kernel/access.ts';
import type { PartyStates } from '../../../kernel/parties.ts';
import { isDecoded } from '../../../kernel/record-log.ts';
import { poisoned, type ApplyRecords, type Outcome } from '../../common/outcomes.ts';
import { readAccessFact } from './read-access-fact.ts';

/** Applies clients and parties by version and tokens by merging, in any order to the same end. */
export function createAccessApplier(access: AccessStates, parties: PartyStates): ApplyRecords {
  return async function applyAccessRecords(records) {
    const outcomes: Outcome[] = [];
    const tokens: TokenEvent[] = [];
    for (const record of records) {
      if (!isDecoded(record)) {
        outcomes.push(poisoned(record, 'undecodable', 'not in the wire format'));
        continue;
      }
      const fact = readAccessFact(record);
      if (fact === undefined) {
        outcomes.push(poisoned(record, 'record_invalid', 'not a fact about a client, token or party'));
        continue;
      }
      if (fact.type === 'ClientRecorded') await access.applyClient(fact);
      else if (fact.type === 'PartyRecorded') await parties.apply(fact);
      else tokens.push(fact);
      outcomes.push({ kind: 'applied', record });
    }
    if (tokens.length > 0) await access.applyTokens(tokens);
    return outcomes;
  };
}
