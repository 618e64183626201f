import type { PersonalKeyEvent, PersonalKeyStates } from '../../../kernel/personal.ts';
import { isDecoded, type LogRecord } from '../../../kernel/record-log.ts';
import { all, isText, isWhole, parseFields } from '../../../kernel/json-fields.ts';
import { poisoned, type ApplyRecords, type Outcome } from '../../common/outcomes.ts';

/** What to do about keys that an erased subject still has in the log. */
export type DropKeys = (
  keys: Awaited<ReturnType<PersonalKeyStates['apply']>>,
) => Promise<void>;

const NOTHING: DropKeys = async () => undefined;

/**
 * Applies keys of personal data, their ends and erasures; any order ends in the same state. The
 * rebuild drops no keys: that is the keeper's, once.
 */
export function createPersonalApplier(
  states: Pick<PersonalKeyStates, 'apply'>, dropKeys: DropKeys = NOTHING,
): ApplyRecords {
  return async function applyPersonalRecords(records) {
    const facts: PersonalKeyEvent[] = [];
    const outcomes = records.map((record): Outcome => {
      if (!isDecoded(record)) return poisoned(record, 'undecodable', 'not in the wire format');
      const fact = readFact(record);
      if (fact === undefined) {
        return poisoned(record, 'record_invalid', 'not a fact about a key of personal data');
      }
      facts.push(fact);
      return { kind: 'applied', record };
    });
    if (facts.length > 0) await dropKeys(await states.apply(facts));
    return outcomes;
  };
}

function readFact(record: LogRecord): PersonalKeyEvent | undefined {
  const fields = parseFields(record.value);
  if (fields === undefined || !isText(fields['subject']) || !isWhole(fields['at_ms'])) {
    return undefined;
  }
  const isGood = fields['type'] === 'PersonalErased'
    || (fields['type'] === 'PersonalKeyDropped' && isText(fields['key_id']))
    || (fields['type'] === 'PersonalKeyRecorded' && all(fields, ['key_id', 'wrapped'], isText));
  return isGood ? fields as unknown as PersonalKeyEvent : undefined;
}
