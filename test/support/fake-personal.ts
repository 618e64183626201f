import { createPersonalSeals } from '../../services/adapters/secrets/personal-seals.ts';
import { joinPersonal } from '../../services/domain/personal/split.ts';
import type {
  PersonalKeyStates, PersonalSeals, SealedPersonal, SealedType, Subject, SubjectKeys, SubjectState,
  WrappedKey,
} from '../../services/kernel/personal.ts';
import { fakeRecordLog } from './fake-log.ts';

/** A key ring for tests. */
export const PERSONAL_KEY = `k1:${Buffer.alloc(32, 5).toString('base64')}`;

interface Kept {
  erased?: boolean;
  current?: string;
  currentAtMs?: number;
  offer?: WrappedKey;
  readonly keys: Map<string, string>;
  readonly dropped: Set<string>;
}

/** {@link PersonalKeyStates} in memory; obeys `personal-key-states.suite.ts`. */
export function fakePersonalKeys(): PersonalKeyStates {
  const kept = new Map<string, Kept>();
  const at = (subject: string): Kept => {
    const found = kept.get(subject) ?? { keys: new Map(), dropped: new Set() };
    kept.set(subject, found);
    return found;
  };
  const stateOf = ({ erased, current, offer, keys }: Kept): SubjectState => {
    if (erased === true) return { kind: 'erased' };
    if (current !== undefined) {
      return {
        kind: 'keys', current, keys: [...keys].map(([id, wrapped]) => ({ id, wrapped })),
      };
    }
    return offer === undefined ? { kind: 'none' } : { kind: 'offered', key: offer };
  };
  return {
    find: async (subjects) => subjects.map((subject) => {
      const state = stateOf(at(subject));
      return state.kind === 'offered' ? { kind: 'none' } : state;
    }),
    offer: async (offers) => offers.map(({ subject, key }) => {
      const own = at(subject);
      own.offer ??= key;
      return stateOf(own);
    }),
    confirm: async (facts) => facts.map(({ subject, key_id, wrapped, at_ms }) => {
      const own = at(subject);
      if (own.erased === true) return { kind: 'erased' };
      own.keys.set(key_id, wrapped);
      if (own.current === undefined) Object.assign(own, { current: key_id, currentAtMs: at_ms });
      delete own.offer;
      return stateOf(own);
    }),
    apply: async (facts) => {
      const left = new Map<string, { subject: string; key_id: string }>();
      for (const fact of facts) {
        const own = at(fact.subject);
        if (fact.type === 'PersonalErased') {
          own.erased = true;
          delete own.offer;
        } else if (fact.type === 'PersonalKeyDropped') {
          own.keys.delete(fact.key_id);
          own.dropped.add(fact.key_id);
        } else if (!own.dropped.has(fact.key_id)) {
          own.keys.set(fact.key_id, fact.wrapped);
          const older = [own.currentAtMs ?? Infinity, own.current ?? '~'] as const;
          if (fact.at_ms < older[0] || (fact.at_ms === older[0] && fact.key_id < older[1])) {
            Object.assign(own, { current: fact.key_id, currentAtMs: fact.at_ms });
          }
        }
        if (own.erased !== true) continue;
        for (const key_id of own.keys.keys()) {
          left.set(`${fact.subject}|${key_id}`, { subject: fact.subject, key_id });
        }
      }
      return [...left.values()];
    },
  };
}

/** The real seals over keys and a log of their own in memory. */
export function fakePersonal(
  states: PersonalKeyStates = fakePersonalKeys(), log = fakeRecordLog(),
): PersonalSeals {
  return createPersonalSeals(PERSONAL_KEY, { states, log, clock: { nowMs: () => Date.now() } });
}

/** Seals that remember every key they gave, so that a test can look into what was recorded. */
export interface NotedPersonal {
  readonly personal: PersonalSeals;
  /** A recorded fact with what is sealed in it put back. */
  opened(subject: Subject, fact: unknown): unknown;
}

/** Makes {@link NotedPersonal} over keys and a log of their own in memory. */
export function notedPersonal(): NotedPersonal {
  const seals = fakePersonal();
  const given: SubjectKeys[] = [];
  return {
    personal: {
      ...seals,
      async forWriting(subjects, deadlineMs) {
        const keys = await seals.forWriting(subjects, deadlineMs);
        given.push(keys);
        return keys;
      },
    },
    opened(subject, fact) {
      const { personal: sealed, ...clear } = fact as {
        readonly type: SealedType; readonly personal?: SealedPersonal;
      };
      if (sealed === undefined) return clear;
      const parts = given.map((keys) => keys.open(clear.type, subject, sealed));
      return joinPersonal(clear, parts.find((part) => part !== undefined));
    },
  };
}
