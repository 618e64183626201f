import { byGroup } from './all-checks.ts';
import { verdictOf, type Profile } from './profiles.ts';
import type { Result } from './run-checks.ts';

/**
 * The results as JUnit XML: a suite for each part of the contract, a test case for each check.
 * Advice is text of a case that passed, because readers know no third outcome.
 */
export function junitOf(
  target: string, role: string, results: readonly Result[], profile: Profile,
): string {
  const suites = byGroup(results, ({ check }) => check);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escaped(`${role} ${target}`)}" ${totals(results, profile)}>`,
    ...suites.flatMap(([title, group]) => [
      `  <testsuite name="${escaped(`${role}: ${title}`)}" ${totals(group, profile)}>`,
      ...group.map((result) => caseOf(result, role, title, profile)),
      '  </testsuite>',
    ]),
    '</testsuites>', '',
  ].join('\n');
}

function totals(results: readonly Result[], profile: Profile): string {
  const count = (kind: string): number =>
    results.filter((result) => verdictOf(result, profile).kind === kind).length;
  const ms = results.reduce((sum, { tookMs }) => sum + tookMs, 0);
  return `tests="${results.length}" failures="${count('failed')}" errors="0"`
    + ` skipped="${count('skipped')}" time="${seconds(ms)}"`;
}

function caseOf(result: Result, role: string, title: string, profile: Profile): string {
  const { check: { id, rows, level, title: sentence }, outcome, tookMs } = result;
  const { failures, advice } = verdictOf(result, profile);
  const skipped = outcome.kind === 'skipped'
    ? [`      <skipped message="${escaped(outcome.reason)}"/>`] : [];
  const failed = failures.length === 0 ? [] : [
    `      <failure type="${level}" message="${escaped(failures[0]?.text ?? '')}">`
    + `${escaped(failures.map(({ text }) => text).join('\n'))}</failure>`,
  ];
  const out = [
    `${level}, ${rows.join(' ')}`,
    ...advice.map(({ text, remark }) => `advice: ${remark ?? ''} (${text})`),
  ].join('\n');
  return [
    `    <testcase name="${escaped(`${id}: ${sentence}`)}"`
    + ` classname="${escaped(`${role}.${title}`)}" time="${seconds(tookMs)}">`,
    ...skipped, ...failed,
    `      <system-out>${escaped(out)}</system-out>`,
    '    </testcase>',
  ].join('\n');
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}

const NAMED: Readonly<Record<string, string>> = {
  '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;', '\r': '&#13;', '\t': '&#9;',
};

/** Text and attributes; what XML 1.0 cannot hold, and an answer may, is U+FFFD. */
function escaped(text: string): string {
  return text.toWellFormed()
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll(/[&<>"\n\r\t]/g, (mark) => NAMED[mark] ?? mark);
}
