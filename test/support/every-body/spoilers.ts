import type { PersonalSeals } from '../../../services/kernel/personal.ts';
import type { OutgoingRecord, RecordLog } from '../../../services/kernel/record-log.ts';
import type { ChangeParts } from '../whole-edge.ts';

/** A gateway that is broken in one way, and what the check must say about it. */
export interface Spoiler {
  readonly spoil: ChangeParts;
  readonly finding: RegExp;
}

const onLog = (append: (log: RecordLog, record: OutgoingRecord) => Promise<void>): ChangeParts => (
  (parts) => ({
    ...parts,
    log: { ...parts.log, append: (record) => append(parts.log, record) },
  })
);

const changing = (change: (json: string) => string): ChangeParts => onLog((log, record) => {
  const value = Buffer.from(change(Buffer.from(record.value).toString('utf8')));
  return log.append({ ...record, value }, Infinity);
});

const CHANGED = /and changed the|did not keep/;

const UNKNOWN_MEMBER = /,"(constructor|prototype|toString|m|id)":["\w.]+(?=[,}])/g;

let appends = 0;

/** Defects that the check of bodies must find, by what the gateway does. */
export const SPOILERS: Readonly<Record<string, Spoiler>> = {
  'cuts the blanks around texts': {
    spoil: changing((json) => json.replaceAll(/(?<=:")[ \t]+|[ \t]+(?="[,}])/g, '')),
    finding: CHANGED,
  },
  'writes texts in one of several forms of Unicode': {
    spoil: changing((json) => json.normalize('NFKC')),
    finding: CHANGED,
  },
  'rounds numbers': {
    spoil: changing((json) => json.replaceAll(/(?<=\.\d\d)\d+(?=[,}\]])/g, '')),
    finding: CHANGED,
  },
  'drops a member that it does not know': {
    spoil: changing((json) => json.replaceAll(UNKNOWN_MEMBER, '')),
    finding: CHANGED,
  },
  'loses a record out of twenty, and says nothing': {
    spoil: onLog(async (log, record) => {
      appends += 1;
      if (appends % 20 !== 0) await log.append(record, Infinity);
    }),
    finding: /left no record|left \d+ records/,
  },
  'writes a record twice': {
    spoil: onLog(async (log, record) => {
      await log.append(record, Infinity);
      await log.append(record, Infinity);
    }),
    finding: /left \d+ records/,
  },
  'loses the last of what it seals': {
    spoil: (parts) => ({ ...parts, personal: forgetful(parts.personal) }),
    finding: /did not keep/,
  },
  'throws at a name from the prototype': {
    spoil: onLog((log, record) => {
      if (Buffer.from(record.value).includes('"__proto__"')) throw new TypeError('as asked');
      return log.append(record, Infinity);
    }),
    finding: /answered 500/,
  },
};

function forgetful(personal: PersonalSeals): PersonalSeals {
  return {
    ...personal,
    async forWriting(subjects, deadlineMs) {
      const keys = await personal.forWriting(subjects, deadlineMs);
      return {
        ...keys,
        seal: (type, subject, value) => (
          keys.seal(type, subject, Object.fromEntries(Object.entries(value as object).slice(0, -1)))
        ),
      };
    },
  };
}
