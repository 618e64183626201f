import { describe, expect, it } from 'vitest';
import { longOf, parseLongs, writtenLong } from '../../../services/kernel/longs.ts';

const MOST = '9223372036854775807';

describe('a Long', () => {
  it('[GEN-34] has one form, however it was sent', () => {
    for (const sent of [42, '42']) expect(longOf(sent)).toBe(42);
    expect(Object.is(longOf('-0'), 0)).toBe(true);
    expect(longOf('9007199254740991')).toBe(9_007_199_254_740_991);
    for (const text of ['9007199254740992', MOST, `-${MOST}`]) expect(longOf(text)).toBe(text);
  });

  it('[GEN-34] is written as a JSON number of all its digits', () => {
    const body = { id: writtenLong(MOST), other: writtenLong('7'), third: writtenLong(8) };
    expect(JSON.stringify(body)).toBe(`{"id":${MOST},"other":7,"third":8}`);
  });

  it('[GEN-34] is read as its digits where no number is exact', () => {
    expect(parseLongs(`{"a":[${MOST},9007199254740991,"x",1.5]}`))
      .toEqual({ a: [MOST, 9_007_199_254_740_991, 'x', 1.5] });
  });
});
