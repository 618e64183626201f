import { FIXES_PER_DAY } from './fleet-sql.ts';
import { MAY_BE_EMPTY } from './questions.ts';
import type { ScaleResult, ScaleRow } from './run-scale.ts';

/** Tables with fewer rows are not in the head of the page. */
const ROWS_MIN = 100;

/** The rows as a page, with what they were asked of. */
export function pageOf(
  { fleet, tables, rows }: ScaleResult, command: string, commit: string, machine: string,
): string {
  const failed = rows.filter(({ isWithin }) => !isWithin).length;
  const fixes = fleet.devices * fleet.days * FIXES_PER_DAY;
  return [
    '# Questions at size', '',
    'Every query of the [cookbook](../../queries/README.md), every view, every panel of the dashboards and',
    'some more questions, asked as the analyst, with the analyst\'s limits.',
    `The tables hold about ${Math.round(fixes / 1e6)} million fixes of ${fleet.devices} devices on ${fleet.days} days, and what such a fleet has besides.`,
    'The better of two tries counts. A question without an answer is a failure.', '',
    '| Table | Rows |', '|---|---|',
    ...tables.filter(({ rows: held }) => held >= ROWS_MIN)
      .map(({ table, rows: held }) => `| \`${table}\` | ${held.toLocaleString('en')} |`), '',
    `\`${command}\` at commit ${commit}, ${machine}:`,
    `**${rows.length - failed} within their budget, ${failed} not.**`, '',
    '| Question | Rows answered | Seconds | Budget | Rows read, millions | Budget | MB read | MB of memory | |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows.map(tableRowOf), '',
    ...Object.entries(MAY_BE_EMPTY)
      .map(([name, reason]) => `- \`${name}\` may have no answer: ${reason}.`), '',
  ].join('\n');
}

function tableRowOf({ name, budget, answered, isWithin }: ScaleRow): string {
  const [seconds, rows] = budget === undefined
    ? ['none', 'none'] : [String(budget.seconds), String(budget.megaRows)];
  const verdict = isWithin ? 'ok' : 'no';
  if (!answered.ok) return `| ${name} | | failed | ${seconds} | | ${rows} | | | ${answered.reason} |`;
  const { cost } = answered;
  return `| ${name} | ${cost.answeredRows} | ${cost.seconds.toFixed(2)} | ${seconds} | ${cost.megaRows.toFixed(1)} | ${rows} `
    + `| ${cost.megaBytes.toFixed(0)} | ${cost.memoryMegaBytes.toFixed(0)} | ${verdict} |`;
}
