import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { safePattern } from '../../../services/adapters/schema/safe-pattern.ts';
import { BODY_BYTES_MAX } from '../../../services/kernel/limits.ts';
import { TOPICS } from '../../../schemas/generated/catalog.ts';

/** What no text in a record can be longer than. */
const RECORD_BYTES_MAX = Math.max(...Object.values(TOPICS).map((topic) => topic.message_bytes_max));
/** Patterns only of bodies that are this long at most. */
const OF_SMALL_BODIES = new Set(['base64-id.json']);
/** What a pattern may repeat, so that one of these makes it run as long as it can. */
const TEXTS = ['a', 'A', '0', '-', '_', '.', ' ', '/', 'aB3_', 'a b', 'é', '+', '0.'];

/** Keeps two ways to go back for each letter. */
const GOES_BACK = '^(?:(a)|(b))*$';

const DIR = 'schemas';
const patterns = readdirSync(DIR, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.json') && !file.startsWith('generated'))
  .flatMap((file) => patternsIn(JSON.parse(readFileSync(join(DIR, file), 'utf8')))
    .map((pattern) => ({ file, pattern })));

/** Made once: to make texts of 16 MiB takes several times as long as to test them. */
const longTexts = new Map<string, string>();
afterAll(() => { longTexts.clear(); });

function longestOf(text: string, bytes: number): string {
  const key = `${text} ${bytes}`;
  const longest = longTexts.get(key) ?? text.repeat(bytes / text.length);
  longTexts.set(key, longest);
  return longest;
}

describe('a pattern of a schema', () => {
  it.each(patterns)('$pattern of $file takes the longest text', ({ file, pattern }) => {
    const bytes = OF_SMALL_BODIES.has(file.split('/').at(-1) ?? '')
      ? BODY_BYTES_MAX : RECORD_BYTES_MAX;
    const safe = safePattern(pattern, 'u');
    for (const text of TEXTS) {
      expect(() => safe.test(longestOf(text, bytes)), `with ${JSON.stringify(text)}`).not.toThrow();
    }
  });

  it('that fills the stack of V8 does not match, and throws nothing', () => {
    const longest = 'ab'.repeat(RECORD_BYTES_MAX);
    expect(() => new RegExp(GOES_BACK, 'u').test(longest)).toThrow(RangeError);
    expect(safePattern(GOES_BACK, 'u').test(longest)).toBe(false);
    expect(safePattern(GOES_BACK, 'u').test('abab')).toBe(true);
  });
});

function patternsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = (value as { readonly pattern?: unknown }).pattern;
  return [
    ...(typeof own === 'string' ? [own] : []), ...Object.values(value).flatMap(patternsIn),
  ];
}
