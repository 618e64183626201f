import { describe, expect, it } from 'vitest';
import {
  ASKS_PER_HOUR_MAX, decideAsk, isInProgress, PROGRESS_MS_MAX,
} from '../../../services/domain/examination/examination.ts';
import { isOwnParty } from '../../../services/domain/examination/own-parties.ts';

const NOW = 1_764_000_000_000;
const HOUR_MS = 3_600_000;

describe('asking for an examination', () => {
  it('waits for the one in progress, as long as one may take', () => {
    const newest = { askedAtMs: NOW - 30_000, endedAtMs: undefined };
    expect(decideAsk({ times: [NOW - 30_000], newest }, NOW))
      .toEqual({ kind: 'wait', because: 'in_progress', retryAfterSeconds: 150 });
    expect(decideAsk({ times: [], newest: { ...newest, endedAtMs: NOW } }, NOW))
      .toEqual({ kind: 'ask', times: [NOW] });
  });

  it('does not wait for one that no process ended', () => {
    const newest = { askedAtMs: NOW - PROGRESS_MS_MAX, endedAtMs: undefined };
    expect(isInProgress(newest, NOW)).toBe(false);
    expect(isInProgress(newest, NOW - 1)).toBe(true);
    expect(decideAsk({ times: [newest.askedAtMs], newest }, NOW)).toMatchObject({ kind: 'ask' });
  });

  it('is refused once so many began within an hour, until the first of them is older', () => {
    const times = Array.from({ length: ASKS_PER_HOUR_MAX }, (_, at) => NOW - HOUR_MS + 1 + at);
    const newest = { askedAtMs: NOW - 1, endedAtMs: NOW };
    expect(decideAsk({ times, newest }, NOW))
      .toEqual({ kind: 'wait', because: 'hour', retryAfterSeconds: 1 });
    const later = decideAsk({ times, newest }, NOW + 1);
    expect(later).toMatchObject({ kind: 'ask' });
    expect(later.kind === 'ask' && later.times).toHaveLength(ASKS_PER_HOUR_MAX);
  });
});

describe('a party of one\'s own', () => {
  it.each([
    [true, { status: 'active', client_id: '100000000000042' }],
    [false, { status: 'disabled', client_id: '100000000000042' }],
    [false, { status: 'active', client_id: '100000000000043' }],
    [false, { status: 'active' }],
  ] as const)('is %s of %j', (isOwn, party) => {
    expect(isOwnParty(party, '100000000000042')).toBe(isOwn);
  });
});
