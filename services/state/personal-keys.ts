import type { Digest } from '../kernel/digest.ts';
import type {
  PersonalKeyEvent, PersonalKeyStates, Subject, SubjectState, WrappedKey,
} from '../kernel/personal.ts';
import { shardOf } from '../kernel/shards.ts';
import type { StateAccess, StateFields, StateKey, StateStore } from '../kernel/state-store.ts';
import {
  foldKeyFact, keysToDrop, offeredStateOf, offerKey, subjectStateOf, UNKNOWN_SUBJECT,
  type SubjectRecord,
} from '../domain/personal/projection.ts';
import { changeOf, numberIn, type NextEntry } from './entries.ts';
import { FROM_THE_LOG, READY } from './fold-facts.ts';
import { transactEach, type Work } from './transact.ts';

const KEY = 'k:';
const DROPPED = 'd:';

/**
 * Keys of personal data, each subject in its shard under its hash: `k:<id>` a wrapped key,
 * `current` the one that seals, `offer` one that is not in the log yet, `erased` and `d:<id>` what
 * is deleted forever.
 */
export function createPersonalKeyStates(
  ports: { readonly store: StateStore; readonly digest: Digest },
): PersonalKeyStates {
  const { store, digest } = ports;
  const keyOf = (subject: Subject): StateKey => (
    { shard: shardOf(subject), kind: 'personal', id: digest(subject) }
  );

  /** Takes each subject a step on and answers how it stands then. */
  function step<Item extends { readonly subject: Subject }, Answer>(
    access: StateAccess, items: readonly Item[],
    next: (subject: SubjectRecord, item: Item) => SubjectRecord,
    answer: (subject: SubjectRecord, item: Item) => Answer,
  ): Promise<readonly Answer[]> {
    return transactEach(store, access, items.map((item): Work<Answer> => {
      const key = keyOf(item.subject);
      return {
        keys: [key],
        decide([entry]) {
          const subject = next(subjectIn(entry?.fields), item);
          const change = entry && changeOf(key, entry, fieldsOf(subject));
          return {
            result: answer(subject, item), transaction: change && { entries: [change] },
          };
        },
      };
    }));
  }

  return {
    async find(subjects) {
      const { entries } = await store.read(subjects.map(keyOf), READY);
      return entries.map(({ fields }): SubjectState => subjectStateOf(subjectIn(fields)));
    },

    offer: (offers) => step(
      READY, offers, (subject, { key }) => offerKey(subject, key), offeredStateOf,
    ),

    confirm: (facts) => step(READY, facts, foldConfirmed, subjectStateOf),

    async apply(facts) {
      const groups = [...Map.groupBy(facts, ({ subject }) => subject)];
      const left = await step(
        FROM_THE_LOG, groups.map(([subject, own]) => ({ subject, own })),
        (record, { own }) => own.reduce(foldKeyFact, record),
        (record, { subject }) => keysToDrop(record).map((key_id) => ({ subject, key_id })),
      );
      return left.flat();
    },
  };
}

/** An erased subject takes no key of a writer; the log brings it, for it to be dropped. */
function foldConfirmed(subject: SubjectRecord, fact: PersonalKeyEvent): SubjectRecord {
  return subject.erased_at_ms === undefined ? foldKeyFact(subject, fact) : subject;
}

function subjectIn(fields: StateFields | undefined): SubjectRecord {
  if (fields === undefined || fields.size === 0) return UNKNOWN_SUBJECT;
  const current = fields.get('current');
  return {
    erased_at_ms: numberIn(fields, 'erased'),
    current: current === undefined
      ? undefined
      : { id: current, at_ms: numberIn(fields, 'current_at_ms') ?? 0 },
    offer: offerIn(fields),
    keys: new Map([...fields].flatMap(([name, wrapped]) => (
      name.startsWith(KEY) ? [[name.slice(KEY.length), wrapped] as const] : []
    ))),
    dropped: new Set([...fields.keys()].flatMap((name) => (
      name.startsWith(DROPPED) ? [name.slice(DROPPED.length)] : []
    ))),
  };
}

function offerIn(fields: StateFields): WrappedKey | undefined {
  const [id, wrapped] = [fields.get('offer_id'), fields.get('offer')];
  return id === undefined || wrapped === undefined ? undefined : { id, wrapped };
}

function fieldsOf({ erased_at_ms, current, offer, keys, dropped }: SubjectRecord): NextEntry {
  return {
    fields: {
      erased: erased_at_ms,
      current: current?.id,
      current_at_ms: current?.at_ms,
      offer_id: offer?.id,
      offer: offer?.wrapped,
      ...Object.fromEntries([...keys].map(([id, wrapped]) => [`${KEY}${id}`, wrapped])),
      ...Object.fromEntries([...dropped].map((id) => [`${DROPPED}${id}`, 1])),
    },
  };
}
