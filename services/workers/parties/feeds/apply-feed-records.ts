import type { FeedStates } from '../../../kernel/feeds.ts';
import type { ApplyRecords, Outcome } from '../../common/outcomes.ts';
import { deadLetterOutcome, type ReadRecord } from '../../common/read-record.ts';

/** Puts how far each feed was read into the state store again: for the rebuild. */
export function createFeedApplier(
  feeds: Pick<FeedStates, 'advance'>, readRecord: ReadRecord,
): ApplyRecords {
  const read = readRecord('feeds');
  return async function applyFeedRecords(records) {
    const outcomes: Outcome[] = [];
    for (const record of records) {
      const reading = read(record);
      if (!reading.ok) {
        outcomes.push(deadLetterOutcome(record, reading.poison));
        continue;
      }
      await feeds.advance(reading.value);
      outcomes.push({ kind: 'applied', record });
    }
    return outcomes;
  };
}
