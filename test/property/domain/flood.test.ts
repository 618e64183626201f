import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideFlood, type FloodWindow } from '../../../services/domain/overflow/flood.ts';
import { isMoved } from '../../../services/domain/overflow/provider-overflow.ts';
import type { OverflowRecorded, ProviderDecisions } from '../../../services/kernel/overflow.ts';
import { readOverflow } from '../../../services/kernel/read-overflow.ts';
import { FLOOD_LIMITS } from '../../../services/workers/table-writer/overflow/config.ts';
import { aLogRecord, fakeLogReader } from '../../support/fake-log-reader.ts';

const START = 1_764_000_000_000;
const NAMES = ['acme', 'calm', 'mild'];

const windows = fc.record({
  fixes: fc.dictionary(fc.constantFrom(...NAMES), fc.nat(200_000)),
  lateMs: fc.nat(120_000), seconds: fc.integer({ min: 15, max: 60 }),
  partitions: fc.integer({ min: 1, max: 12 }), others: fc.boolean(),
}).map(({ fixes, others, ...rest }): FloodWindow => (
  { ...rest, fixes: new Map(Object.entries(fixes)), hasOthers: () => others }
));

type Known = Map<string, ProviderDecisions>;

/** One writer that decides at the end of each window; the time of each, and what was decided. */
function follow(steps: readonly FloodWindow[], known: Known = new Map()) {
  let nowMs = START;
  return steps.map((window) => {
    nowMs += window.seconds * 1_000;
    const before = new Map(known);
    const decided = decideFlood(FLOOD_LIMITS, window, { providers: known }, nowMs);
    const fact = decided.kind === 'happened' ? decided.events[0] : undefined;
    if (fact?.provider !== undefined) {
      known.set(fact.provider, { ...known.get(fact.provider), writer: fact });
    }
    return { nowMs, window, before, fact };
  });
}

const partOf = ({ fixes }: FloodWindow, provider: string): number => (
  (fixes.get(provider) ?? 0) / [...fixes.values()].reduce((sum, each) => sum + each, 0)
);

describe('[GEN-68] Whatever providers send', () => {
  it('none is moved while the writer keeps up, and none that has less than half of it', () => {
    fc.assert(fc.property(fc.array(windows, { maxLength: 60 }), (steps) => {
      for (const { nowMs, window, before, fact } of follow(steps)) {
        if (fact?.provider === undefined) continue;
        expect(partOf(window, fact.provider)).toBeGreaterThanOrEqual(0.5);
        if (!isMoved(before.get(fact.provider) ?? {}, nowMs)) {
          expect(window.lateMs).toBeGreaterThanOrEqual(FLOOD_LIMITS.lateMsMin);
        }
      }
    }), { numRuns: 1_000 });
  });

  it('all are back ten minutes after the flood ended', () => {
    fc.assert(fc.property(fc.array(windows, { maxLength: 60 }), (steps) => {
      const known: Known = new Map();
      const last = follow(steps, known).at(-1)?.nowMs ?? START;
      const calm = new Map(NAMES.map((name) => [name, 500]));
      const calmSteps = Array.from({ length: 40 }, (): FloodWindow => (
        { fixes: calm, hasOthers: () => true, lateMs: 60_000, seconds: 15, partitions: 12 }
      ));
      expect(follow(calmSteps, known).filter(({ fact }) => fact !== undefined)).toEqual([]);
      for (const decisions of known.values()) {
        expect(isMoved(decisions, last + FLOOD_LIMITS.holdMs)).toBe(false);
      }
    }), { numRuns: 500 });
  });

  it('what an operator decided counts while it holds, in whatever order the facts are', async () => {
    await fc.assert(fc.asyncProperty(
      fc.array(windows, { minLength: 1, maxLength: 30 }),
      fc.constantFrom('in' as const, 'out' as const), fc.nat(30),
      async (steps, state, at) => {
        const facts: OverflowRecorded[] = follow(steps).flatMap(({ fact }) => fact ?? []);
        const operator: OverflowRecorded = {
          type: 'OverflowRecorded', provider: 'acme', by: 'operator', state, version: 1, at_ms: START,
        };
        const log = facts.toSpliced(at, 0, operator);
        const { providers } = await readOverflow(fakeLogReader(
          log.map((fact, offset) => aLogRecord('decisions', offset, fact)),
        ), 'decisions');
        expect(isMoved(providers.get('acme') ?? {}, START)).toBe(state === 'in');
      },
    ), { numRuns: 300 });
  });

  it('writers that decide the same, in any order, leave the provider moved once', async () => {
    const several = fc.integer({ min: 2, max: 4 });
    const apart = fc.nat(14_000);
    await fc.assert(fc.asyncProperty(windows, several, apart, async (window, writers, apartMs) => {
      const facts = Array.from({ length: writers }, (_, at) => decideFlood(
        FLOOD_LIMITS, window, { providers: new Map() }, START + at * apartMs,
      )).flatMap((decided) => (decided.kind === 'happened' ? decided.events : []));
      fc.pre(facts.length > 0);
      for (const order of [facts, facts.toReversed()]) {
        const { providers } = await readOverflow(fakeLogReader(
          order.map((fact, offset) => aLogRecord('decisions', offset, fact)),
        ), 'decisions');
        expect([...providers].filter(([, each]) => isMoved(each, START + 60_000))).toHaveLength(1);
      }
    }), { numRuns: 300 });
  });
});
