import type { LongText } from './long-text.ts';
import { STEP_BYTES } from './steps.ts';

/** Texts of more bytes than this get a stand-in. */
export const LONG_TEXT_BYTES_MIN = STEP_BYTES;

// Longer than any text that a schema allows, as a long text is. No text of a body holds NUL.
const STAND_IN_CHARACTERS = 4_096;
const STAND_IN_BEGINS = '\u0000';
const STAND_IN_WRITTEN = /"\\u0000(\d+)x*"/;

/** The stand-in of the long text of this number, counted from 0. */
export function standInOf(number: number): string {
  return `${STAND_IN_BEGINS}${number}`.padEnd(STAND_IN_CHARACTERS, 'x');
}

/** JSON divided at its stand-ins: at odd indexes are the numbers of the long texts. */
export function dividedAtStandIns(json: string): readonly string[] {
  return json.split(STAND_IN_WRITTEN);
}

/** The text piece by piece, as it reads. */
export function* piecesOfText(
  { written, hasEscapes }: LongText, stepBytes = STEP_BYTES,
): Generator<string, void> {
  for (const piece of slicesOf(bufferOf(written), hasEscapes, stepBytes)) {
    const text = piece.toString('utf8');
    yield hasEscapes ? JSON.parse(`"${text}"`) as string : text;
  }
}

/** The text piece by piece as `JSON.stringify` writes it, without quotes. */
export function* writtenPiecesOf(
  text: LongText, stepBytes = STEP_BYTES,
): Generator<Buffer, void> {
  if (!text.hasEscapes) {
    yield* slicesOf(bufferOf(text.written), false, stepBytes);
    return;
  }
  for (const piece of piecesOfText(text, stepBytes)) {
    yield Buffer.from(JSON.stringify(piece).slice(1, -1));
  }
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Slices that begin and end between two characters, and never between two surrogates. */
function* slicesOf(
  written: Buffer, hasEscapes: boolean, stepBytes: number,
): Generator<Buffer, void> {
  for (let from = 0; from < written.length;) {
    const end = from + stepBytes;
    const cut = hasEscapes ? boundaryBefore : boundaryOfText;
    const to = end >= written.length ? written.length : cut(written, end, from);
    yield written.subarray(from, to);
    from = to;
  }
}

const BACKSLASH = 0x5c;
const ESCAPE_BYTES = 6;
const LOW_SURROGATE = /^\\u[dD][c-fC-F]/;

/** The last boundary between characters at or before `end`; there is one at `from`. */
function boundaryBefore(written: Buffer, end: number, from: number): number {
  const last = written.lastIndexOf(BACKSLASH, end - 1);
  if (last < end - 2 * ESCAPE_BYTES) return boundaryOfText(written, end);
  let first = last;
  while (first > from && written[first - 1] === BACKSLASH) first -= 1;
  // Pairs of backslashes are whole characters; a single one begins an escape.
  if ((last - first) % 2 === 1) return boundaryOfText(written, end);
  const isLow = LOW_SURROGATE.test(written.toString('latin1', last, last + ESCAPE_BYTES));
  return isLow ? last - ESCAPE_BYTES : last;
}

function boundaryOfText(written: Buffer, end: number): number {
  let at = end;
  while (((written[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}
