import { describe, expect, it } from 'vitest';
import {
  CALL_ERROR_CODES, DENIAL_ERROR_CODES, FIELD_ERROR_CODES, fieldErrorCode,
} from '../../../services/gateways/authorization/error-codes.ts';
import { CODES, type Code } from '../../../services/kernel/codes.ts';
import { readTables } from './page-tables.ts';

const PAGE = 'reference/authorization-errors.md';
const PATTERN = /^invalid_[a-z]+(?:_[a-z]+)*_information\.[a-z]+(?:_[a-z]+)*$/;

describe('docs/reference/authorization-errors.md', () => {
  it('[AUTH-39] lists every error code about a field, in the order of the table', () => {
    const rows = readTables(PAGE, ['Error code', 'Where', 'Meaning']).map(({ cells }) => cells);
    expect(rows).toEqual(FIELD_ERROR_CODES.map(({ error_code, pointer, meaning }) => (
      [`\`${error_code}\``, pointer === '' ? '—' : `\`${pointer}\``, meaning]
    )));
  });

  it('[AUTH-39] lists every error code about a call as a whole', () => {
    const rows = readTables(PAGE, ['Error code', 'Own code', 'Meaning']).map(({ cells }) => cells);
    expect(rows).toEqual(Object.entries(CALL_ERROR_CODES).map(([code, errorCode]) => (
      [`\`${errorCode}\``, `\`${code}\``, CODES[code as Code].meaning]
    )));
  });

  it('[AUTH-39] has only codes of the pattern, beside the two of the tokens', () => {
    const codes = [
      ...FIELD_ERROR_CODES.map(({ error_code }) => error_code), ...Object.values(CALL_ERROR_CODES),
    ];
    for (const code of codes) expect(code).toMatch(PATTERN);
    expect(Object.values(DENIAL_ERROR_CODES)).toEqual(['unauthorized', 'forbidden']);
    expect(new Set(FIELD_ERROR_CODES.map(({ pointer }) => pointer)).size)
      .toBe(FIELD_ERROR_CODES.length);
  });

  it('[AUTH-39] finds the row of any place, the nearest one above it', () => {
    const place = '/shipment_information/receiver';
    expect(fieldErrorCode(`${place}/address/city`, false)).toBe('invalid_address_information.buyer');
    expect(fieldErrorCode(`${place}/address/city`, true)).toBe('invalid_address_information.seller');
    expect(fieldErrorCode(`${place}s`, false)).toBe('invalid_shipment_information.form');
    expect(fieldErrorCode('/unknown', false)).toBe('invalid_request_information.form');
  });
});
