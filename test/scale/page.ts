import { FIXES_PER_DAY } from './fleet-sql.ts';
import type { ScaleResult, ScaleRow } from './run-scale.ts';

/** The rows as a page, with what they were asked of. */
export function pageOf(
  { fleet, rows }: ScaleResult, command: string, commit: string, machine: string,
): string {
  const failed = rows.filter(({ isWithin }) => !isWithin).length;
  const fixes = fleet.devices * fleet.days * FIXES_PER_DAY;
  return [
    '# Questions at size', '',
    'Every query of the [cookbook](../../queries/README.md) and some more, asked as the analyst, with the',
    `analyst's limits, of about ${Math.round(fixes / 1e6)} million fixes of ${fleet.devices} devices on ${fleet.days} days.`,
    'The better of two tries counts.', '',
    `\`${command}\` at commit ${commit}, ${machine}:`,
    `**${rows.length - failed} within their budget, ${failed} not.**`, '',
    '| Question | Seconds | Budget | Rows, millions | Budget | MB read | MB of memory | |',
    '|---|---|---|---|---|---|---|---|',
    ...rows.map(tableRowOf), '',
  ].join('\n');
}

function tableRowOf({ name, budget, answered, isWithin }: ScaleRow): string {
  const [seconds, rows] = budget === undefined
    ? ['none', 'none'] : [String(budget.seconds), String(budget.megaRows)];
  const verdict = isWithin ? 'ok' : 'no';
  if (!answered.ok) return `| ${name} | failed | ${seconds} | | ${rows} | | | ${answered.reason} |`;
  const { cost } = answered;
  return `| ${name} | ${cost.seconds.toFixed(2)} | ${seconds} | ${cost.megaRows.toFixed(1)} | ${rows} `
    + `| ${cost.megaBytes.toFixed(0)} | ${cost.memoryMegaBytes.toFixed(0)} | ${verdict} |`;
}
