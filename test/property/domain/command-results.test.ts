import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  counts, isFinal, isMonitored, type FencedResult,
} from '../../../services/domain/monitoring/result.ts';

const aFenced = fc.record({
  fence: fc.integer({ min: 1, max: 4 }),
  attempt: fc.integer({ min: 1, max: 5 }),
  outcome: fc.constantFrom('done', 'refused', 'ended', 'cancelled', 'retry'),
}) as fc.Arbitrary<FencedResult>;

const fold = (results: readonly FencedResult[]) =>
  results.reduce<FencedResult | undefined>(
    (kept, each) => (counts(each, kept) ? each : kept), undefined);
const orderOf = (each: FencedResult | undefined) =>
  each && [isFinal(each.outcome), each.fence, each.attempt];

describe('results of a command', () => {
  it('end in the same state in any order and repetition', () => {
    fc.assert(fc.property(
      fc.array(aFenced, { minLength: 1, maxLength: 12 }).chain((results) => fc.tuple(
        fc.constant(results),
        fc.shuffledSubarray(results, { minLength: results.length, maxLength: results.length }),
      )),
      ([results, shuffled]) => {
        expect(orderOf(fold([...shuffled, ...shuffled]))).toEqual(orderOf(fold(results)));
      },
    ));
  });

  it('stay at their end, and leave out what a former owner of the lease writes later', () => {
    fc.assert(fc.property(fc.array(aFenced, { maxLength: 8 }), aFenced, (results, late) => {
      const kept = fold(results);
      const after = fold([...results, late]);
      if (kept !== undefined && isFinal(kept.outcome)) {
        expect(isFinal(after?.outcome ?? 'retry')).toBe(true);
      } else if (kept !== undefined && !isFinal(late.outcome) && late.fence < kept.fence) {
        expect(after).toBe(kept);
      }
    }));
  });

  it('a transport is monitored from a start that is not over for nothing', () => {
    for (const outcome of ['done', 'refused', 'ended', 'cancelled', 'retry'] as const) {
      const result = { outcome } as Parameters<typeof isMonitored>[0] extends infer N
        ? N extends { result: infer R } ? R : never : never;
      expect(isMonitored({ command: 'start_tracking', result }))
        .toBe(outcome === 'done' || outcome === 'retry');
      expect(isMonitored({ command: 'stop_tracking', result })).toBe(false);
    }
    expect(isMonitored({ command: 'start_tracking', result: undefined })).toBe(true);
    expect(isMonitored(undefined)).toBe(false);
  });
});
