import { describe, expect, it } from 'vitest';
import { jsonFault } from '../../../services/adapters/http/json/body-hints.ts';

const MIB = 1_048_576;

/** The reading of single bytes, counted. */
function counted(bytes: Buffer): { readonly bytes: Buffer; readonly reads: () => number } {
  let reads = 0;
  const watched = new Proxy(bytes, {
    get(target, name) {
      if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) as unknown : value;
    },
  });
  return { bytes: watched, reads: () => reads };
}

describe('a fault of JSON', () => {
  it('has its line and column in the beginning of a body of several lines', () => {
    expect(jsonFault(Buffer.from('{\n "a": x}'), 'A value is expected.', 8))
      .toBe('A value is expected (byte 9, line 2, column 7).');
  });

  it('[GEN-44] has its byte alone behind so much that lines are not counted', () => {
    const bytes = Buffer.alloc(MIB, '\n');
    expect(jsonFault(bytes, 'A value is expected.', MIB - 1))
      .toBe(`A value is expected (byte ${MIB}).`);
  });

  it('names a comma that is one too many, and reads a mebibyte of blanks for none', () => {
    const near = Buffer.from('[1,  ]');
    expect(jsonFault(near, 'A value is missing.', 5)).toContain('The comma before ] is one too many');
    const far = Buffer.alloc(MIB, ' ');
    far.write('[1,', 0);
    far.write(']', MIB - 1);
    const { bytes, reads } = counted(far);
    expect(jsonFault(bytes, 'A value is missing.', MIB - 1)).toContain('A value is missing');
    expect(reads()).toBeLessThan(10_000);
  });
});
