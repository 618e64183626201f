import { byGroup, groupOf } from './all-checks.ts';
import type { Check } from './check.ts';
import { junitOf } from './junit.ts';
import type { Waits } from './patience.ts';
import { countsOf, verdictOf, type Counts, type Profile, type CheckVerdict } from './profiles.ts';
import type { Examination, Result } from './run-checks.ts';

const REASONS_SHOWN_MAX = 5;
const INDENT = ' '.repeat(11);
const NOT_RUN = 3;

/** What a run prints: a value for `--json`, lines for people, and the exit code. */
export interface KitReport {
  readonly value: unknown;
  readonly lines: readonly string[];
  readonly exitCode: number;
  /** The same as JUnit XML, where checks were made. */
  readonly junit?: string;
}

/** What was examined, and how long the kit waited for it. */
export interface Examined {
  readonly target: string;
  readonly role: string;
  readonly profile: Profile;
  readonly waits: Waits;
}

/** What `value` of a run has: the counts of its profile, and those of both. */
export interface KitCounts extends Counts {
  readonly profiles: Readonly<Record<Profile, Counts>>;
  /** Why not all checks were made. */
  readonly stopped?: string;
}

/** The report of a wrong call: one sentence, exit code 2. */
export function misuse(sentence: string): KitReport {
  return { value: { error: sentence }, lines: [sentence], exitCode: 2 };
}

/** The report of a run that could not be made: exit code 3. */
export function notRun(sentence: string): KitReport {
  return { value: { error: sentence }, lines: [sentence], exitCode: NOT_RUN };
}

/**
 * The table and the JSON value of a run: exit code 1 when a check failed by this profile, 3 when
 * the time was over before all were made. A skipped one does not fail the run, but is counted and
 * says why, because a foreign counterpart need not offer all; advice is printed and never fails it.
 */
export function reportOf({ results, stopped }: Examination, examined: Examined): KitReport {
  const { target, role, profile, waits } = examined;
  const profiles = {
    interface: countsOf(results, 'interface'), rastro: countsOf(results, 'rastro'),
  };
  const counts: KitCounts = {
    ...profiles[profile], profiles, ...(stopped === undefined ? {} : { stopped }),
  };
  const width = widthOf(results.map(({ check }) => check));
  return {
    value: {
      target, role, profile, ...counts, waits,
      checks: results.map((result) => checkValue(result, profile)),
    },
    lines: [
      ...groupsOf(results, ({ check }) => check, (result) =>
        linesOf(result, verdictOf(result, profile), width)),
      ...(stopped === undefined ? [] : [`Stopped: ${stopped}.`]),
      ...waitsOf(waits),
      `${target}, ${role}, profile ${profile}, ${counts.skipped} skipped:`,
      `${counts.passed} passed, ${counts.failed} failed, ${counts.advised} advice`,
    ],
    exitCode: counts.failed > 0 ? 1 : stopped === undefined ? 0 : NOT_RUN,
    junit: junitOf(target, role, results, profile),
  };
}

/** Lines below the title of their part of the contract. */
function groupsOf<Item>(
  items: readonly Item[], checkOf: (item: Item) => Check,
  lines: (item: Item) => readonly string[],
): readonly string[] {
  return byGroup(items, checkOf)
    .flatMap(([title, group]) => [title, ...group.flatMap(lines), '']);
}

function waitsOf({ throttled, repeated, waitedMs }: Waits): readonly string[] {
  if (waitedMs === 0) return [];
  return [`Waited ${Math.round(waitedMs / 1_000)} s, after ${throttled} answers of 429 and ${repeated}`
    + ' of 500 or 503, and to stay below the limits.'];
}

/** Counts of all roles together. */
export function countsLine({ passed, failed, skipped, advised }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped, ${advised} with advice`;
}

/** The checks that would be run, without running them. */
export function listOf(checks: readonly Check[]): KitReport {
  const width = widthOf(checks);
  return {
    value: checks.map((check) => {
      const { id, rows, role, level, title } = check;
      return { id, group: groupOf(check), rows, role, level, title };
    }),
    lines: groupsOf(checks, (check) => check, ({ id, rows, level, title }) =>
      [`${id.padEnd(width)}  ${level.padEnd(6)}  ${title}  [${rows.join(' ')}]`]),
    exitCode: 0,
  };
}

function checkValue(result: Result, profile: Profile): object {
  const { check, outcome, tookMs } = result;
  const { id, rows, role, level, title } = check;
  const { kind, failures, advice } = verdictOf(result, profile);
  return {
    id, group: groupOf(check), rows, role, level, title, outcome: kind, took_ms: tookMs,
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
  const remarks = [...new Set(advice.map(({ remark }) => remark))];
  return [
    `${kind.padEnd(7)}  ${check.id.padEnd(width)}  ${check.title}  [${check.level} ${check.rows.join(' ')}]`,
    ...shown.map((reason) => INDENT + reason),
    ...(more > 0 ? [`${INDENT}and ${more} more`] : []),
    ...remarks.flatMap((remark) => [
      `${INDENT}advice: ${remark ?? ''}`,
      `${INDENT}  ${advice.find((each) => each.remark === remark)?.text ?? ''}`,
    ]),
  ];
}

function widthOf(checks: readonly Check[]): number {
  return Math.max(0, ...checks.map(({ id }) => id.length));
}
