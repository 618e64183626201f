import type { PersonalKeyEvent, SubjectState, WrappedKey } from '../../kernel/personal.ts';

/** Everything that is kept about the keys of one subject. */
export interface SubjectRecord {
  readonly erased_at_ms?: number | undefined;
  /** The key that seals. */
  readonly current?: { readonly id: string; readonly at_ms: number } | undefined;
  /** A key that is being appended to the log. */
  readonly offer?: WrappedKey | undefined;
  /** Wrapped keys by their ids. */
  readonly keys: ReadonlyMap<string, string>;
  /** Ids of keys that are gone for good. */
  readonly dropped: ReadonlySet<string>;
}

/** A subject of which nothing is known. */
export const UNKNOWN_SUBJECT: SubjectRecord = { keys: new Map(), dropped: new Set() };

/**
 * Folds a fact into its subject, in any order with the same outcome: erased stays erased, a dropped
 * key stays dropped, and of two keys the earlier one is current (by time, then by id).
 */
export function foldKeyFact(subject: SubjectRecord, fact: PersonalKeyEvent): SubjectRecord {
  switch (fact.type) {
    case 'PersonalErased': {
      const erased_at_ms = Math.min(fact.at_ms, subject.erased_at_ms ?? fact.at_ms);
      return { keys: subject.keys, dropped: subject.dropped, erased_at_ms };
    }
    case 'PersonalKeyDropped': {
      const keys = new Map(subject.keys);
      keys.delete(fact.key_id);
      return { ...subject, keys, dropped: new Set([...subject.dropped, fact.key_id]) };
    }
    case 'PersonalKeyRecorded': {
      if (subject.dropped.has(fact.key_id)) return subject;
      const keys = new Map([...subject.keys, [fact.key_id, fact.wrapped]]);
      if (subject.erased_at_ms !== undefined) return { ...subject, keys };
      const own = { id: fact.key_id, at_ms: fact.at_ms };
      return { ...subject, keys, offer: undefined, current: earlierOf(own, subject.current) };
    }
  }
}

/** Keeps the first key that is offered to a subject that has none. */
export function offerKey(subject: SubjectRecord, key: WrappedKey): SubjectRecord {
  const hasOne = subject.erased_at_ms !== undefined || subject.current !== undefined;
  return hasOne || subject.offer !== undefined ? subject : { ...subject, offer: key };
}

/** The keys of a subject as readers see them: what is only offered opens nothing. */
export function subjectStateOf(subject: SubjectRecord): SubjectState {
  if (subject.erased_at_ms !== undefined) return { kind: 'erased' };
  if (subject.current === undefined) return { kind: 'none' };
  const keys = [...subject.keys].map(([id, wrapped]) => ({ id, wrapped }));
  return { kind: 'keys', keys, current: subject.current.id };
}

/** The keys of a subject as writers see them: an offered key has to come into the log. */
export function offeredStateOf(subject: SubjectRecord): SubjectState {
  const state = subjectStateOf(subject);
  const { offer } = subject;
  return state.kind === 'none' && offer !== undefined ? { kind: 'offered', key: offer } : state;
}

/** Keys that a subject still has although it is erased. */
export function keysToDrop({ erased_at_ms, keys }: SubjectRecord): readonly string[] {
  return erased_at_ms === undefined ? [] : [...keys.keys()];
}

type CurrentKey = NonNullable<SubjectRecord['current']>;

function earlierOf(key: CurrentKey, other: CurrentKey | undefined): CurrentKey {
  if (other === undefined) return key;
  if (key.at_ms !== other.at_ms) return key.at_ms < other.at_ms ? key : other;
  return key.id < other.id ? key : other;
}
