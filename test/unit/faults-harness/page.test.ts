import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultsPageOf, keepRows, type KeptRow } from '../../faults/run/faults-page.ts';
import { brokenRow } from '../../faults/run/table.ts';
import { INVARIANTS } from '../../faults/checker/report.ts';
import { SCENARIOS } from '../../faults/scenarios/index.ts';

function rowOf(name: string, seed: number, row: Partial<KeptRow> = {}): KeptRow {
  const scenario = SCENARIOS.find((each) => each.name === name)!;
  const red = brokenRow(scenario, seed, new Error('no cluster'));
  return { ...red, troubles: [], quietAfterMs: 12, commit: 'abc', ...row };
}

describe('the page of the faults', () => {
  it('has the newest row of each scenario with seed and commit, and names those not run', () => {
    const page = faultsPageOf([
      rowOf('worker-killed', 3, { troubles: ['I1 lost: it is nowhere.'] }),
      rowOf('worker-killed', 3, { commit: 'def', remarks: ['2 of 2 armed faults struck'] }),
      rowOf('calm', 3),
    ]);
    expect(page.indexOf('| calm |')).toBeLessThan(page.indexOf('| worker-killed |'));
    expect(page).toContain(' 12 | 3 | def |');
    expect(page).toContain('  - 2 of 2 armed faults struck');
    expect(page).toMatch(/Not run yet:.* state-failover, state-cluster,/);
    expect(page).not.toContain('## Red');
    expect(page).not.toContain('## Several seeds');
  });

  it('counts the seeds of a scenario, each by its newest run, and hides no red one', () => {
    const page = faultsPageOf([
      rowOf('topic-recreated', 1, { troubles: ['never quiet'] }), rowOf('topic-recreated', 1),
      rowOf('topic-recreated', 2), rowOf('topic-recreated', 10, { troubles: ['I2 phantom: one.'] }),
    ]);
    expect(page).toContain('**topic-recreated**: green in 2 of 3 runs, seeds 1, 2, 10, at abc.');
    expect(page).toContain('| **red** topic-recreated |');
    expect(page).toContain('- topic-recreated, seed 10: I2 phantom: one.');
    expect(page).not.toContain('never quiet');
  });

  it('keeps its columns where a row is older than an invariant', () => {
    const page = faultsPageOf([rowOf('calm', 3, { cells: ['5'] })]);
    expect(page).toContain(`| calm | 5 | ${Array(INVARIANTS.length - 1).fill('·').join(' | ')} | 12 | 3 | abc |`);
  });

  it('is made of what several calls kept in a file', () => {
    const dir = mkdtempSync(join(tmpdir(), 'rastro-rows-'));
    const file = join(dir, 'rows.jsonl');
    keepRows(file).keep(rowOf('calm', 1));
    const second = keepRows(file);
    second.keep(rowOf('calm', 2));
    expect(second.all().map(({ seed }) => seed)).toEqual([1, 2]);
    expect(keepRows('').all()).toEqual([]);
    rmSync(dir, { recursive: true });
  });
});
