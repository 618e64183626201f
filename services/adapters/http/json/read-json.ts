import { isUtf8 } from 'node:buffer';
import { withoutNulls } from '../../../kernel/exact-json.ts';
import type { Refusal } from '../../../kernel/http.ts';
import { countMembers, firstDuplicate } from '../../../kernel/json-duplicates.ts';
import { parseLongs } from '../../../kernel/longs.ts';
import { BODY_DEPTH_MAX } from '../../../kernel/limits.ts';
import type { JsonFault } from './cursor.ts';
import { scanJson } from './scan.ts';

/** A body that was read: its value and its canonical bytes, or why it cannot be read. */
export type JsonReading =
  | { readonly ok: true; readonly value: unknown; readonly canonical: Uint8Array }
  | { readonly ok: false; readonly refusal: Refusal };

/** Reads bytes as exactly one JSON value; never throws. */
export type ReadJson = (bytes: Buffer) => JsonReading;

/** The steps of one reading, between which others may have their turn. */
export type JsonSteps = Generator<undefined, JsonReading, undefined>;

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

/** Takes all steps of a reading at once. */
export function finish(steps: JsonSteps): JsonReading {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** The same in steps, for bodies so large that each of them takes milliseconds. */
export function createJsonSteps(depthMax: number): (bytes: Buffer) => JsonSteps {
  return function* readInSteps(bytes) {
    if (!isUtf8(bytes)) {
      return refused({ code: 'invalid_encoding', detail: 'The body is not valid UTF-8.' });
    }
    const scan = scanJson(bytes, depthMax);
    if (!scan.ok) return refused(refusalOf(scan.fault));
    yield;
    // Only of what is accepted: a text of megabytes is work for the collector too.
    const text = bytes.toString('utf8');
    yield;
    const value: unknown = scan.hasLong ? parseLongs(text) : JSON.parse(text);
    yield;
    if (countMembers(value) !== scan.members) return refused(duplicateIn(text));
    const kept = text.includes('null') ? withoutNulls(value) : value;
    yield;
    return accepted(kept);
  };
}

/** Written only for who asks: writing a text of megabytes takes longer than reading it. */
function accepted(value: unknown): JsonReading {
  let written: Uint8Array | undefined;
  return {
    ok: true, value, get canonical() { return written ??= Buffer.from(JSON.stringify(value)); },
  };
}

function refused(refusal: Refusal): JsonReading {
  return { ok: false, refusal };
}

function refusalOf({ code, detail, at, pointer }: JsonFault): Refusal {
  const message = `${detail.slice(0, -1)} (byte ${at + 1}).`;
  return { code, detail: message, errors: [{ pointer, code, message }] };
}

function duplicateIn(text: string): Refusal {
  const pointer = (firstDuplicate(text) ?? '').slice(0, 512);
  const message = 'An object names the same key twice.';
  return { code: 'duplicate_key', detail: message, errors: [{ pointer, code: 'duplicate_key', message }] };
}
