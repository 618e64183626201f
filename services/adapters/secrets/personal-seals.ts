import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { Clock } from '../../kernel/clock.ts';
import { isSorted, parseExact, sortedJson } from '../../kernel/exact-json.ts';
import { STEP_BYTES } from '../../kernel/steps.ts';
import { Unavailable } from '../../kernel/unavailable.ts';
import type {
  PersonalKeyRecorded, PersonalKeyStates, PersonalSeals, Subject, SubjectKeys, SubjectState,
  WrappedKey,
} from '../../kernel/personal.ts';
import type { RecordLog } from '../../kernel/record-log.ts';
import { charactersOf, openBytes, SEAL_BYTES, sealBytes, writeSealed } from './cipher.ts';
import { createKeyRing, macOf, startMac, type KeyRing } from './key-ring.ts';

/** What seals need. */
export interface PersonalSealsPorts {
  readonly states: Pick<PersonalKeyStates, 'find' | 'offer' | 'confirm'>;
  readonly log: RecordLog;
  readonly clock: Clock;
}

interface OpenedKeys {
  readonly current: string;
  readonly byId: ReadonlyMap<string, Buffer>;
}

type Loaded = ReadonlyMap<Subject, OpenedKeys | 'erased'>;

/**
 * Seals members of records under a data key of each subject, wrapped by a key of the ring
 * (`name:base64,…`, newest first). A key is offered to the state store, where the first one stays,
 * then appended to the log, then used: a writer that finds an offer brings it into the log as well,
 * so no writer waits for another. Two keys of one subject do no harm, since what is sealed names
 * its own.
 */
export function createPersonalSeals(keys: string, ports: PersonalSealsPorts): PersonalSeals {
  const ring = createKeyRing(keys);
  const { states } = ports;
  return {
    async forReading(asked) {
      const subjects = [...new Set(asked)];
      if (subjects.length === 0) return keysOver(new Map());
      return keysOver(opened(ring, subjects, await states.find(subjects)));
    },

    async forWriting(asked, deadlineMs) {
      const subjects = [...new Set(asked)];
      if (subjects.length === 0) return keysOver(new Map());
      const found = [...await states.offer(
        subjects.map((subject) => ({ subject, key: ring.newKey(subject) })),
      )];
      const news = found.flatMap((state, at) => (
        state.kind === 'offered' ? [{ at, fact: factOf(ports, subjects[at] ?? '', state.key) }] : []
      ));
      await appendKeys(ports.log, news.map(({ fact }) => fact), deadlineMs);
      if (news.length > 0) {
        const confirmed = await states.confirm(news.map(({ fact }) => fact));
        news.forEach(({ at }, index) => { found[at] = confirmed[index] ?? { kind: 'none' }; });
      }
      return keysOver(opened(ring, subjects, found));
    },
  };
}

/** The fact that goes into the log about a key; its place there is its own, see README.md. */
function factOf({ clock }: PersonalSealsPorts, subject: Subject, key: WrappedKey) {
  return {
    type: 'PersonalKeyRecorded', subject, key_id: key.id, wrapped: key.wrapped,
    at_ms: clock.nowMs(),
  } as const satisfies PersonalKeyRecorded;
}

async function appendKeys(
  log: RecordLog, facts: readonly PersonalKeyRecorded[], deadlineMs: number,
): Promise<void> {
  const endings = await Promise.allSettled(facts.map((fact) => log.append({
    topic: TOPICS.personalKeys.name,
    key: `${fact.subject}|${fact.key_id}`,
    value: Buffer.from(JSON.stringify(fact)),
    headers: {},
  }, deadlineMs)));
  for (const ending of endings) if (ending.status === 'rejected') throw ending.reason;
}

function opened(
  ring: KeyRing, subjects: readonly Subject[], states: readonly SubjectState[],
): Loaded {
  const loaded = new Map<Subject, OpenedKeys | 'erased'>();
  subjects.forEach((subject, at) => {
    const state = states[at];
    if (state?.kind === 'erased') loaded.set(subject, 'erased');
    if (state?.kind !== 'keys') return;
    const byId = new Map(state.keys.map((key) => [key.id, unwrap(ring, subject, key)]));
    loaded.set(subject, { current: state.current, byId });
  });
  return loaded;
}

/** A key that cannot be unwrapped is a wrong configuration: a fault, until it is mended. */
function unwrap(ring: KeyRing, subject: Subject, key: WrappedKey): Buffer {
  try {
    return ring.unwrap(subject, key);
  } catch (error) {
    throw new Unavailable('personal_key_unavailable', 'decide', 'a data key cannot be unwrapped', error);
  }
}

/** The key that seals for a subject. */
function currentOf(
  loaded: Loaded, subject: Subject,
): { readonly id: string; readonly key: Buffer } | 'erased' {
  const keys = loaded.get(subject);
  if (keys === 'erased') return keys;
  const key = keys?.byId.get(keys.current);
  if (keys === undefined || key === undefined) {
    throw new Unavailable('personal_key_unavailable', 'decide', 'no key to seal with is loaded');
  }
  return { id: keys.current, key };
}

function keysOver(loaded: Loaded): SubjectKeys {
  const boundTo = (type: string, subject: Subject) => JSON.stringify([type, subject]);
  return {
    isErased: (subject) => loaded.get(subject) === 'erased',

    seal(type, subject, personal) {
      const own = currentOf(loaded, subject);
      if (own === 'erased') return undefined;
      const bytes = Buffer.from(JSON.stringify(personal));
      return {
        key: own.id,
        sealed: sealBytes(own.key, bytes, boundTo(type, subject)).toString('base64url'),
        mac: macOf(own.key, isSorted(personal) ? bytes : sortedJson(personal)),
      };
    },

    * sealLong(type, subject, pieces) {
      const own = currentOf(loaded, subject);
      if (own === 'erased') return undefined;
      const mac = startMac(own.key);
      let bytes = SEAL_BYTES;
      let worked = 0;
      for (const piece of pieces(true)) {
        mac.update(piece);
        bytes += piece.length;
        worked += piece.length;
        if (worked < STEP_BYTES) continue;
        yield;
        worked = 0;
      }
      return {
        key: own.id, mac: mac.digest('hex'), characters: charactersOf(bytes),
        write: (target, at) => (
          writeSealed(own.key, pieces(false), boundTo(type, subject), target, at)
        ),
      };
    },

    open(type, subject, sealed) {
      const keys = loaded.get(subject);
      const key = keys === undefined || keys === 'erased' ? undefined : keys.byId.get(sealed.key);
      if (key === undefined) return undefined;
      const bytes = Buffer.from(sealed.sealed, 'base64url');
      return parseExact(openBytes(key, bytes, boundTo(type, subject)).toString('utf8'));
    },
  };
}
