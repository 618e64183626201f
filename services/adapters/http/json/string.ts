import { END, fail, type Cursor } from './cursor.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const UNICODE = 0x75;
/** What is below it must be escaped. */
const FIRST_PLAIN = 0x20;
const SHORT_ESCAPES = new Set(Buffer.from('"\\/bfnrt'));
const HEX = /^[0-9A-Fa-f]{4}$/;

/** Skips one string, from its opening to behind its closing quote. */
export function skipString(cursor: Cursor): boolean {
  const { bytes } = cursor;
  let at = cursor.at + 1;
  for (;;) {
    let next = bytes[at] ?? END;
    while (next >= FIRST_PLAIN && next !== QUOTE && next !== BACKSLASH) {
      at += 1;
      next = bytes[at] ?? END;
    }
    if (next === QUOTE) {
      cursor.at = at + 1;
      return true;
    }
    if (next === BACKSLASH) {
      cursor.at = at;
      if (!skipEscape(cursor)) return false;
      at = cursor.at;
    } else {
      return badCharacter(cursor, at);
    }
  }
}

function badCharacter(cursor: Cursor, at: number): false {
  cursor.at = at;
  return fail(cursor, 'malformed_json', at >= cursor.bytes.length
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
