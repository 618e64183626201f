import { PERSONAL_MEMBERS } from '../../../schemas/generated/personal.ts';
import type { NotificationCodesRecorded } from '../../../schemas/generated/types.ts';
import { FINAL_STATUSES } from '../../domain/journey/catalogue.ts';
import { isFields } from '../../kernel/json-fields.ts';
import type { Schemas } from '../../kernel/schemas.ts';

/** When a version was made, and from when on it holds. */
export type CodesMarks = Pick<NotificationCodesRecorded, 'codes_id' | 'valid_from_ms' | 'lead_ms' | 'at_ms'>;

/** A file of codes as the fact that it would become, or what is wrong with it, line by line. */
export type CodesReading =
  | { readonly ok: true; readonly fact: NotificationCodesRecorded }
  | { readonly ok: false; readonly faults: readonly string[] };

const SEALED = PERSONAL_MEMBERS.NotificationRecorded.personal.map(
  ({ path }) => path.replace(/^notification/, '').replaceAll('.', '/'),
);

/**
 * Reads the text of a file with `name`, `codes` and `carriers` (docs/how-to/notification-codes.md).
 * `about` is for people and stays in the file. A half understood catalogue would decide wrongly for
 * ever, so that every fault is named by its place and nothing is recorded.
 */
export function readCodesFile(text: string, schemas: Schemas, marks: CodesMarks): CodesReading {
  const file = parse(text);
  if (!isFields(file)) return { ok: false, faults: ['The file holds no JSON object.'] };
  const { about: _, ...own } = file;
  const fact: unknown = { type: 'NotificationCodesRecorded', ...own, ...marks };
  const explain = schemas.checkOf('NotificationCodesRecorded')(fact);
  if (explain !== undefined) {
    const { detail, errors = [] } = explain();
    const faults = errors.map(({ pointer, message }) => `${pointer} ${message}`);
    return { ok: false, faults: faults.length === 0 ? [detail] : faults };
  }
  const read = fact as NotificationCodesRecorded;
  const faults = Object.entries(read.codes).flatMap(([code, meaning]) => [
    ...(meaning.final === false && FINAL_STATUSES.includes(meaning.status ?? '')
      ? [`/codes/${code}/final must be true: the status ${meaning.status ?? ''} ends a shipment.`]
      : []),
    ...(meaning.required ?? []).filter(isSealed).map((pointer) => (
      `/codes/${code}/required must not name ${pointer}: it is sealed before it is read.`
    )),
  ]);
  return faults.length === 0 ? { ok: true, fact: read } : { ok: false, faults };
}

function isSealed(pointer: string): boolean {
  return SEALED.some((sealed) => `${pointer}/`.startsWith(`${sealed}/`));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
