import { describe, expect, it } from 'vitest';
import {
  blamedLine, DATA_FAULT_CODES, dataFault,
} from '../../../services/adapters/clickhouse/answers.ts';

describe('codes of the store', () => {
  it('knows every code that refuses data by name', () => {
    expect(DATA_FAULT_CODES).toHaveLength(22);
    for (const code of DATA_FAULT_CODES) expect(dataFault(code)).toMatch(/^[A-Z_]+$/);
  });

  it.each([
    3, 33, 60, 62, 81, 95, 115, 159, 164, 173, 202, 203, 209, 210, 236, 241, 242, 243, 252, 290,
    319, 394, 425, 439, 473, 497, 516, 734, 745, 999, Number.NaN,
  ])('never gives a record up because of code %d', (code) => {
    expect(dataFault(code)).toBeUndefined();
  });
});

describe('the blamed line', () => {
  it.each([
    ['Cannot parse input: (at row 1)\n', 3, 0],
    ['before: "(at row 1)": (at row 3)\n: While executing', 3, 2],
    ['(at row 4)', 3, undefined],
    ['(at row 0)', 3, undefined],
    ['no row', 3, undefined],
  ])('%j of %i lines is %s', (message, lines, line) => {
    expect(blamedLine(message, lines)).toBe(line);
  });
});
