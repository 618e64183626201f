import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSorted, parseExact, sortedJson } from '../../../services/kernel/exact-json.ts';

describe('JSON with its keys in order', () => {
  it('is what JSON.stringify writes wherever the keys are in order already', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => {
      const ordered: unknown = JSON.parse(sortedJson(value));
      expect(sortedJson(ordered)).toBe(JSON.stringify(ordered));
      if (isSorted(value)) expect(sortedJson(value)).toBe(JSON.stringify(value));
    }));
  });

  it.each([
    ['{"a":1,"b":{"c":2}}', true], ['{"b":1,"a":2}', false], ['[{"a":1,"b":2},{"b":1,"a":2}]', false],
    ['{"a":1.50}', true], ['[]', true], ['{}', true], ['null', true], ['{"a":{"z":1,"y":2}}', false],
  ])('of %s is known to be so: %s', (text, sorted) => {
    expect(isSorted(parseExact(text))).toBe(sorted);
  });
});
