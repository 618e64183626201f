import { describe, expect, it } from 'vitest';
import { checkEvidence } from '../../faults/checker/check-evidence.ts';
import { INVARIANTS, type ViolationKind } from '../../faults/checker/report.ts';
import { BAD_HISTORIES } from '../../support/bad-histories.ts';
import { aGoodRun } from '../../support/fault-evidence.ts';

/** Every kind, so that a new one without a bad history does not compile. */
const KINDS: Readonly<Record<ViolationKind, true>> = {
  lost: true, unaccounted: true, 'undue-dead-letter': true, duplicate: true, phantom: true, altered: true,
  'rebuild-differs': true, 'state-differs': true, 'double-201': true, 'double-200': true,
  'id-mismatch': true, 'shared-number': true, 'stale-accept': true, 'early-accept': true,
  'final-violation': true, 'order-violation': true, 'command-reorder': true,
  'command-doubled': true,
  'command-dropped': true, 'retried-after-4xx': true, 'wrong-owner': true,
  'foreign-accept': true, unbounded: true, 'slow-answer': true, 'forbidden-code': true,
  leak: true, 'never-quiet': true, 'shutdown-error': true,
  'crash-loop': true, unsigned: true, 'map-differs': true, 'stale-map': true, 'undue-reset': true,
  'shown-differs': true,
};

describe('the checker on a run that went wrong', () => {
  it.each(BAD_HISTORIES)('$invariant names $kind when $story', ({ invariant, kind, spoil }) => {
    const run = aGoodRun();
    spoil(run);
    const { verdicts } = checkEvidence(run);
    const { violations } = verdicts.find((each) => each.invariant === invariant)!;
    expect(violations.map((each) => each.kind)).toContain(kind);
    for (const { explanation } of violations) expect(explanation).toMatch(/\.$/);
  });

  it('has a bad history for every kind of violation and for every invariant', () => {
    expect(new Set(BAD_HISTORIES.map(({ kind }) => kind))).toEqual(new Set(Object.keys(KINDS)));
    expect(new Set(BAD_HISTORIES.map(({ invariant }) => invariant))).toEqual(new Set(INVARIANTS));
  });

  it('never repeats a secret that it found', () => {
    const run = aGoodRun();
    run.sightings = [{ source: 'gateway-1/output.log, line 7', canary: 0 }];
    expect(JSON.stringify(checkEvidence(run))).not.toContain('canary-secret-1');
  });
});
