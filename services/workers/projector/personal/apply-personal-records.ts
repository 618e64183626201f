import type { PersonalKeyEvent, PersonalKeyStates } from '../../../kernel/personal.ts';
import type { ApplyRecords, Outcome } from '../../common/outcomes.ts';
import { deadLetterOutcome, type ReadRecord } from '../../common/read-record.ts';

/** What to do about keys that an erased subject still has in the log. */
export type DropKeys = (
  keys: Awaited<ReturnType<PersonalKeyStates['apply']>>,
) => Promise<void>;

const NOTHING: DropKeys = async () => undefined;

/**
 * Applies keys of personal data, their ends and erasures; any order ends in the same state. The
 * rebuild drops no keys: only the projector does, once.
 */
export function createPersonalApplier(
  states: Pick<PersonalKeyStates, 'apply'>, readRecord: ReadRecord, dropKeys: DropKeys = NOTHING,
): ApplyRecords {
  const read = readRecord('personalKeys');
  return async function applyPersonalRecords(records) {
    const facts: PersonalKeyEvent[] = [];
    const outcomes = records.map((record): Outcome => {
      const reading = read(record);
      if (!reading.ok) return deadLetterOutcome(record, reading.poison);
      facts.push(reading.value);
      return { kind: 'applied', record };
    });
    if (facts.length > 0) await dropKeys(await states.apply(facts));
    return outcomes;
  };
}
