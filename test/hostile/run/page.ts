import type { Made } from '../../faults/run/table.ts';
import type { HostileResult, OffenceRow } from './run-hostile.ts';
import type { HostileMutantRow } from './run-mutants.ts';
import {
  calmP99Ms, P99_MS_FREE, RSS_MIB_MAX, RSS_MIB_MAX_OF_PARTIES, SILENT_MS_MAX, STALE_MS_MAX,
  WEBHOOK_MS_MAX,
} from './assess.ts';
import type { Answers } from './offence.ts';

/** One line for the terminal. */
export function lineOf(row: OffenceRow): string {
  const { observed, troubles } = row;
  const { calm, during, processes, analyst, viewer, webhook, answers } = observed;
  const rss = Math.max(...processes.map(({ rssMiBMax }) => rssMiBMax));
  const ms = calm.map(({ p99Ms }) => p99Ms).join('/');
  return [
    `${troubles.length === 0 ? 'ok  ' : 'FAIL'} ${row.name}${row.isSecond ? ', again' : ''}: honest p99 ${during.p99Ms} ms (calm `
      + `${ms}), `
      + `${during.calls} calls, ${during.unanswered} unanswered, at most ${rss} MiB, `
      + `tables ${analyst.staleMsMax} ms behind, feed silent for ${viewer.silentMsMax} ms, `
      + `webhook ${webhook.waitedMsMax} ms behind`,
    `     answers: ${answersOf(answers)}`,
    ...troubles.map((trouble) => `     ${trouble}`),
  ].join('\n');
}

/** What a run saw, and what made it. */
export type MadeResult = HostileResult & Made;

/**
 * The rows of one run, or of several, as a page that says which offenders are in none of them. The
 * last row of an offender counts, as after a mend.
 */
export function pageOf(results: readonly MadeResult[], offenders: readonly string[]): string {
  const last = new Map(results.flatMap((result) => result.rows).map((row) => [row.name, row]));
  const rows = [...last.values()];
  const violations = results.flatMap((result) => result.violations);
  const left = offenders.filter((offender) => rows.every(({ name }) => name !== offender));
  const red = rows.filter(({ troubles }) => troubles.length > 0);
  return [
    '# Hostile callers',
    '',
    'One caller misbehaves in each known way while ten providers, two carriers, a platform, a viewer, an',
    'owner of a webhook and an analyst work, all on one machine. Each offender',
    '',
    `- leaves the p99 of honest calls within twice that of calm spans beside it, or ${P99_MS_FREE} ms;`,
    `- ends no process, and lets none hold more than ${RSS_MIB_MAX} MiB, or ${RSS_MIB_MAX_OF_PARTIES} where it calls parties;`,
    `- keeps no honest fix from the tables for more than ${STALE_MS_MAX / 1_000} s;`,
    `- leaves a viewer of the whole fleet no ${SILENT_MS_MAX / 1_000} s without an update, and, unless it is an analyst, no picture of the past refused;`,
    `- keeps no fact from the honest webhook for more than ${WEBHOOK_MS_MAX / 1_000} s, and none out of order;`,
    '- gets no 5xx where its calls know 429, and is refused as its protection says where it is quick enough to reach a limit.',
    '',
    'At the end of a run the checker of the',
    '[faults](../../test/faults/README.md) reads all that the honest ever sent:',
    '',
    ...results.map(({ command, commit, losses }) => (
      `- \`${command}\` at commit \`${commit}\`: **${losses}**`
    )),
    '',
    `${rows.length - red.length} of ${rows.length} offenders did no harm. One that only made honest calls wait was let`,
    'in again, up to three times in all, since that may be chance on a machine with other work; its row is the last one.',
    ...(results.length === 1 ? [] : ['The last run that let an offender in counts.']),
    ...(results.every(({ command }) => !command.includes('--pace')) ? []
      : ['`--pace` is in percent of the usual calls of the honest, which a slow machine has no room for.']),
    ...(left.length === 0 ? [] : ['', `Not let in by these runs: ${left.join(', ')}.`]),
    '',
    '| Offender | p99 calm, ms | p99, ms | Honest calls | Unanswered | Endings | Most MiB | Tables behind, ms | Feed silent, ms | Webhook behind, ms | What it was answered |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
    ...rows.map(tableRowOf),
    '',
    '## What each does, and what holds against it',
    '',
    ...rows.map(({ name, does, heldBy }) => `- **${name}** ${does}. Held by: ${heldBy}.`),
    ...(red.length + violations.length === 0 ? [] : ['', '## Red', '']),
    ...red.flatMap(({ name, troubles }) => troubles.map((trouble) => `- ${name}: ${trouble}`)),
    ...violations.map((violation) => `- ${violation}`),
  ].join('\n').trimEnd() + '\n';
}

function tableRowOf({ name, isSecond, firstP99Ms, observed }: OffenceRow): string {
  const { calm, during, processes, analyst, viewer, webhook, answers } = observed;
  return `| ${[
    isSecond ? `${name}, again` : name,
    calmP99Ms(calm),
    firstP99Ms === undefined ? during.p99Ms : `${during.p99Ms} (at first ${firstP99Ms})`,
    during.calls, during.unanswered,
    processes.reduce((sum, { endings }) => sum + endings, 0),
    Math.max(...processes.map(({ rssMiBMax }) => rssMiBMax)), analyst.staleMsMax,
    viewer.silentMsMax, webhook.waitedMsMax, answersOf(answers),
  ].join(' | ')} |`;
}

/** Mutants as a page: what each took out, and how it was noticed. */
export function mutantPageOf(rows: readonly HostileMutantRow[], { command, commit }: Made): string {
  const caught = rows.filter(({ said }) => said !== '').length;
  return [
    '# Hostile callers against mutants',
    '',
    `Made by \`${command}\` at commit \`${commit}\`. Each mutant is a copy of the product without one`,
    'protection, and lets in the offender whom it held. Its harm must be noticed, or that the protection answers no more:',
    `**${caught} of ${rows.length} were caught.**`,
    '',
    '| Mutant | What its author might believe | Offender | Noticed by |',
    '|---|---|---|---|',
    ...rows.map(({ mutant: { name, why, offender }, said }) => (
      `| ${name} | ${why} | ${offender} | ${said === '' ? '**missed**' : said} |`
    )),
  ].join('\n') + '\n';
}

function answersOf(answers: Answers): string {
  const all = Object.entries(answers).toSorted(([, one], [, other]) => other - one);
  return all.map(([answer, count]) => `${answer} × ${count}`).join(', ') || 'none';
}
