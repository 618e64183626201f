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

/**
 * Makes the exact reader (design.md, Raw bytes or canonical bytes). What it accepts is valid UTF-8
 * without a byte order mark, one JSON value, no deeper than `depthMax`, no key twice, no number
 * that cannot be kept, no NUL and no unpaired surrogate. Members that are null are left out of the
 * value. `canonical` is the value written again, so nothing that was not checked can hide in it; a
 * Long above 2^53-1 is in both as its digits.
 */
export function createReadJson(depthMax: number = BODY_DEPTH_MAX): ReadJson {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

  function decode(bytes: Buffer): string | undefined {
    try {
      return decoder.decode(bytes);
    } catch {
      return undefined;
    }
  }

  return function readJson(bytes) {
    const text = decode(bytes);
    if (text === undefined) {
      return refused({ code: 'invalid_encoding', detail: 'The body is not valid UTF-8.' });
    }
    const scan = scanJson(bytes, depthMax);
    if (!scan.ok) return refused(refusalOf(scan.fault));
    const value: unknown = scan.hasLong ? parseLongs(text) : JSON.parse(text);
    if (countMembers(value) !== scan.members) return refused(duplicateIn(text));
    if (!text.includes('null')) {
      return { ok: true, value, canonical: Buffer.from(JSON.stringify(value)) };
    }
    const kept = withoutNulls(value);
    return { ok: true, value: kept, canonical: Buffer.from(JSON.stringify(kept)) };
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
