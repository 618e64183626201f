import { createPersonalSeals } from '../../services/adapters/secrets/personal-seals.ts';
import { joinPersonal } from '../../services/domain/personal/split.ts';
import type {
  PersonalKeyStates, PersonalSeals, SealedPersonal, SealedType, Subject, SubjectKeys,
} from '../../services/kernel/personal.ts';
import type { RecordLog } from '../../services/kernel/record-log.ts';
import { fakeRecordLog } from './fake-log.ts';
import { memoryStates } from './memory-states.ts';

/** A key ring for tests. */
export const PERSONAL_KEY = `k1:${Buffer.alloc(32, 5).toString('base64')}`;

/** The product's store of personal keys over entries in memory. */
export function fakePersonalKeys(): PersonalKeyStates {
  return memoryStates().personalKeys;
}

/** The real seals over keys and a log of their own in memory. */
export function fakePersonal(
  states: PersonalKeyStates = fakePersonalKeys(), log: RecordLog = fakeRecordLog(),
): PersonalSeals {
  return createPersonalSeals(PERSONAL_KEY, { states, log, clock: { nowMs: () => Date.now() } });
}

/** Seals that remember every key they gave, so that a test can look into what was recorded. */
export interface RecordingPersonal {
  readonly personal: PersonalSeals;
  /** A recorded fact with what is sealed in it put back. */
  opened(subject: Subject, fact: unknown): unknown;
}

/** Makes {@link RecordingPersonal} over keys and a log of their own in memory. */
export function recordingPersonal(): RecordingPersonal {
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
