import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { clearLeftovers, markedProcesses } from '../../../scripts/suite/leftovers.ts';
import { wantsFaults } from '../../../scripts/suite/run-faults.ts';
import { finalLine, sumOf, talliedBy, tallyOf } from '../../../scripts/suite/tally.ts';

const clean = {
  success: true,
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [],
};

describe('the tally of a run', () => {
  it('counts passed, failed and skipped tests', () => {
    const report = { ...clean, numFailedTests: 2, numPendingTests: 1, numTodoTests: 1 };
    expect(tallyOf(report, 1)).toEqual({ passed: 3, failed: 2, skipped: 2 });
  });

  it('counts a file that could not be loaded as a failure', () => {
    const broken = { name: 'a.test.ts', status: 'failed', assertionResults: [] };
    const report = { ...clean, success: false, testResults: [broken] };
    expect(tallyOf(report, 1).failed).toBe(1);
  });

  it('counts a failure that no test owns, and a run without a report', () => {
    expect(tallyOf(clean, 1).failed).toBe(1);
    expect(tallyOf(undefined, 0).failed).toBe(1);
    expect(tallyOf(clean, 0).failed).toBe(0);
  });

  it('ends in one line of a fixed form', () => {
    const total = sumOf([
      { passed: 1, failed: 0, skipped: 0 },
      { passed: 2, failed: 3, skipped: 0 },
    ]);
    expect(finalLine(total)).toBe('3 passed, 3 failed');
    expect(finalLine({ ...total, skipped: 4 })).toBe('3 passed, 3 failed, 4 skipped');
  });
});

describe('the short matrix of faults', () => {
  it('belongs to a run in CI, and to none else, unless the caller says otherwise', () => {
    expect(wantsFaults({ CI: 'true' })).toBe(true);
    expect(wantsFaults({})).toBe(false);
    expect(wantsFaults({ RASTRO_FAULTS: 'smoke' })).toBe(true);
    expect(wantsFaults({ CI: 'true', RASTRO_FAULTS: 'none' })).toBe(false);
    expect(() => wantsFaults({ RASTRO_FAULTS: 'smok' })).toThrow('not smok');
  });

  it('counts by its last line that has counts', () => {
    expect(talliedBy('1 passed, 0 failed\nred\n5 passed, 2 failed\n', 1))
      .toEqual({ passed: 5, failed: 2, skipped: 0 });
  });

  it('is a failure when it says nothing, or ends badly without a failure', () => {
    expect(talliedBy('seed 3\n', 2)).toMatchObject({ passed: 0, failed: 1 });
    expect(talliedBy('', 0)).toMatchObject({ passed: 0, failed: 1 });
    expect(talliedBy('7 passed, 0 failed\n', null)).toMatchObject({ passed: 7, failed: 1 });
  });
});

describe('processes left behind', () => {
  it('are found by their mark even when detached, and are killed', async () => {
    const mark = `RASTRO_TEST_SEED=${randomUUID()}`;
    const [name, value] = mark.split('=') as [string, string];
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { ...process.env, [name]: value },
    });
    const exited = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));
    await expect.poll(() => markedProcesses(mark).map((one) => one.pid)).toEqual([child.pid]);

    const killed = await clearLeftovers(mark, 0);
    expect(killed.map((one) => one.pid)).toEqual([child.pid]);
    expect(await exited).toBe('SIGKILL');
    expect(await clearLeftovers(mark, 0)).toEqual([]);
  });
});
