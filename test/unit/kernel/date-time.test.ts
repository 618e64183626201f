import { describe, expect, it } from 'vitest';
import { epochMsOf, isDateTime } from '../../../services/kernel/date-time.ts';
import suite from '../../support/json-schema-test-suite/date-time.json' with { type: 'json' };

const NO_LEAP_SECOND = 'we know no leap second: no store after us could keep it';
const SHORT_OFFSET = 'we also take the offset +03, as decisions say';

/** Cases of the public suite about which our contract is of another opinion. */
const DIFFERENT: Readonly<Record<string, string>> = {
  '1998-12-31T23:59:60Z': NO_LEAP_SECOND,
  '1998-12-31T15:59:60.123-08:00': NO_LEAP_SECOND,
  '1985-04-12T23:20:50+01': SHORT_OFFSET,
};

const cases = suite.flatMap(({ tests }) => tests)
  .flatMap(({ description, data, valid }) =>
    typeof data === 'string' ? [{ description, data, valid }] : []);

describe('a date-time', () => {
  it.each([
    ['2026-11-20T10:00:00Z', true],
    ['2026-11-20T10:00:00+03:00', true],
    ['2026-11-20T10:00:00+0300', true],
    ['2026-11-20T10:00:00+03', true],
    ['2026-11-20T10:00:00.5-03:00', true],
    ['2026-11-20T10:00:00+14:00', true],
    ['2026-11-20T10:00:00-14:00', true],
    ['2026-11-20T10:00:00+14:01', false],
    ['2026-11-20T10:00:00-15', false],
    ['2026-11-20T10:00:00+03:60', false],
    ['2026-11-20T10:00:00+3', false],
    ['2026-11-20T10:00:00+030', false],
    ['2026-11-20T10:00:00', false],
    ['2026-11-20 10:00:00Z', false],
    ['2026-11-20T10:00Z', true],
    ['2026-11-20T10:00+0300', true],
    ['2026-11-20t10:00z', true],
    ['2026-11-20T10:00:00,123456Z', true],
    ['2026-11-20T10:00:00,Z', false],
    ['2026-11-20T10:00.5Z', false],
    ['2026-11-20T10Z', false],
    ['2026-11-20T10:60Z', false],
    ['20261120T100000Z', false],
    ['2026-11-20', false],
    ['2026-W47-5T10:00Z', false],
    ['2026-11-20T10:00:00.Z', false],
    ['2026-11-20T23:59:59Z', true],
    ['2026-11-20T24:00:00Z', false],
    ['2016-12-31T23:59:60Z', false],
    ['0000-01-01T00:00:00Z', false],
    ['0001-01-01T00:00:00Z', true],
    ['2026-02-28T00:00:00Z', true],
    ['2026-02-29T00:00:00Z', false],
    ['2024-02-29T00:00:00Z', true],
    ['1900-02-29T00:00:00Z', false],
    ['2000-02-29T00:00:00Z', true],
    ['2024-02-30T00:00:00Z', false],
    ['2026-04-31T00:00:00Z', false],
    ['2026-13-01T00:00:00Z', false],
    ['2026-00-01T00:00:00Z', false],
    ['2026-01-00T00:00:00Z', false],
    ['', false],
    ['now', false],
  ])('[GEN-25] %s: %s', (text, isValid) => {
    expect(isDateTime(text)).toBe(isValid);
  });

  it.each(cases)('$data of the public suite ($description)', ({ data, valid }) => {
    expect(isDateTime(data)).toBe(data in DIFFERENT ? !valid : valid);
  });

  it('differs from the public suite in nothing but the named cases', () => {
    const differing = cases.filter(({ data, valid }) => isDateTime(data) !== valid);
    expect(differing.map(({ data }) => data).sort()).toEqual(Object.keys(DIFFERENT).sort());
  });

  it('that is accepted can be read by the runtime', () => {
    for (const { data } of cases.filter((sample) => isDateTime(sample.data))) {
      const withColon = data.replace(/([+-]\d\d)(\d\d)?$/, '$1:$2').replace(/:$/, ':00');
      expect(Date.parse(/[+-]\d\d:\d\d$/.test(data) ? data : withColon), data)
        .toBe(epochMsOf(data));
    }
  });

  it.each([
    '2026-11-20T10:15Z', '2026-11-20t10:15:00z', '2026-11-20T10:15:00,000Z',
    '2026-11-20T07:15-0300', '2026-11-20T07:15:00.0009-03',
  ])('[GEN-25] of the same moment is the same: %s', (text) => {
    expect(epochMsOf(text)).toBe(Date.UTC(2026, 10, 20, 10, 15));
  });
});
