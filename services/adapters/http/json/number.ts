import { END, fail, type Cursor } from './cursor.ts';

// No integer of so few characters exceeds 2^53-1, whatever its digits.
const CHARACTERS_ALWAYS_SAFE = 15;
const LONG_CHARACTERS_MAX = 20;
/** Of a longer fraction nothing is left that a number could keep. */
const CHARACTERS_MAX = 16_384;
const LONG_MAX = 2n ** 63n - 1n;

/**
 * Skips one number. An integer above 2^53-1 in magnitude is noted as a Long up to 2^63-1, to be
 * kept by its digits (decisions.md, Long ids). Any other number above 2^53-1 is refused: it could
 * not be kept exactly. Fractions are rounded as every reader rounds them.
 */
export function skipNumber(cursor: Cursor): boolean {
  const { bytes } = cursor;
  const start = cursor.at;
  let at = start;
  let hasExponent = false;
  let isWhole = true;
  if (bytes[at] === 0x2d) at += 1;
  const first = bytes[at];
  const wholeEnd = skipDigits(bytes, at);
  if (wholeEnd === at) return malformed(cursor, at, 'A digit is expected.');
  if (first === 0x30 && wholeEnd > at + 1) {
    return malformed(cursor, at, 'A number does not begin with a superfluous zero.');
  }
  at = wholeEnd;
  if (bytes[at] === 0x2e) {
    const fractionEnd = skipDigits(bytes, at + 1);
    if (fractionEnd === at + 1) {
      return malformed(cursor, fractionEnd, 'A digit is expected after the decimal point.');
    }
    at = fractionEnd;
    isWhole = false;
  }
  const mark = bytes[at];
  if (mark === 0x65 || mark === 0x45) {
    hasExponent = true;
    const sign = bytes[at + 1];
    const digits = sign === 0x2b || sign === 0x2d ? at + 2 : at + 1;
    at = skipDigits(bytes, digits);
    if (at === digits) return malformed(cursor, at, 'A digit is expected in the exponent.');
  }
  cursor.at = at;
  const isShort = !hasExponent && at - start <= CHARACTERS_ALWAYS_SAFE;
  const isMinusZero = first === 0x30 && bytes[start] === 0x2d;
  if (isShort && isWhole && !isMinusZero) return true;
  if (at - start > CHARACTERS_MAX) return outOfRange(cursor, start);
  const written = bytes.toString('latin1', start, at);
  cursor.hasWritten ||= String(Number(written)) !== written;
  if (isShort) return true;
  if (Math.abs(Number(written)) <= Number.MAX_SAFE_INTEGER) return true;
  if (isWhole && !hasExponent && isLong(written)) {
    cursor.hasLong = true;
    return true;
  }
  return outOfRange(cursor, start);
}

function outOfRange(cursor: Cursor, start: number): false {
  cursor.at = start;
  return fail(
    cursor, 'number_out_of_range',
    'A number cannot be kept exactly; send one up to 2^53-1, or an integer up to 2^63-1.',
  );
}

function isLong(written: string): boolean {
  if (written.length > LONG_CHARACTERS_MAX) return false;
  const long = BigInt(written);
  return long <= LONG_MAX && long >= -LONG_MAX;
}

function skipDigits(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const next = bytes[at] ?? END;
    if (next < 0x30 || next > 0x39) return at;
    at += 1;
  }
}

function malformed(cursor: Cursor, at: number, detail: string): false {
  cursor.at = at;
  return fail(cursor, 'malformed_json', detail);
}
