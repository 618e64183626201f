import type { Check } from './check.ts';
import { countsOf, verdictOf, type Counts, type Profile, type CheckVerdict } from './profiles.ts';
import type { Result } from './run-checks.ts';

const REASONS_SHOWN_MAX = 5;
const INDENT = ' '.repeat(11);

/** What a run prints: a value for `--json`, lines for people, and the exit code. */
export interface KitReport {
  readonly value: unknown;
  readonly lines: readonly string[];
  readonly exitCode: number;
}

/** What `value` of a run has: the counts of its profile, and those of both. */
export interface KitCounts extends Counts {
  readonly profiles: Readonly<Record<Profile, Counts>>;
}

/** The report of a wrong call: one sentence, exit code 2. */
export function misuse(sentence: string): KitReport {
  return { value: { error: sentence }, lines: [sentence], exitCode: 2 };
}

/**
 * The table and the JSON value of a run: exit code 1 when a check failed by this profile. A skipped
 * one does not fail the run, but is counted and says why, because a foreign counterpart need not
 * offer all; advice is printed and never fails it.
 */
export function reportOf(
  target: string, results: readonly Result[], profile: Profile,
): KitReport {
  const profiles = {
    interface: countsOf(results, 'interface'), rastro: countsOf(results, 'rastro'),
  };
  const counts: KitCounts = { ...profiles[profile], profiles };
  const width = widthOf(results.map(({ check }) => check));
  return {
    value: {
      target, profile, ...counts, checks: results.map((result) => checkValue(result, profile)),
    },
    lines: [
      ...results.flatMap((result) => linesOf(result, verdictOf(result, profile), width)),
      '',
      `${target}, profile ${profile}: ${countsLine(counts)}`,
    ],
    exitCode: counts.failed === 0 ? 0 : 1,
  };
}

/** Counts as the last line of a run has them. */
export function countsLine({ passed, failed, skipped, advised }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped, ${advised} with advice`;
}

/** The checks that would be run, without running them. */
export function listOf(checks: readonly Check[]): KitReport {
  const width = widthOf(checks);
  return {
    value: checks.map(({ id, rows, role, profile, title }) => ({ id, rows, role, profile, title })),
    lines: checks.map(({ id, rows, profile, title }) =>
      `${id.padEnd(width)}  ${profile.padEnd(9)}  ${title}  [${rows.join(' ')}]`),
    exitCode: 0,
  };
}

function checkValue(result: Result, profile: Profile): object {
  const { check: { id, rows, role, profile: askedBy, title }, outcome } = result;
  const { kind, failures, advice } = verdictOf(result, profile);
  return {
    id, rows, role, profile: askedBy, title, outcome: kind,
    ...(outcome.kind === 'skipped' ? { reasons: [outcome.reason] } : {}),
    ...(failures.length === 0 ? {} : { reasons: failures.map(({ text }) => text) }),
    ...(advice.length === 0 ? {} : { advice }),
  };
}

function linesOf(
  { check, outcome }: Result, { kind, failures, advice }: CheckVerdict, width: number,
): readonly string[] {
  const reasons = [
    ...(outcome.kind === 'skipped' ? [outcome.reason] : []), ...failures.map(({ text }) => text),
  ];
  const shown = reasons.slice(0, REASONS_SHOWN_MAX);
  const more = reasons.length - shown.length;
  const remarks = [...Map.groupBy(advice, ({ remark }) => remark ?? '')];
  return [
    `${kind.padEnd(7)}  ${check.id.padEnd(width)}  ${check.title}  [${check.rows.join(' ')}]`,
    ...shown.map((reason) => INDENT + reason),
    ...(more > 0 ? [`${INDENT}and ${more} more`] : []),
    ...remarks.flatMap(([remark, [first]]) => [
      `${INDENT}advice: ${remark}`, `${INDENT}  ${first?.text ?? ''}`,
    ]),
  ];
}

function widthOf(checks: readonly Check[]): number {
  return Math.max(0, ...checks.map(({ id }) => id.length));
}
