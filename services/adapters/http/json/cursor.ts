import type { Code } from '../../../kernel/codes.ts';

/** Why bytes are not accepted, and where: `at` counts bytes from 0. */
export interface JsonFault {
  readonly code: Code;
  readonly detail: string;
  readonly at: number;
  readonly pointer: string;
}

/** The place up to which bytes were read, and the fault that ended the reading. */
export interface Cursor {
  /** Valid UTF-8. Bytes, because reading them one by one is much faster than reading a string. */
  readonly bytes: Buffer;
  at: number;
  /** True right after a list or object was opened that is not empty. */
  opened: boolean;
  /** True when an integer was read that only its digits hold exactly. */
  hasLong: boolean;
  /** True when a number was read that is written in another way than `JSON.stringify` would. */
  hasWritten: boolean;
  /** Where the long text began that the cursor is in; -1 when it is in none. */
  textFrom: number;
  /** True when something in the last text is escaped. */
  hasEscapes: boolean;
  code: Code;
  detail: string;
}

/** The sign for the byte behind the last one; no byte has this value. */
export const END = -1;

/** The cursor is in no long text. */
export const NO_TEXT = -1;

/** A cursor at the beginning. */
export function createCursor(bytes: Buffer): Cursor {
  return {
    bytes, at: 0, opened: false, hasLong: false, hasWritten: false, textFrom: NO_TEXT,
    hasEscapes: false, code: 'malformed_json', detail: '',
  };
}

/** Notes the fault and answers false, so that callers can return it at once. */
export function fail(cursor: Cursor, code: Code, detail: string): false {
  cursor.code = code;
  cursor.detail = detail;
  return false;
}

/** Skips the four kinds of white space that JSON knows, and no other. */
export function skipSpace(cursor: Cursor): void {
  const { bytes } = cursor;
  let { at } = cursor;
  for (;;) {
    const next = bytes[at] ?? END;
    if (next !== 0x20 && next !== 0x0a && next !== 0x0d && next !== 0x09) break;
    at += 1;
  }
  cursor.at = at;
}

const LITERALS = ['true', 'false', 'null'].map((word) => Buffer.from(word));

/** Skips `true`, `false` or `null`; anything else is not a value. */
export function skipLiteral(cursor: Cursor): boolean {
  const { bytes, at } = cursor;
  for (const literal of LITERALS) {
    if (startsWith(bytes, at, literal)) {
      cursor.at = at + literal.length;
      return true;
    }
  }
  return fail(cursor, 'malformed_json', at >= bytes.length
    ? 'The text ends too early.'
    : valueHint(bytes.toString('utf8', at, at + 12)));
}

function startsWith(bytes: Buffer, at: number, literal: Buffer): boolean {
  for (let index = 0; index < literal.length; index += 1) {
    if (bytes[at + index] !== literal[index]) return false;
  }
  return true;
}

const WORDS: Readonly<Record<string, string>> = {
  None: 'For None JSON has null.', nil: 'For nil JSON has null.',
  undefined: 'JSON has no undefined; leave the member out.',
};

function valueHint(rest: string): string {
  const word = /^[A-Za-z]+/.exec(rest)?.[0] ?? '';
  if (/^[+]?(NaN|Infinity)/.test(rest)) return 'NaN and Infinity are not JSON.';
  if (/^(true|false|null)$/i.test(word)) return 'The words true, false and null are in lower case.';
  if (Object.hasOwn(WORDS, word)) return WORDS[word] ?? '';
  if (rest.startsWith("'")) return 'Strings are in double quotes.';
  if (/^[\]},]/.test(rest)) return 'A value is missing.';
  if (rest.startsWith('\uFEFF')) return 'A byte order mark may only be the first character.';
  if (rest.startsWith('+')) return 'A number has no plus sign.';
  if (rest.startsWith('.')) return 'A digit is expected before the decimal point.';
  return /^\/[/*]/.test(rest) ? 'Comments are not JSON.' : 'A value is expected.';
}
