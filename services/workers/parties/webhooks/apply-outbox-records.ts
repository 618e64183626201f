import type { WebhookStates } from '../../../kernel/webhooks.ts';
import type { ApplyRecords, Outcome } from '../../common/outcomes.ts';
import { deadLetterOutcome, type ReadRecord } from '../../common/read-record.ts';

/** Puts the progress of each outbox into the state store again: for the rebuild. */
export function createOutboxApplier(
  webhooks: Pick<WebhookStates, 'advance'>, readRecord: ReadRecord,
): ApplyRecords {
  const read = readRecord('webhookOutboxes');
  return async function applyOutboxRecords(records) {
    const outcomes: Outcome[] = [];
    for (const record of records) {
      const reading = read(record);
      if (!reading.ok) {
        outcomes.push(deadLetterOutcome(record, reading.poison));
        continue;
      }
      await webhooks.advance(reading.value);
      outcomes.push({ kind: 'applied', record });
    }
    return outcomes;
  };
}
