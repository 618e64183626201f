import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { RecordValues } from '../../../schemas/generated/types.ts';
import { isDecoded } from '../../kernel/record-log.ts';
import type { Schemas } from '../../kernel/schemas.ts';
import { unreadable, type ConsumedRecord, type Outcome, type Poison } from './outcomes.ts';

/** A topic by its name in the catalog. */
export type TopicKey = keyof typeof TOPICS;

/** What the value of a record of a topic is. */
export type ValueOf<Key extends TopicKey> = RecordValues[(typeof TOPICS)[Key]['record']];

/** The value of a record, or why it can never be processed. */
export type ReadOutcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly poison: Poison };

/** Makes the reader of a topic; throws at once when the topic's schema is broken. */
export type ReadRecord = <Key extends TopicKey>(
  topic: Key,
) => (record: ConsumedRecord) => ReadOutcome<ValueOf<Key>>;

/**
 * Reads records by the compiled schemas of their topics, as gateways read bodies: what follows the
 * schema has the type that was generated from it, everything else has a pointer to what is wrong.
 */
export function createRecordReader(schemas: Schemas): ReadRecord {
  return <Key extends TopicKey>(topic: Key) => {
    const check = schemas.checkOf(TOPICS[topic].record);
    return (record) => {
      if (!isDecoded(record)) {
        return { ok: false, poison: unreadable(record, 'not in the wire format') };
      }
      const parsed = parse(record.value);
      if (parsed === undefined) return invalid('not JSON');
      const explain = check(parsed.value);
      if (explain === undefined) return { ok: true, value: parsed.value as ValueOf<Key> };
      return invalid(explain().detail);
    };
  };
}

/** A reading that failed, as the outcome of its record. */
export function deadLetterOutcome(record: ConsumedRecord, poison: Poison): Outcome {
  return { kind: 'dead_letter', record, poison };
}

function invalid(detail: string): { readonly ok: false; readonly poison: Poison } {
  return { ok: false, poison: { stage: 'consume', code: 'record_invalid', detail } };
}

function parse(value: Buffer): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(value.toString('utf8')) as unknown };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
