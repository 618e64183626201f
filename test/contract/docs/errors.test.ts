import { describe, expect, it } from 'vitest';
import { problemErrors } from '../../../services/gateways/common/problem.ts';
import { CODES, KIND_ACTIONS, type Code } from '../../../services/kernel/codes.ts';
import { readTables } from './page-tables.ts';

const HEAD = ['Code', 'Kind', 'RTT status', 'Repeat', 'Meaning'];
const KINDS = ['Kind', 'Means', 'The caller'];
const REASONS = ['Code', 'Taken all the same, it would'];

/** The row as it follows from the table of codes and from the error body of the gateways. */
function rowOf(code: Code): string[] {
  const { kind, retryable, meaning } = CODES[code];
  const { status } = problemErrors.write({ code, detail: meaning }, 'r', '/');
  // A poisoned record has no caller who could get an answer.
  const shown = kind === 'poison' ? '—' : String(status);
  return [`\`${code}\``, kind, shown, retryable ? 'yes' : 'no', meaning];
}

describe('docs/reference/errors.md', () => {
  const rows = readTables('reference/errors.md', HEAD).map(({ cells }) => [...cells]);
  const codes = Object.keys(CODES) as Code[];

  it.each(codes)('is right about %s', (code) => {
    expect(rows.filter(([name]) => name === `\`${code}\``)).toEqual([rowOf(code)]);
  });

  it('says what a caller does as the pages of the codes do', () => {
    const actions = readTables('reference/errors.md', KINDS).map(({ cells }) => cells);
    expect(Object.fromEntries(actions.map(([kind, , does]) => [kind, does]))).toEqual(KIND_ACTIONS);
  });

  it('says why each 400 and 403 cannot be tolerated', () => {
    const refusing = codes.filter((code) => ['invalid', 'denied'].includes(CODES[code].kind));
    const reasons = readTables('reference/errors.md', REASONS).map(({ cells }) => cells);
    expect(reasons.map(([name]) => name)).toEqual(refusing.map((code) => `\`${code}\``));
    expect(reasons.filter(([, reason = '']) => reason.length < 20)).toEqual([]);
  });

  it('lists every code once, in the order of the table, and no other', () => {
    expect(rows.map(([name]) => name)).toEqual(codes.map((code) => `\`${code}\``));
  });
});
