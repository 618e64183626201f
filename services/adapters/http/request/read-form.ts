import type { Refusal } from '../../../kernel/http.ts';
import { pointerStep } from '../../../kernel/json-duplicates.ts';

/** A form body as an object of texts, or why it cannot be read. */
export type FormReading =
  | { readonly ok: true; readonly value: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly refusal: Refusal };

/**
 * Reads `application/x-www-form-urlencoded`. A name that comes twice is refused, because no one
 * could say which of the two was meant.
 */
export function readForm(bytes: Uint8Array): FormReading {
  const pairs: [string, string][] = [];
  const names = new Set<string>();
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    for (const pair of text.split('&')) {
      if (pair === '') continue;
      const equals = pair.indexOf('=');
      const name = decoded(equals < 0 ? pair : pair.slice(0, equals));
      if (names.has(name)) {
        return refused(twice(name));
      }
      names.add(name);
      pairs.push([name, equals < 0 ? '' : decoded(pair.slice(equals + 1))]);
    }
  } catch {
    return refused({ code: 'invalid_encoding', detail: 'The form is not valid UTF-8.' });
  }
  return { ok: true, value: Object.fromEntries(pairs) };
}

/** Names of the interface are short. */
const NAME_CHARACTERS_MAX = 64;

function twice(name: string): Refusal {
  const message = 'The form names the same field twice.';
  const pointer = `/${pointerStep(name.slice(0, NAME_CHARACTERS_MAX))}`;
  return {
    code: 'duplicate_key', detail: message, errors: [{ pointer, code: 'duplicate_key', message }],
  };
}

function decoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

function refused(refusal: Refusal): FormReading {
  return { ok: false, refusal };
}
