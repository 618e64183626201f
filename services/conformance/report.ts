import type { Check } from './check.ts';
import type { Result } from './run-checks.ts';

const REASONS_SHOWN_MAX = 5;

/** What a run prints: a value for `--json`, lines for people, and the exit code. */
export interface KitReport {
  readonly value: unknown;
  readonly lines: readonly string[];
  readonly exitCode: number;
}

/** The report of a wrong call: one sentence, exit code 2. */
export function misuse(sentence: string): KitReport {
  return { value: { error: sentence }, lines: [sentence], exitCode: 2 };
}

/**
 * The table and the JSON value of a run: exit code 1 when a check failed. A skipped one does not
 * fail the run, but is counted and says why, because a foreign counterpart need not offer all.
 */
export function reportOf(target: string, results: readonly Result[]): KitReport {
  const counts = countsOf(results);
  const width = widthOf(results.map(({ check }) => check));
  return {
    value: {
      target,
      ...counts,
      checks: results.map(({ check: { id, rows, role, title }, outcome }) => ({
        id, rows, role, title, outcome: outcome.kind, ...reasonsOf({ outcome }),
      })),
    },
    lines: [
      ...results.flatMap((result) => linesOf(result, width)),
      '',
      `${target}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`,
    ],
    exitCode: counts.failed === 0 ? 0 : 1,
  };
}

/** The checks that would be run, without running them. */
export function listOf(checks: readonly Check[]): KitReport {
  const width = widthOf(checks);
  return {
    value: checks.map(({ id, rows, role, title }) => ({ id, rows, role, title })),
    lines: checks.map(({ id, rows, title }) =>
      `${id.padEnd(width)}  ${title}  [${rows.join(' ')}]`),
    exitCode: 0,
  };
}

function linesOf({ check, outcome }: Result, width: number): readonly string[] {
  const first = `${outcome.kind.padEnd(7)}  ${check.id.padEnd(width)}  ${check.title}`
    + `  [${check.rows.join(' ')}]`;
  const { reasons = [] } = reasonsOf({ outcome });
  const shown = reasons.slice(0, REASONS_SHOWN_MAX).map((reason) => `           ${reason}`);
  const more = reasons.length - shown.length;
  return [first, ...shown, ...(more > 0 ? [`           and ${more} more`] : [])];
}

function reasonsOf({ outcome }: Pick<Result, 'outcome'>): { reasons?: readonly string[] } {
  switch (outcome.kind) {
    case 'passed': return {};
    case 'failed': return { reasons: outcome.reasons };
    case 'skipped': return { reasons: [outcome.reason] };
  }
}

function countsOf(results: readonly Result[]) {
  const count = (kind: string) => results.filter(({ outcome }) => outcome.kind === kind).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}

function widthOf(checks: readonly Check[]): number {
  return Math.max(0, ...checks.map(({ id }) => id.length));
}
