import { describe, expect, it } from 'vitest';
import { checkEvidence } from '../../faults/checker/check-evidence.ts';
import { INVARIANTS } from '../../faults/checker/report.ts';
import { aGoodRun } from '../../support/fault-evidence.ts';

describe('the checker on a run without a fault', () => {
  it('blames nothing', () => {
    const { verdicts } = checkEvidence(aGoodRun());
    expect(verdicts.flatMap(({ violations }) => violations)).toEqual([]);
  });

  it('checks every invariant, and examines something for each of them', () => {
    const { verdicts } = checkEvidence(aGoodRun());
    expect(verdicts.map(({ invariant }) => invariant)).toEqual(INVARIANTS);
    expect(verdicts.filter(({ examined }) => examined === 0)).toEqual([]);
  });
});
