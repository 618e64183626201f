/** How many proofs held: tests and gates counted alike. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** What vitest's JSON reporter writes, as far as it is counted here. */
export interface VitestReport {
  readonly success: boolean;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

const COUNTS = /^(\d+) passed, (\d+) failed$/gm;

/**
 * Counts a vitest run. A file that failed without a failed test (it could not be loaded, a hook
 * broke) counts as one failure, and so does a run that failed in no file at all.
 */
export function tallyOf(report: VitestReport | undefined, exitCode: number | null): Tally {
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const brokenFiles = report.testResults.filter(
    (file) =>
      file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  ).length;
  const failed = report.numFailedTests + brokenFiles;
  const silentFailure = failed === 0 && (exitCode !== 0 || !report.success) ? 1 : 0;
  return {
    passed: report.numPassedTests,
    failed: failed + silentFailure,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/**
 * What a command counted itself, by the last of its lines that has counts; one without them, or red
 * without a failure, failed.
 */
export function talliedBy(said: string, exitCode: number | null): Tally {
  const [, passed = '0', failed = '0'] = [...said.matchAll(COUNTS)].at(-1) ?? [];
  const isBroken = failed === '0' && (exitCode !== 0 || passed === '0');
  return { passed: Number(passed), failed: Number(failed) + (isBroken ? 1 : 0), skipped: 0 };
}

/** Adds tallies up. */
export function sumOf(tallies: readonly Tally[]): Tally {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const tally of tallies) {
    total.passed += tally.passed;
    total.failed += tally.failed;
    total.skipped += tally.skipped;
  }
  return total;
}

/** The last line of a run, alone on its line: `N passed, N failed`, and `, N skipped` if any. */
export function finalLine(tally: Tally): string {
  const skipped = tally.skipped > 0 ? `, ${tally.skipped} skipped` : '';
  return `${tally.passed} passed, ${tally.failed} failed${skipped}`;
}
