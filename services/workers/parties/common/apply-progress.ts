import type { ApplyRecords, Outcome } from '../../common/outcomes.ts';
import {
  deadLetterOutcome, type ReadRecord, type TopicKey, type ValueOf,
} from '../../common/read-record.ts';

/** Takes the newest progress of one feed or outbox over; ignores an older one. */
export interface ReadProgress<Fact> {
  advance(fact: Fact): Promise<unknown>;
}

/** Puts the progress that a topic has into the state store again: for the rebuild. */
export function createProgressApplier<Key extends TopicKey>(
  topic: Key, states: ReadProgress<ValueOf<Key>>, readRecord: ReadRecord,
): ApplyRecords {
  const read = readRecord(topic);
  return async function applyProgress(records) {
    const outcomes: Outcome[] = [];
    for (const record of records) {
      const reading = read(record);
      if (!reading.ok) {
        outcomes.push(deadLetterOutcome(record, reading.poison));
        continue;
      }
      await states.advance(reading.value);
      outcomes.push({ kind: 'applied', record });
    }
    return outcomes;
  };
}
