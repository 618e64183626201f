import { describe, expect, it } from 'vitest';
import { createIds, systemClock } from '../../../services/adapters/system/system.ts';

describe('ids', () => {
  it('of calls are UUIDs of version 7 that carry the time of the clock', () => {
    const ids = createIds({ nowMs: () => 0x0198_c0de_0102 });
    expect(ids.ingestId()).toMatch(
      /^0198c0de-0102-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  it('sort by the time they were made', () => {
    let nowMs = 1_764_000_000_000;
    const ids = createIds({ nowMs: () => nowMs++ });
    const made = Array.from({ length: 50 }, () => ids.ingestId());
    expect([...made].sort()).toEqual(made);
  });

  it('do not repeat, across many pieces of randomness', () => {
    const ids = createIds(systemClock);
    const made = Array.from({ length: 5_000 }, (_, at) => (at % 2 ? ids.nonce() : ids.ingestId()));
    expect(new Set(made).size).toBe(made.length);
  });
});
