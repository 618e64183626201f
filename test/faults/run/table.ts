import {
  INVARIANTS, type CheckReport, type InvariantName, type ViolationKind,
} from '../checker/report.ts';
import { lineOfGrowth } from './growth.ts';
import type { RunResult } from './run-scenario.ts';

/** The row of one run. */
export interface Row {
  readonly name: string;
  readonly does: string;
  readonly aims: readonly string[];
  readonly seed: number;
  readonly seconds: number;
  readonly quietAfterMs: number | null;
  readonly cells: readonly string[];
  /** What makes the run red, in sentences. */
  readonly troubles: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  /** `lost=0 doubled=0 unexplained=0`, where none was. */
  readonly losses: string;
  /** More about the run, in lines. */
  readonly remarks: readonly string[];
}

const SHOWN_MAX = 5;

/** What a run has to show: for each invariant how much was looked at, or how often it broke. */
export function rowOf(outcome: RunResult): Row {
  const { scenario, report, played } = outcome;
  const verdicts = new Map(report.verdicts.map((verdict) => [verdict.invariant, verdict]));
  const violations = report.verdicts.flatMap((verdict) => verdict.violations);
  return {
    name: scenario.name, does: scenario.does, aims: scenario.aims, seed: outcome.seed,
    seconds: Math.round(outcome.tookMs / 1_000), quietAfterMs: outcome.quiet_after_ms,
    counts: report.counts, losses: lossesOf(report),
    remarks: [...struckOf(played), ...viewersOf(report), ...outcome.remarks, ...scenario.name === 'soak' ? remarksOf(outcome) : []],
    cells: INVARIANTS.map((name: InvariantName) => {
      const verdict = verdicts.get(name);
      if (verdict === undefined || verdict.examined === 0) return '·';
      return verdict.violations.length === 0 ? String(verdict.examined)
        : `✗${verdict.violations.length}`;
    }),
    troubles: [
      ...violations.slice(0, SHOWN_MAX)
        .map(({ invariant, kind, explanation }) => `${invariant} ${kind}: ${explanation}`),
      ...(violations.length > SHOWN_MAX ? [`… and ${violations.length - SHOWN_MAX} more`] : []),
      ...outcome.unsaid.map((text) => `No process has said ${text}.`),
      ...(scenario.mustStayFlat === true ? outcome.growth : [])
        .filter(({ verdict }) => verdict === 'GREW').map(lineOfGrowth),
      ...played.errors,
      ...played.missed.map((name) => `Never had its chance: ${name}.`),
      ...(outcome.isLate ? ['A client could not end its call within 60 s of the heal.'] : []),
    ],
  };
}

/** How many items were lost, doubled, or ended in a way that nothing explains. */
export function lossesOf({ verdicts }: CheckReport): string {
  const kinds = verdicts.flatMap(({ violations }) => violations.map(({ kind }) => kind));
  const count = (...names: readonly ViolationKind[]): number =>
    kinds.filter((kind) => names.includes(kind)).length;
  return `lost=${count('lost')} doubled=${count('duplicate')} `
    + `unexplained=${count('unaccounted', 'undue-dead-letter', 'phantom', 'altered')}`;
}

/** How many of the faults that wait for a chance had it. */
function struckOf({ armed, missed }: RunResult['played']): readonly string[] {
  return armed === 0 ? [] : [`${armed - missed.length} of ${armed} armed faults struck`];
}

/** How the viewers of the live feeds did. */
function viewersOf({ counts }: CheckReport): readonly string[] {
  const { viewers, view_calls = 0, view_resets = 0, maps_fresh_after_ms = 0 } = counts;
  return viewers === undefined ? [] : [
    `${viewers} viewers called ${view_calls} times and were reset ${view_resets} times; their maps `
      + `had all that was known at the heal ${maps_fresh_after_ms} ms later`,
  ];
}

/** What a soak is asked for: nothing lost, nothing doubled, nothing unexplained, nothing grown. */
function remarksOf({ report, growth, quiet_after_ms, capacity = 0 }: RunResult): readonly string[] {
  const { tries = 0, accepted_items = 0, faults = 0 } = report.counts;
  return [
    lossesOf(report),
    `capacity ${Math.round(capacity)} calls a second, kept at half of it`,
    `${faults} faults, ${tries} tries checked, ${accepted_items} items accepted; lag 0 after `
      + `${quiet_after_ms ?? 'more than 60,000'} ms`,
    ...growth.map(lineOfGrowth),
  ];
}

/** A run that could not even be checked. */
export function brokenRow(
  { name, does, aims }: RunResult['scenario'], seed: number, error: unknown,
): Row {
  return {
    name, does, aims, seed, seconds: 0, quietAfterMs: null, cells: INVARIANTS.map(() => '?'),
    troubles: [error instanceof Error ? error.stack ?? error.message : String(error)], counts: {},
    losses: 'not checked', remarks: [],
  };
}

/** One line for the terminal. */
export function lineOf(row: Row): string {
  const cells = row.cells.map((cell, at) => `${INVARIANTS[at] ?? ''}=${cell}`).join(' ');
  const quiet = row.quietAfterMs === null ? 'never quiet' : `quiet ${row.quietAfterMs} ms after the heal`;
  const verdict = row.troubles.length === 0 ? 'ok  ' : 'FAIL';
  return [
    `${verdict} ${row.name} (seed ${row.seed}, ${row.seconds} s, ${quiet}): ${row.does}`,
    `     ${cells}`,
    ...row.remarks.map((remark) => `     ${remark}`),
    ...row.troubles.map((trouble) => `     ${trouble}`),
  ].join('\n');
}

/** What made a page. */
export interface Made {
  readonly command: string;
  readonly commit: string;
}

/** A long run as a page: its figures as they were printed, and what each invariant looked at. */
export function soakPageOf(row: Row, { command, commit }: Made): string {
  const isGreen = row.troubles.length === 0;
  return [
    '# Soak',
    '',
    `Made by \`${command}\` at commit \`${commit}\`, seed ${row.seed}: ${row.does}.`,
    'First the cluster shows its capacity, without faults and with clients that never pause, on the',
    'machine that carries harness, stack and product. The run keeps half of it. Lag is counted from the',
    'heal of the last fault. Resident memory and sockets are ninth deciles of the second and the last',
    'quarter; a heap grows while much waits for it, and shrinks later. *Held* is what stays in use: the',
    'least of each minute, its median slope within the lives of a process, with 99 % confidence. Most lives',
    'are ended by a fault within minutes; only the slope from their tenth minute on makes a run red.',
    '',
    '```',
    `${isGreen ? 'ok' : 'FAIL'}  ${row.seconds} s`,
    ...row.remarks,
    '```',
    '',
    'How much each [invariant](../../test/faults/checker/README.md) looked at:',
    '',
    ...[INVARIANTS, INVARIANTS.map(() => '---'), row.cells].map((cells) => `| ${cells.join(' | ')} |`),
    ...(isGreen ? [] : ['', '## Red', '', ...row.troubles.map((trouble) => `- ${trouble}`)]),
  ].join('\n') + '\n';
}

/** A run of many commands as a page: its figures as they were printed. */
export function commandsPageOf(row: Row, { command, commit }: Made): string {
  const isGreen = row.troubles.length === 0;
  const examined = row.cells[INVARIANTS.indexOf('I10')] ?? '';
  return [
    '# Commands repeated',
    '',
    `Made by \`${command}\` at commit \`${commit}\`, seed ${row.seed}.`,
    'The platform issues commands, each about a transport of its own, half of them with an',
    '`Idempotency-Key` and half with an `id` in the body alone. It does not wait for many answers, and',
    'repeats the call at the other gateway; of what was answered it repeats a part too. Meanwhile every',
    'few seconds a gateway is killed between claim and append or between append and answer, answers of',
    'the log are cut, and the state store is emptied.',
    '',
    '```',
    `${isGreen ? 'ok' : 'FAIL'}  ${row.seconds} s`,
    ...row.remarks,
    '```',
    '',
    `I10 of the [checker](../../test/faults/checker/README.md) examined ${examined} things: one id in the`,
    'log and in all answers, and one call that the provider took, for each command.',
    'The short matrix (`npm run faults -- --smoke`) has the same with 300 commands.',
    ...(isGreen ? [] : ['', '## Red', '', ...row.troubles.map((trouble) => `- ${trouble}`)]),
  ].join('\n') + '\n';
}
