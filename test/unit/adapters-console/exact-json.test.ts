import { describe, expect, it } from 'vitest';
import { parseExact } from '../../../services/adapters/console/browser/exact-json.ts';

describe('JSON as the console reads it', () => {
  it.each([
    ['{"id":9223372036854775807}', { id: '9223372036854775807' }],
    ['{"id":-9007199254740993}', { id: '-9007199254740993' }],
    ['[9007199254740991, 12]', [9_007_199_254_740_991, 12]],
    ['{"at":-23.5505200000000001,"far":1e300}', { at: -23.55052, far: 1e300 }],
    [
      '{"id":"9223372036854775807","n":9007199254740993,"far":1e300}',
      { id: '9223372036854775807', n: '9007199254740993', far: 1e300 },
    ],
  ])('keeps each digit of %s', (text, value) => {
    expect(parseExact(text)).toEqual(value);
  });

  it('throws at what is no JSON', () => {
    expect(() => parseExact('{"id":9223372036854775807')).toThrow(SyntaxError);
  });
});
