import { describe, expect, it } from 'vitest';
import { decideFlood, type FloodWindow } from '../../../services/domain/overflow/flood.ts';
import { isMoved } from '../../../services/domain/overflow/provider-overflow.ts';
import { loadSchemas } from '../../../services/adapters/schema/load-schemas.ts';
import type { OverflowRecorded, ProviderDecisions } from '../../../services/kernel/overflow.ts';
import { FLOOD_LIMITS } from '../../../services/workers/table-writer/overflow/config.ts';

const NOW = 1_764_000_000_000;
const MINUTE = 60_000;

/** Ten seconds in which acme had 90 of 100 parts of the fixes, half a minute late. */
function aWindow(change: Partial<FloodWindow> = {}): FloodWindow {
  return {
    fixes: new Map([['calm', 10_000], ['acme', 90_000]]), hasOthers: () => true,
    lateMs: 30_000, seconds: 10, partitions: 12, ...change,
  };
}

function decision(change: Partial<OverflowRecorded> = {}): OverflowRecorded {
  return {
    type: 'OverflowRecorded', provider: 'acme', by: 'writer', state: 'in', version: 3, at_ms: NOW,
    ends_at_ms: NOW + 10 * MINUTE, fixes_per_second: 750, ...change,
  };
}

const decide = (window: FloodWindow, known: ProviderDecisions = {}, nowMs = NOW) => decideFlood(
  FLOOD_LIMITS, window, { providers: new Map([['acme', known]]) }, nowMs,
);

describe('[GEN-68] A provider that floods', () => {
  it('is moved for ten minutes, with the reason and its rate in a partition', () => {
    const decided = decide(aWindow());
    expect(decided).toMatchObject({ kind: 'happened', events: [{
      provider: 'acme', by: 'writer', state: 'in', version: 1, at_ms: NOW,
      ends_at_ms: NOW + 10 * MINUTE, fixes_per_second: 750,
    }] });
    const fact = decided.kind === 'happened' ? decided.events[0] : undefined;
    expect(loadSchemas().checkOf('OverflowRecorded')(fact)).toBeUndefined();
  });

  it.each<[string, Partial<FloodWindow>]>([
    ['the writer is not half a minute late', { lateMs: 29_999 }],
    ['it has less than half of the fixes', { fixes: new Map([
      ['acme', 49_999], ['calm', 25_001], ['mild', 25_000],
    ]) }],
    ['there are too few fixes to decide', { fixes: new Map([['acme', 999]]) }],
    ['no other provider sends anything', { hasOthers: () => false }],
    ['nothing came', { fixes: new Map() }],
  ])('is not moved while %s', (_, change) => {
    expect(decide(aWindow(change))).toEqual({ kind: 'unchanged' });
  });

  it('is moved with exactly half of the fixes and exactly the fewest', () => {
    const fixes = new Map([['acme', 1_000], ['calm', 600], ['mild', 400]]);
    expect(decide(aWindow({ fixes }))).toMatchObject({ kind: 'happened' });
  });

  it('is the same one for every writer, where two have as much', () => {
    const halves = [['acme', 5_000], ['calm', 5_000]] as const;
    for (const fixes of [new Map(halves), new Map(halves.toReversed())]) {
      expect(decide(aWindow({ fixes }))).toMatchObject({ events: [{ provider: 'acme' }] });
    }
  });
});

describe('[GEN-68] A provider that was moved', () => {
  const nearEnd = NOW + 5 * MINUTE;

  it('stays for longer while it sends as much, though the writer keeps up', () => {
    const lasting = aWindow({ lateMs: 0 });
    expect(decide(lasting, { writer: decision() }, nearEnd)).toMatchObject({ events: [{
      version: 4, at_ms: nearEnd, ends_at_ms: nearEnd + 10 * MINUTE, fixes_per_second: 750,
    }] });
    expect(decide(lasting, { writer: decision() }, nearEnd - 1)).toEqual({ kind: 'unchanged' });
  });

  it('does not stay when its flood has ended, and is back after ten minutes', () => {
    const less = aWindow({ lateMs: 0, fixes: new Map([['acme', 80_000]]) });
    expect(decide(less, { writer: decision() }, nearEnd)).toEqual({ kind: 'unchanged' });
    expect(isMoved({ writer: decision() }, NOW + 10 * MINUTE - 1)).toBe(true);
    expect(isMoved({ writer: decision() }, NOW + 10 * MINUTE)).toBe(false);
  });

  it('is moved again, with a later version, when it floods after that', () => {
    expect(decide(aWindow(), { writer: decision() }, NOW + 10 * MINUTE))
      .toMatchObject({ events: [{ version: 4 }] });
  });

  it('takes the blame for the delay, and none that has less beside it', () => {
    const beside = new Map([['acme', 50_000], ['second', 49_000], ['calm', 1_000]]);
    expect(decide(aWindow({ fixes: beside }), { writer: decision() })).toEqual({ kind: 'unchanged' });
  });
});

describe('[GEN-68] A decision of an operator', () => {
  const operator = (state: 'in' | 'out', endsMs?: number): OverflowRecorded => ({
    type: 'OverflowRecorded', provider: 'acme', by: 'operator', state, version: 1, at_ms: NOW,
    ...(endsMs === undefined ? {} : { ends_at_ms: endsMs }),
  });

  it.each(['in', 'out'] as const)('%s counts, and writers decide nothing until its end', (state) => {
    const known = { operator: operator(state, NOW + MINUTE), writer: decision() };
    expect(isMoved(known, NOW)).toBe(state === 'in');
    expect(decide(aWindow(), known)).toEqual({ kind: 'unchanged' });
    expect(decide(aWindow(), { ...known, writer: decision({ ends_at_ms: NOW }) }, NOW + MINUTE))
      .toMatchObject({ kind: 'happened' });
  });

  it('without an end forbids moving the provider until the next one', () => {
    expect(decide(aWindow(), { operator: operator('out') }, NOW + 1_000 * MINUTE))
      .toEqual({ kind: 'unchanged' });
  });
});
