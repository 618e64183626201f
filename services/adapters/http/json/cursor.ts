import type { Code } from '../../../kernel/codes.ts';

/** Why a text is not accepted, and where: `at` counts UTF-16 units from 0. */
export interface JsonFault {
  readonly code: Code;
  readonly detail: string;
  readonly at: number;
  readonly pointer: string;
}

/** The place up to which a text was read, and the fault that ended the reading. */
export interface Cursor {
  readonly text: string;
  at: number;
  /** True right after a list or object was opened that is not empty. */
  opened: boolean;
  code: Code;
  detail: string;
}

/** A cursor at the beginning of a text. */
export function createCursor(text: string): Cursor {
  return { text, at: 0, opened: false, code: 'malformed_json', detail: '' };
}

/** Notes the fault and answers false, so that callers can return it at once. */
export function fail(cursor: Cursor, code: Code, detail: string): false {
  cursor.code = code;
  cursor.detail = detail;
  return false;
}

/** Skips the four kinds of white space that JSON knows, and no other. */
export function skipSpace(cursor: Cursor): void {
  const { text } = cursor;
  let { at } = cursor;
  for (;;) {
    const next = text.charCodeAt(at);
    if (next !== 0x20 && next !== 0x0a && next !== 0x0d && next !== 0x09) break;
    at += 1;
  }
  cursor.at = at;
}

/** Skips `true`, `false` or `null`; anything else is not a value. */
export function skipLiteral(cursor: Cursor): boolean {
  for (const literal of ['true', 'false', 'null']) {
    if (cursor.text.startsWith(literal, cursor.at)) {
      cursor.at += literal.length;
      return true;
    }
  }
  const ended = cursor.at >= cursor.text.length;
  return fail(cursor, 'malformed_json', ended ? 'The text ends too early.' : valueHint(cursor));
}

function valueHint(cursor: Cursor): string {
  const rest = cursor.text.slice(cursor.at, cursor.at + 9);
  if (/^[+]?(NaN|Infinity)/.test(rest)) return 'NaN and Infinity are not JSON.';
  if (rest.startsWith("'")) return 'Strings stand in double quotes.';
  if (/^[\]},]/.test(rest)) return 'A value is missing.';
  if (rest.startsWith('\uFEFF')) return 'The text begins with a byte order mark.';
  return 'A value is expected.';
}
