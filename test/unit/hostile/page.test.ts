import { describe, expect, it } from 'vitest';
import { pageOf, type MadeResult } from '../../hostile/run/page.ts';
import type { OffenceRow } from '../../hostile/run/run-hostile.ts';

const FIGURES = { calls: 600, unanswered: 0, p99Ms: 40 };

function rowOf(name: string, troubles: readonly string[] = []): OffenceRow {
  return {
    name, does: 'calls', heldBy: 'a limit', troubles, isSecond: name === 'floods',
    ...(name === 'floods' ? { firstP99Ms: 250 } : {}),
    observed: {
      calm: [FIGURES, { ...FIGURES, p99Ms: 90 }], during: { ...FIGURES, p99Ms: 120 },
      processes: [
        { name: 'gateway-1', endings: 0, rssMiBMax: 300 },
        { name: 'workers', endings: 2, rssMiBMax: 200 },
      ],
      analyst: { failedQueries: 0, staleMsMax: 700 },
      viewer: { silentMsMax: 260, failedPictures: 0 },
      webhook: { waitedMsMax: 90, wrong: 0 }, answerMiBTaken: 0, isAnalyst: false,
      answers: { 202: 1, 429: 5 }, hasOnly500: false,
    },
  };
}

function runOf(command: string, more: Partial<MadeResult>): MadeResult {
  return {
    command, commit: 'abc1234', losses: 'lost=0 doubled=0 unexplained=0', rows: [], violations: [],
    ...more,
  };
}

describe('the page about hostile callers', () => {
  it('has the rows of all its runs, with what each lost', () => {
    const page = pageOf([
      runOf('first', { rows: [rowOf('bombs')] }),
      runOf('second', { rows: [rowOf('floods')], losses: 'lost=1 doubled=0 unexplained=0' }),
    ], ['bombs', 'floods', 'idle', 'slow']);
    expect(page).toContain('Not let in by these runs: idle, slow.');
    expect(page).toContain('- `first` at commit `abc1234`: **lost=0 doubled=0 unexplained=0**');
    expect(page).toContain('- `second` at commit `abc1234`: **lost=1 doubled=0 unexplained=0**');
    expect(page).toContain('2 of 2 offenders did no harm.');
    expect(page).toContain('| bombs | 90 | 120 | 600 | 0 | 2 | 300 | 700 | 260 | 90 | 429 × 5, 202 × 1 |');
    expect(page).toContain('| floods, again | 90 | 120 (at first 250) | 600 |');
    expect(page).toContain('- **floods** calls. Held by: a limit.');
    expect(page).not.toContain('## Red');
  });

  it('counts the last row of an offender, and says what a pace is', () => {
    const page = pageOf([
      runOf('first --pace 40', { rows: [rowOf('bombs', ['It ended a process.']), rowOf('floods')] }),
      runOf('second', { rows: [rowOf('bombs')] }),
    ], ['bombs', 'floods']);
    expect(page).toContain('2 of 2 offenders did no harm.');
    expect(page).toContain('- `first --pace 40` at commit');
    expect(page).toContain('The last run that let an offender in counts.\n`--pace` is in percent');
    expect(page).not.toContain('## Red');
  });

  it('says which did harm, and what the checker found', () => {
    const page = pageOf([runOf('first', {
      rows: [rowOf('bombs', ['The honest p99 was 900 ms; allowed are 300.']), rowOf('floods')],
      violations: ['I01 lost: one is gone'],
    })], ['bombs', 'floods']);
    expect(page).not.toContain('Not let in');
    expect(page).toContain('1 of 2 offenders did no harm.');
    expect(page).toContain([
      '## Red', '', '- bombs: The honest p99 was 900 ms; allowed are 300.', '- I01 lost: one is gone', '',
    ].join('\n'));
  });
});
