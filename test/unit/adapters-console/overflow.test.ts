import { describe, expect, it } from 'vitest';
import { decisionRow, moveBody } from '../../../services/adapters/console/browser/overflow.ts';

const WORDS = { states: { in: 'in overflow', out: 'kept out' }, by: { operator: 'op', writer: 'tw' } };
const seconds = (ms: number): string => String(ms / 1_000);
const SINCE = '2026-11-27T12:00:00.000Z';
const MOVE = { kind: 'provider', name: ' acme ', state: 'in', minutes: '120', reason: 't 7' } as const;

describe('a move by the console', () => {
  it('holds for a time where it is of a provider and one is chosen', () => {
    expect(moveBody(MOVE)).toEqual({ subject: 'provider:acme', state: 'in', minutes: 120, reason: 't 7' });
    expect(moveBody({ ...MOVE, minutes: '', state: 'out' }))
      .toEqual({ subject: 'provider:acme', state: 'out', reason: 't 7' });
    expect(moveBody({ ...MOVE, kind: 'device', name: 'd1' }))
      .toEqual({ subject: 'device:d1', state: 'in', reason: 't 7' });
  });
});

describe('a decision as a row', () => {
  it('has about whom, which way, by whom, since when, until when and why', () => {
    const subject = 'provider:acme';
    expect(decisionRow({
      subject, state: 'in', by: 'writer', since: SINCE, until: '2026-11-27T12:10:00.000Z', reason: 'floods',
    }, WORDS, seconds)).toEqual([subject, 'in overflow', 'tw', '1795780800', '1795781400', 'floods']);
    expect(decisionRow({ subject, state: 'out', by: 'operator', since: SINCE }, WORDS, seconds))
      .toEqual([subject, 'kept out', 'op', '1795780800', '', '']);
  });
});
