import { TOPICS } from '../../../../schemas/generated/catalog.ts';
import type { AccessStates, TokenEvent } from '../../../kernel/access.ts';
import type { OverflowStates } from '../../../kernel/overflow.ts';
import type { PartyStates } from '../../../kernel/parties.ts';
import type { WebhookStates } from '../../../kernel/webhooks.ts';
import type { ApplyRecords, Outcome } from '../../common/outcomes.ts';
import { deadLetterOutcome, type ReadRecord } from '../../common/read-record.ts';

/** What is known of those who call. */
export interface AccessTargets {
  readonly access: AccessStates;
  readonly parties: Pick<PartyStates, 'apply'>;
  readonly overflow: Pick<OverflowStates, 'apply'>;
  readonly webhooks: Pick<WebhookStates, 'apply'>;
}

/**
 * Applies clients, parties, webhooks and decisions about providers by version, and tokens by
 * merging: in any order to the same end.
 */
export function createAccessApplier(
  { access, parties, overflow, webhooks }: AccessTargets, readRecord: ReadRecord,
): ApplyRecords {
  const readClient = readRecord('clients');
  const readOverflow = readRecord('overflow');
  const readParty = readRecord('parties');
  const readToken = readRecord('tokens');
  const readWebhook = readRecord('webhooks');
  return async function applyAccessRecords(records) {
    const outcomes: Outcome[] = [];
    const tokens: TokenEvent[] = [];
    for (const record of records) {
      const reading = readerOf(record.topic)(record);
      if (!reading.ok) {
        outcomes.push(deadLetterOutcome(record, reading.poison));
        continue;
      }
      const fact = reading.value;
      if (fact.type === 'ClientRecorded') await access.applyClient(fact);
      else if (fact.type === 'PartyRecorded') await parties.apply(fact);
      else if (fact.type === 'OverflowRecorded') await overflow.apply(fact);
      else if (fact.type === 'WebhookRecorded') await webhooks.apply(fact);
      else tokens.push(fact);
      outcomes.push({ kind: 'applied', record });
    }
    if (tokens.length > 0) await access.applyTokens(tokens);
    return outcomes;
  };

  function readerOf(topic: string) {
    if (topic === TOPICS.clients.name) return readClient;
    if (topic === TOPICS.overflow.name) return readOverflow;
    if (topic === TOPICS.webhooks.name) return readWebhook;
    return topic === TOPICS.parties.name ? readParty : readToken;
  }
}
