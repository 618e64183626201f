import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { NotificationCodesRecorded } from '../../../schemas/generated/types.ts';
import { firstDuplicate } from '../../kernel/json-duplicates.ts';
import { isFields } from '../../kernel/json-fields.ts';
import type { Schemas } from '../../kernel/schemas.ts';
import { findFaults } from './find-faults.ts';

/** When a version was made, and from when on it holds. */
export type CodesMarks = Pick<NotificationCodesRecorded, 'codes_id' | 'valid_from_ms' | 'lead_ms' | 'at_ms'>;

/** A file of codes as the fact that it would become, or what is wrong with it, line by line. */
export type CodesReading =
  | { readonly ok: true; readonly fact: NotificationCodesRecorded }
  | { readonly ok: false; readonly faults: readonly string[] };

/** What the topic takes, less room for key, headers and frame of the record. */
const RECORD_BYTES_MAX = TOPICS.notificationCodes.message_bytes_max - 4_096;

/**
 * Reads the text of a file with `name`, `codes` and `carriers` (docs/how-to/notification-codes.md).
 * `about` is for people and stays in the file. A half understood catalogue would decide wrongly for
 * ever, so that every fault is named by its place and nothing is recorded.
 */
export function readCodesFile(
  text: string, schemas: Schemas, marks: CodesMarks, interfaceCodes: readonly string[],
): CodesReading {
  const file = parse(text);
  if (!isFields(file)) return refused('The file holds no JSON object.');
  const twice = firstDuplicate(text);
  if (twice !== undefined) return refused(`${twice} is twice in the file; one of both would be lost.`);
  const { about: _, ...own } = file;
  const fact: unknown = { type: 'NotificationCodesRecorded', ...own, ...marks };
  const explain = schemas.checkOf('NotificationCodesRecorded')(fact);
  if (explain !== undefined) {
    const { detail, errors = [] } = explain();
    const faults = errors.map(({ pointer, message }) => `${pointer} ${message}`);
    return { ok: false, faults: faults.length === 0 ? [detail] : faults };
  }
  const read = fact as NotificationCodesRecorded;
  const faults = [...findFaults(read, interfaceCodes), ...sizeFaults(read)];
  return faults.length === 0 ? { ok: true, fact: read } : { ok: false, faults };
}

function refused(fault: string): CodesReading {
  return { ok: false, faults: [fault] };
}

function sizeFaults(fact: NotificationCodesRecorded): readonly string[] {
  const bytes = bytesOf(fact);
  if (bytes <= RECORD_BYTES_MAX) return [];
  const [codes, carriers] = [bytesOf(fact.codes), bytesOf(fact.carriers ?? {})];
  return [`${codes > carriers ? '/codes' : '/carriers'} is too large: the version would have `
    + `${bytes} bytes (/codes ${codes}, /carriers ${carriers}), and one record takes at most `
    + `${RECORD_BYTES_MAX}. Shorten descriptions, or list only carriers whose codes must be checked.`];
}

function bytesOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
