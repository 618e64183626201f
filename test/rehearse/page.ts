import type { Row } from '../faults/run/table.ts';

/** A row with what made it. */
export interface PlayedAct {
  readonly row: Row;
  readonly command: string;
  readonly commit: string;
  /** Load of the minute before, where it was read; above the cores others were at work. */
  readonly load?: number;
  readonly cores: number;
}

const NONE = 'lost=0 doubled=0 unexplained=0';

/** One act for the terminal. */
export function lineOf(
  { name, seed, seconds, quietAfterMs, losses, troubles, counts }: Row,
): string {
  const quiet = quietAfterMs === null ? 'never quiet' : `quiet after ${quietAfterMs} ms`;
  return [
    `${troubles.length === 0 ? 'ok  ' : 'FAIL'} ${name} (seed ${seed}, ${seconds} s, ${quiet}): `
      + `${losses}, ${counts['tries'] ?? 0} tries, ${counts['accepted_items'] ?? 0} items accepted`,
    ...troubles.map((trouble) => `     ${trouble}`),
  ].join('\n');
}

/** All acts as a page: the result of each, and what each step took. */
export function pageOf(acts: readonly PlayedAct[]): string {
  const head = ['Act', 'Tries', 'Items accepted', 'Fates', 'Quiet, ms', 'Length, s'];
  const lines = acts.map(({ row }) => [
    `${row.troubles.length === 0 ? '' : '**red** '}${row.name}`,
    row.counts['tries'] ?? 0, row.counts['accepted_items'] ?? 0,
    row.losses === NONE ? `\`${NONE}\`` : `**${row.losses}**`,
    row.quietAfterMs ?? '—', row.seconds,
  ]);
  return `${[
    '# Rehearsed: deploy, rollback, scale, rotation, restore, runbooks',
    '',
    'Made by the commands below, each act in its own cluster: real processes and parts, clients of',
    'every kind that repeat what was not answered, and the checker of',
    '[test/faults](../../test/faults/README.md), which reads log, tables, state and every answer when',
    'the act is over. *Quiet* is from the end of the act until every group had read and stored all.',
    'Harness, parts and product share one machine, so times say what an act costs there, not more;',
    'a load above the number of cores says that others were at work too.',
    '',
    ...[head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`),
    ...acts.flatMap(sectionOf),
  ].join('\n').trimEnd()}\n`;
}

function sectionOf({ row, command, commit, load, cores }: PlayedAct): readonly string[] {
  return [
    '', `## ${row.name}`, '',
    `${row.does[0]?.toUpperCase() ?? ''}${row.does.slice(1)}.`,
    `\`${command}\` at commit \`${commit}\`, on ${cores} cores`
      + `${load === undefined ? '' : ` with a load of ${load} before`}.`, '',
    ...row.remarks.map((remark) => `- ${remark}`),
    ...row.troubles.map((trouble) => `- **red**: ${trouble}`),
  ];
}
