import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalNumber, isSameNumber,
} from '../../../services/domain/journey/canonical-number.ts';

const INVISIBLE = ['\u200b', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u200e', '\ufe0f', '\u034f'];
const BLANKS = [' ', '\u00a0', '\u3000', '\u2003'];
const plainNumbers = fc.stringMatching(/^[0-9A-Z][0-9A-Z -]{0,30}[0-9A-Z]$/);
const anyText = fc.string({ unit: 'binary', minLength: 1, maxLength: 255 });

/** The same characters, as wide as a Chinese one. */
const wide = (text: string): string => Array.from(text, (character) => (
  character === ' ' ? '\u3000' : String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0)
)).join('');

/** One of the ways in which people and their systems write a number. */
const spellings = plainNumbers.chain((number) => fc.record({
  number: fc.constant(number),
  spelling: fc.record({
    isLower: fc.boolean(), isWide: fc.boolean(),
    cut: fc.nat({ max: number.length }),
    between: fc.constantFrom('', ...INVISIBLE), around: fc.constantFrom('', ...BLANKS),
  }).map(({ isLower, isWide, cut, between, around }) => {
    const cased = isLower ? number.toLowerCase() : number;
    const written = isWide ? wide(cased) : cased;
    return `${around}${written.slice(0, cut)}${between}${written.slice(cut)}${around}`;
  }),
}));

describe('The canonical form of a tracking number', () => {
  it('[NOT-45] is one for every case and width, with invisible characters and blanks around', () => {
    fc.assert(fc.property(spellings, ({ number, spelling }) => {
      expect(canonicalNumber(spelling)).toBe(canonicalNumber(number));
      expect(isSameNumber(spelling, number)).toBe(true);
    }), { numRuns: 500 });
  });

  it('[NOT-45] is its own canonical form, whatever was sent', () => {
    fc.assert(fc.property(anyText, (text) => {
      const form = canonicalNumber(text);
      expect(canonicalNumber(form)).toBe(form);
    }), { numRuns: 2_000 });
  });

  it('[NOT-45] never grows out of what may be a number, and is never empty for one', () => {
    fc.assert(fc.property(anyText, (text) => {
      const form = canonicalNumber(text);
      expect(form.length).toBeLessThanOrEqual(255);
      if (text.trim() !== '') expect(form).not.toBe('');
    }), { numRuns: 1_000 });
  });

  it.each([
    ['\u200b', '\u200b'],
    ['\ufdfa'.repeat(200), '\ufdfa'.repeat(200)],
    ['a b', 'A B'],
    ['RS-1', 'RS-1'],
    ['stra\u00dfe', 'STRASSE'],
  ])('[NOT-45] of %j is %j', (sent, form) => {
    expect(canonicalNumber(sent)).toBe(form);
  });

  it('[NOT-45] keeps numbers apart that differ in a blank or a mark inside', () => {
    expect(isSameNumber('RS 1', 'RS1')).toBe(false);
    expect(isSameNumber('RS-1', 'RS1')).toBe(false);
  });
});
