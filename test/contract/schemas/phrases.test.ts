import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../schemas/generated/catalog.ts';
import { bundleOf } from '../../../schemas/bundles.ts';
import { phraseOfPattern } from '../../../schemas/phrases.ts';

const titles = new Set(Object.values(OPERATIONS).flatMap(({ request }) => (
  request === null ? [] : [request.schema])));
const patterns = [...titles].flatMap((title) => (
  patternsIn(bundleOf(title)).map((pattern) => [title, pattern] as const)));

describe('a pattern of a body that comes in', () => {
  it.each(patterns)('of %s: %s has a phrase that people read', (_title, pattern) => {
    expect(phraseOfPattern(pattern)).toMatch(/^(be|have) [^^$\\]+$/);
  });

  it('is one of several, and another pattern has no phrase', () => {
    expect(new Set(patterns.map(([, pattern]) => pattern)).size).toBeGreaterThan(5);
    expect(phraseOfPattern('^no-such-pattern$')).toBeUndefined();
  });

  it('keeps its phrase out of what validates and what is registered', () => {
    for (const title of titles) expect(JSON.stringify(bundleOf(title))).not.toContain('x-phrase');
  });
});

/** Patterns that can be reported; those of an `if` only choose a branch. */
function patternsIn(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { pattern, if: _, ...rest } = node as Readonly<Record<string, unknown>>;
  return [
    ...(typeof pattern === 'string' ? [pattern] : []), ...Object.values(rest).flatMap(patternsIn),
  ];
}
