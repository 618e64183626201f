import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isSorted, parseExact, sortedJson, withLongsAsNumbers,
} from '../../../services/kernel/exact-json.ts';
import { parseLongs } from '../../../services/kernel/longs.ts';

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

describe('A body whose long integers are texts', () => {
  it.each([
    ['{"a":9007199254740993,"b":"9007199254740993","c":1.50}', { a: 1, b: '9007199254740993', c: 1.5 }],
    ['[{"a":[0,9007199254740993]},{"a":[2]}]', [{ a: [0, 1] }, { a: [2] }]],
    ['{"__proto__":-9007199254740993,"b":1}', JSON.parse('{"__proto__":1,"b":1}')],
    ['9007199254740993', 1],
  ])('is asked about with numbers in their stead: %s', (text, asked) => {
    expect(withLongsAsNumbers(parseLongs(text), parseExact(text))).toEqual(asked);
  });

  it('stays the very same where it has none', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify({ value, decimal: 1 }).replace(/1\}$/v, '1.50}');
      const parsed = parseLongs(text);
      fc.pre(JSON.stringify(parsed) === JSON.stringify(JSON.parse(text)));
      expect(withLongsAsNumbers(parsed, parseExact(text))).toBe(parsed);
    }));
  });
});
