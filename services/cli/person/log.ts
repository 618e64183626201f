import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type {
  PersonalKeyEvent, PersonalKeyStates, Subject, SubjectState, WrappedKey,
} from '../../kernel/personal.ts';
import { eachFact } from '../../kernel/each-fact.ts';
import type { LogReader } from '../../kernel/record-log.ts';
import type { OperatorPorts } from '../ports.ts';

const APPEND_MS_MAX = 15_000;

/** What the log says about one subject's keys. */
export interface PersonalKeysInLog {
  readonly keys: ReadonlyMap<string, string>;
  readonly erasedAtMs: number | undefined;
}

/** Keys of personal data as the log has them, by subject; with `only`, of these alone. */
export async function readPersonalKeys(
  reader: LogReader, only?: ReadonlySet<Subject>,
): Promise<ReadonlyMap<Subject, PersonalKeysInLog>> {
  const found = new Map<Subject, { keys: Map<string, string>; erasedAtMs: number | undefined }>();
  await eachFact<PersonalKeyEvent>(reader, [TOPICS.personalKeys.name], (fact) => {
    if (only?.has(fact.subject) === false) return;
    const own = found.get(fact.subject) ?? { keys: new Map(), erasedAtMs: undefined };
    found.set(fact.subject, own);
    if (fact.type === 'PersonalErased') own.erasedAtMs = fact.at_ms;
    else if (fact.type === 'PersonalKeyRecorded') own.keys.set(fact.key_id, fact.wrapped);
    else own.keys.delete(fact.key_id);
  });
  return found;
}

/** Appends a fact about keys under the key's own id, or under the subject that was erased. */
export async function recordPersonalKey(
  { log, clock }: Pick<OperatorPorts, 'log' | 'clock'>, fact: PersonalKeyEvent,
): Promise<void> {
  await log.append({
    topic: TOPICS.personalKeys.name,
    key: fact.type === 'PersonalErased' ? fact.subject : `${fact.subject}|${fact.key_id}`,
    value: Buffer.from(JSON.stringify(fact)),
    headers: {},
  }, clock.nowMs() + APPEND_MS_MAX);
}

/**
 * Keys for the command line, which has no state store: read from the log each time. A key that it
 * offers may become a second one of its subject, which does no harm.
 */
export function keysFromLog(
  reader: LogReader,
): Pick<PersonalKeyStates, 'find' | 'offer' | 'confirm'> {
  async function statesOf(subjects: readonly Subject[]): Promise<readonly SubjectState[]> {
    const found = await readPersonalKeys(reader, new Set(subjects));
    return subjects.map((subject): SubjectState => {
      const own = found.get(subject);
      if (own?.erasedAtMs !== undefined) return { kind: 'erased' };
      const keys: readonly WrappedKey[] = [...own?.keys ?? []]
        .map(([id, wrapped]) => ({ id, wrapped }));
      const [first] = keys;
      return first === undefined ? { kind: 'none' } : { kind: 'keys', keys, current: first.id };
    });
  }
  return {
    find: statesOf,
    async offer(offers) {
      const states = await statesOf(offers.map(({ subject }) => subject));
      return offers.map(({ key }, at): SubjectState => {
        const state = states[at] ?? { kind: 'none' };
        return state.kind === 'none' ? { kind: 'offered', key } : state;
      });
    },
    confirm: (facts) => statesOf(facts.map(({ subject }) => subject)),
  };
}
