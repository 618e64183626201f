import { describe, expect, it } from 'vitest';
import { auditRow, newestAudits } from '../../../services/adapters/console/browser/audits.ts';

const AUDIT = {
  audit_id: 'a', at: '2026-11-27T11:59:59.000Z', actor: 'ana@ops-1', actor_from: 'system',
  command: 'overflow add', touches: 'overflow',
} as const;
const seconds = (ms: number): string => String(ms / 1_000);

describe('what operators asked for', () => {
  it('is asked for by commands that change something, of 30 days', () => {
    const { pathname, searchParams } = new URL(
      newestAudits('/operator/audits', Date.UTC(2026, 10, 30)), 'https://rastro.example');
    expect(pathname).toBe('/operator/audits');
    expect(Object.fromEntries(searchParams)).toEqual({
      command: 'dlq replay,dlq release,dlq discard,overflow add,overflow rm',
      since: '2026-10-31T00:00:00.000Z', limit: '20',
    });
  });

  it('is a row with nothing where nothing is known', () => {
    expect(auditRow(AUDIT, seconds)).toEqual(['1795780799', 'ana@ops-1', 'overflow add', '', '', '']);
    expect(auditRow({ ...AUDIT, subject: 'provider:acme', records: 5_000, reason: 't' }, seconds))
      .toEqual(['1795780799', 'ana@ops-1', 'overflow add', 'provider:acme', '5,000', 't']);
  });
});
