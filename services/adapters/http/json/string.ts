import { BODY_NAME_BYTES_MAX } from '../../../kernel/limits.ts';
import { LONG_TEXT_BYTES_MIN } from '../../../kernel/long-texts.ts';
import { END, fail, type Cursor } from './cursor.ts';
import { plainUntil } from './plain-text.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const UNICODE = 0x75;
const SHORT_ESCAPES = new Set(Buffer.from('"\\/bfnrt'));
const HEX = /^[0-9A-Fa-f]{4}$/;

/** Skips the name of a member, from its opening to behind its closing quote. */
export function skipName(cursor: Cursor): boolean {
  const start = cursor.at;
  cursor.at += 1;
  cursor.hasEscapes = false;
  const ending = skipText(cursor, start + 1 + BODY_NAME_BYTES_MAX);
  if (ending !== 'pause') return ending === 'closed';
  cursor.at = start;
  return fail(
    cursor, 'payload_too_large', `A name has more than ${BODY_NAME_BYTES_MAX} bytes.`,
  );
}

/**
 * Skips one string, from its opening to behind its closing quote; of a long one only the beginning,
 * and then `cursor.textFrom` is where it began.
 */
export function skipString(cursor: Cursor, longBytesMin = LONG_TEXT_BYTES_MIN): boolean {
  const start = cursor.at;
  cursor.at += 1;
  cursor.hasEscapes = false;
  const ending = skipText(cursor, start + 1 + longBytesMin);
  if (ending === 'pause') cursor.textFrom = start;
  return ending !== 'fault';
}

/** Goes on in a string up to `until`, or a little beyond, or to behind its closing quote. */
export function skipText(cursor: Cursor, until: number): 'closed' | 'pause' | 'fault' {
  const { bytes } = cursor;
  let { at } = cursor;
  for (;;) {
    at = plainUntil(bytes, at, until);
    const next = bytes[at] ?? END;
    if (next === QUOTE) {
      cursor.at = at + 1;
      return 'closed';
    }
    if (at >= until && at < bytes.length) {
      cursor.at = at;
      return 'pause';
    }
    if (next !== BACKSLASH) {
      badCharacter(cursor, at);
      return 'fault';
    }
    cursor.at = at;
    cursor.hasEscapes = true;
    if (!skipEscape(cursor)) return 'fault';
    at = cursor.at;
  }
}

function badCharacter(cursor: Cursor, at: number): void {
  cursor.at = at;
  fail(cursor, 'malformed_json', at >= cursor.bytes.length
    ? 'A string is not closed.'
    : 'A control character in a string must be escaped.');
}

/** Skips one escape; both halves of a surrogate pair count as one. */
function skipEscape(cursor: Cursor): boolean {
  const { bytes, at } = cursor;
  if (SHORT_ESCAPES.has(bytes[at + 1] ?? END)) {
    cursor.at = at + 2;
    return true;
  }
  const unit = unitAt(bytes, at);
  if (unit === undefined) return fail(cursor, 'malformed_json', 'An escape is not valid.');
  // It divides texts in names of keys, and other readers take it for the end.
  if (unit === 0) return fail(cursor, 'invalid_encoding', 'A string holds NUL.');
  if (unit < 0xd800 || unit > 0xdfff) {
    cursor.at = at + 6;
    return true;
  }
  const low = unit < 0xdc00 ? unitAt(bytes, at + 6) : undefined;
  if (low === undefined || low < 0xdc00 || low > 0xdfff) {
    return fail(cursor, 'invalid_encoding', 'A string holds an unpaired surrogate.');
  }
  cursor.at = at + 12;
  return true;
}

/** The UTF-16 unit of an escape `\uXXXX` at this place. */
function unitAt(bytes: Buffer, at: number): number | undefined {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== UNICODE) return undefined;
  const digits = bytes.toString('latin1', at + 2, at + 6);
  return HEX.test(digits) ? Number.parseInt(digits, 16) : undefined;
}
