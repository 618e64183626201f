import { isUtf8 } from 'node:buffer';
import type { Refusal, SentBody } from '../../../kernel/http.ts';
import { findDuplicate } from '../../../kernel/json-duplicates.ts';
import { BODY_DEPTH_MAX } from '../../../kernel/limits.ts';
import { LONG_TEXT_BYTES_MIN } from '../../../kernel/long-texts.ts';
import { finish, STEP_BYTES, type Steps } from '../../../kernel/steps.ts';
import { jsonFault, notUtf8 } from './body-hints.ts';
import { builtValue, createBuild, type JsonBuild } from './build.ts';
import type { JsonFault } from './cursor.ts';
import { createScan, faultOf, scanOn } from './scan.ts';

/** A body that was read: its value and its canonical bytes, or why it cannot be read. */
export type JsonReading =
  | {
    readonly ok: true; readonly value: unknown; readonly canonical: Uint8Array;
    /** The same with numbers as they were written, where that was asked for. */
    readonly sent: SentBody;
  }
  | { readonly ok: false; readonly refusal: Refusal };

/** Reads bytes as exactly one JSON value; never throws. */
export type ReadJson = (bytes: Buffer) => JsonReading;

/** The steps of one reading, between which others may have their turn. */
export type JsonSteps = Steps<JsonReading>;

/** How bodies are read. */
export interface ReadingForm {
  /** About so many bytes are worked on in one step. */
  readonly stepBytes?: number;
  /** A text of more bytes gets a stand-in, where those are asked for. */
  readonly longTextBytesMin?: number;
}

/** What an operation asks for beside the value: numbers as written, stand-ins for long texts. */
export interface AskedReading {
  readonly keepsNumbers?: boolean | undefined;
  readonly cutsLongTexts?: boolean | undefined;
}

/**
 * Makes the exact reader (design.md, Raw bytes or canonical bytes). What it accepts is valid UTF-8
 * without a byte order mark, one JSON value, no deeper than `depthMax`, no key twice, no number
 * that cannot be kept, no NUL and no unpaired surrogate. Members that are null are left out of the
 * value. `canonical` is the value written again, so nothing that was not checked can hide in it; a
 * Long above 2^53-1 is in both as its digits.
 */
export function createReadJson(depthMax: number = BODY_DEPTH_MAX): ReadJson {
  const stepsOf = createJsonSteps(depthMax);
  return (bytes) => finish(stepsOf(bytes));
}

/** The same in steps, each of a bounded number of bytes, however large the body is. */
export function createJsonSteps(
  depthMax: number,
  { stepBytes = STEP_BYTES, longTextBytesMin = LONG_TEXT_BYTES_MIN }: ReadingForm = {},
): (bytes: Buffer, asked?: AskedReading) => JsonSteps {
  return function* readInSteps(bytes, { keepsNumbers = false, cutsLongTexts = false } = {}) {
    const badAt = yield* findBadUtf8(bytes, stepBytes);
    if (badAt !== undefined) {
      return refused({ code: 'invalid_encoding', detail: notUtf8(bytes, badAt) });
    }
    const scan = createScan(bytes, depthMax);
    const build = createBuild({
      stepBytes, keepsWritten: keepsNumbers,
      longTextBytesMin: cutsLongTexts ? longTextBytesMin : Infinity,
    });
    const { cursor, path } = scan;
    for (;;) {
      const ending = scanOn(scan, build, cursor.at + stepBytes);
      if (ending === 'fault') return refused(refusalOf(bytes, faultOf(scan)));
      if (ending === 'end') break;
      yield;
    }
    const { value, written } = builtValue(build, cursor);
    if (build.members !== path.members) return refused(yield* duplicateIn(bytes, build, stepBytes));
    return accepted(value, { value: written, texts: build.texts });
  };
}

/**
 * The first byte that is no UTF-8; undefined where all is. Piece by piece; a character that a piece
 * would cut through is in the next one.
 */
function* findBadUtf8(bytes: Buffer, stepBytes: number): Steps<number | undefined> {
  for (let from = 0; from < bytes.length;) {
    const to = boundaryBefore(bytes, Math.min(from + stepBytes, bytes.length));
    const piece = bytes.subarray(from, to);
    if (!isUtf8(piece)) return from + goodBytes(piece);
    from = to;
    if (from < bytes.length) yield;
  }
  return undefined;
}

/** As many bytes of a piece as are the same when they are read and written again. */
function goodBytes(piece: Buffer): number {
  const again = Buffer.from(piece.toString('utf8'));
  return piece.findIndex((byte, at) => byte !== again[at]);
}

const CONTINUATIONS_MAX = 3;

/** The place, or that before it at which a character begins. */
function boundaryBefore(bytes: Buffer, end: number): number {
  let at = end;
  while (at > end - CONTINUATIONS_MAX && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}

/** Written only for who asks: writing a text of megabytes takes longer than reading it. */
function accepted(value: unknown, sent: SentBody): JsonReading {
  let written: Uint8Array | undefined;
  return {
    ok: true, value, sent,
    get canonical() { return written ??= Buffer.from(JSON.stringify(value)); },
  };
}

function refused(refusal: Refusal): JsonReading {
  return { ok: false, refusal };
}

function refusalOf(bytes: Buffer, { code, detail, at, pointer }: JsonFault): Refusal {
  const message = jsonFault(bytes, detail, at);
  return { code, detail: message, errors: [{ pointer, code, message }] };
}

function* duplicateIn(bytes: Buffer, build: JsonBuild, stepBytes: number): Steps<Refusal> {
  const text = yield* withoutLongTexts(bytes, build, stepBytes);
  const pointer = ((yield* findDuplicate(text, stepBytes)) ?? '').slice(0, 512);
  const message = 'An object names the same key twice.';
  return { code: 'duplicate_key', detail: message, errors: [{ pointer, code: 'duplicate_key', message }] };
}

/** The body with empty texts in the places of long ones, which are no names. */
function* withoutLongTexts(
  bytes: Buffer, { texts }: JsonBuild, stepBytes: number,
): Steps<string> {
  const marks = [...texts.values()].flatMap(({ written: { byteOffset, length } }) => (
    [byteOffset - bytes.byteOffset, byteOffset - bytes.byteOffset + length]
  ));
  const bounds = [0, ...marks, bytes.length];
  let text = '';
  for (let at = 0; at < bounds.length; at += 2) {
    const end = bounds[at + 1] ?? 0;
    for (let from = bounds[at] ?? 0; from < end;) {
      const to = boundaryBefore(bytes, Math.min(from + stepBytes, end));
      text += bytes.toString('utf8', from, to);
      from = to;
      yield;
    }
  }
  return text;
}
