import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { INVARIANTS } from '../checker/report.ts';
import { SCENARIOS } from '../scenarios/index.ts';
import type { Row } from './table.ts';

/** The row of a run with the commit that was run. */
export type KeptRow = Row & { readonly commit: string };

/** Rows of this call and of calls before it. */
export interface KeptRows {
  keep(row: KeptRow): void;
  all(): readonly KeptRow[];
}

/** Keeps rows in a file, so that several calls make one page; an empty name keeps those of one. */
export function keepRows(file: string): KeptRows {
  const rows = file !== '' && existsSync(file) ? readRows(file) : [];
  return {
    keep(row) {
      rows.push(row);
      if (file !== '') appendFileSync(file, `${JSON.stringify(row)}\n`);
    },
    all: () => rows,
  };
}

/** The whole table as a page: the newest run of each scenario, and how it did with other seeds. */
export function faultsPageOf(kept: readonly KeptRow[]): string {
  const runs = SCENARIOS.map(({ name }) => newestBySeed(kept.filter((row) => row.name === name)));
  const rows = runs.flatMap(([newest]) => newest ?? []);
  const untried = SCENARIOS.filter((_, at) => runs[at]?.length === 0);
  const total = rows.reduce((sum, { counts }) => sum + (counts['tries'] ?? 0), 0);
  const red = runs.flat().filter((row) => row.troubles.length > 0);
  return [
    '# Faults and invariants',
    '',
    'Made by `npm run faults -- --all`, or by several calls with `--rows FILE`; one row again:',
    '`npm run faults -- --only NAME --seed N`.',
    `${rows.length} scenarios, ${total} tries checked (runs of one cluster are checked together).`,
    'A number is how many things were examined and held; ✗ how often one was broken; · that the run',
    'had none of the kind. *Quiet* is the time from the last heal until every group had read and',
    'stored everything. Runs of one cluster are checked together, so numbers grow down the table.',
    'The invariants are those of [test/faults/checker](../../test/faults/checker/README.md).',
    '',
    ...tableOf(['Fault', ...INVARIANTS, 'Quiet, ms', 'Seed', 'Commit'], rows.map((row) => [
      `${row.troubles.length === 0 ? '' : '**red** '}${row.name}`,
      // A row from before an invariant examined nothing of it.
      ...INVARIANTS.map((_, at) => row.cells[at] ?? '·'),
      row.quietAfterMs === null ? '—' : String(row.quietAfterMs), String(row.seed), row.commit,
    ])),
    '',
    ...(untried.length === 0 ? [] : [
      `**Not run yet:** ${untried.map(({ name }) => name).join(', ')}.`, '',
    ]),
    ...seedsOf(runs),
    '## What happens in each',
    '',
    ...rows.flatMap(({ name, does, aims, remarks }) => [
      `- **${name}**: ${does} (${aims.join(', ')}).`, ...remarks.map((line) => `  - ${line}`),
    ]),
    '',
    ...(red.length === 0 ? [] : ['## Red', '']),
    ...red.flatMap(({ name, seed, troubles }) => (
      troubles.map((trouble) => `- ${name}, seed ${seed}: ${trouble}`)
    )),
  ].join('\n').trimEnd() + '\n';
}

/** What was run with more than one seed. */
function seedsOf(runs: readonly (readonly KeptRow[])[]): readonly string[] {
  const several = runs.filter(({ length }) => length > 1);
  if (several.length === 0) return [];
  return [
    '## Several seeds',
    '',
    ...several.map((rows) => {
      const green = rows.filter(({ troubles }) => troubles.length === 0).length;
      const seeds = rows.map(({ seed }) => seed).toSorted((a, b) => a - b);
      const commits = [...new Set(rows.map(({ commit }) => commit))];
      return `- **${rows[0]?.name ?? ''}**: green in ${green} of ${rows.length} runs, seeds `
        + `${seeds.join(', ')}, at ${commits.join(', ')}.`;
    }),
    '',
  ];
}

/** The newest row of each seed, the newest of all first. */
function newestBySeed(rows: readonly KeptRow[]): readonly KeptRow[] {
  const newest = rows.toReversed();
  return newest.filter((row, at) => newest.findIndex(({ seed }) => seed === row.seed) === at);
}

function readRows(path: string): KeptRow[] {
  return readFileSync(path, 'utf8').split('\n').filter((line) => line !== '')
    .map((line) => JSON.parse(line) as KeptRow);
}

function tableOf(
  head: readonly string[], lines: readonly (readonly string[])[],
): readonly string[] {
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`);
}
