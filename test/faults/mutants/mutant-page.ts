import { INVARIANTS } from '../checker/report.ts';
import type { Row } from '../run/table.ts';
import { MUTANTS } from './all-mutants.ts';
import type { Mutant } from './mutant.ts';
import { scenarioOf, type MutantRow } from './run-mutants.ts';

/** Rows of mutants and their controls that were tried, each with the commit that was run. */
export interface MutantRows {
  readonly mutants: readonly (MutantRow & { readonly commit: string })[];
  readonly controls: readonly (Row & { readonly commit: string })[];
}

/** Lines about a mutant: caught or not, and what was said about it. */
export function lineOfMutant(row: MutantRow): string {
  const { breaks } = mutantOf(row);
  const end = row.trouble || namedOf(row) || 'nothing was said';
  const head = `${row.isCaught ? 'caught' : 'MISSED'}  ${row.mutant} (${row.scenario}, breaks `
    + `${breaks.join(' ')}, seed ${row.seed}, ${row.seconds} s): ${end}`;
  return row.said === '' ? head : `${head}\n     ${row.said}`;
}

/** The whole table as a page. */
export function mutantPageOf({ mutants, controls }: MutantRows): string {
  const head = ['Mutant', 'Scenario', 'Breaks', 'Named', 'Seed', 'Commit'];
  const lines = mutants.map((row) => {
    const { name, scenario, breaks } = mutantOf(row);
    return [
      `${row.isCaught ? '' : '**missed** '}${name}`, scenario, breaks.join(' '), namedOf(row),
      String(row.seed), row.commit,
    ];
  });
  const untried = MUTANTS.filter(({ name }) => mutants.every(({ mutant }) => mutant !== name));
  const caught = mutants.filter(({ isCaught }) => isCaught).length;
  return [
    '# Mutants and the invariants that name them',
    '',
    'Made by `npm run faults -- --mutants`; one row again: `npm run faults -- --mutants NAME --seed N`.',
    `${caught} of ${MUTANTS.length} mutants were caught, ${untried.length} were not tried.`,
    'Each is a changed copy of the product, as real processes under faults, checked by the checker of',
    'every other run, which must name one of the invariants that the mutant breaks. A count is how',
    'many violations of a kind it found; what else is named follows from the same defect. The',
    'invariants are those of [test/faults/checker](../../test/faults/checker/README.md), the changes',
    'are in [test/faults/mutants](../../test/faults/mutants/README.md).',
    '',
    ...tableOf(head, lines),
    '',
    ...(untried.length === 0 ? [] : [
      `**Not tried yet:** ${untried.map(({ name }) => name).join(', ')}.`, '',
    ]),
    '## Controls',
    '',
    'The unchanged product under the same scenarios and seeds: a number is how many things were',
    'examined and held, ✗ how often one was broken. `npm run faults -- --mutants controls --seed N`.',
    '',
    ...tableOf(['Scenario', ...INVARIANTS, 'Seed', 'Commit'], controls.map((row) => [
      `${row.troubles.length === 0 ? '' : '**red** '}${row.name}`,
      ...INVARIANTS.map((_, at) => row.cells[at] ?? '·'), String(row.seed), row.commit,
    ])),
    '',
    '## What each one is, and what was said of it',
    '',
    ...mutants.flatMap((row) => [
      `- **${row.mutant}** — *${mutantOf(row).why}*`,
      `  ${row.said || row.trouble || 'Nothing was said.'}`,
    ]),
    '',
    '## What happens in each scenario',
    '',
    ...new Set(MUTANTS.map(scenarioOf).map(({ name, does }) => `- **${name}**: ${does}.`)),
  ].join('\n').trimEnd() + '\n';
}

function tableOf(
  head: readonly string[], lines: readonly (readonly string[])[],
): readonly string[] {
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`);
}

function namedOf({ named }: MutantRow): string {
  return Object.entries(named).map(([invariant, kinds]) => (
    `${invariant} ${Object.entries(kinds).map(([kind, times]) => `${kind}×${times}`).join(' ')}`
  )).join(', ');
}

function mutantOf({ mutant }: MutantRow): Mutant {
  const found = MUTANTS.find(({ name }) => name === mutant);
  if (found === undefined) throw new Error(`No mutant ${mutant}.`);
  return found;
}
