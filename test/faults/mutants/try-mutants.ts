import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { runMatrix } from '../run/run-matrix.ts';
import { lineOf, type Row } from '../run/table.ts';
import type { Scenario } from '../scenario.ts';
import { MUTANTS } from './all-mutants.ts';
import { lineOfMutant, type MutantRows } from './mutant-page.ts';
import { runMutants, scenarioOf, type MutantRow } from './run-mutants.ts';

/** What is tried, and where the result goes. */
export interface TryOptions {
  /** Names of mutants, `controls` among them for their controls; everything when empty. */
  readonly names: readonly string[];
  readonly seed: number;
  readonly commit: string;
  readonly keeps: boolean;
  /** A file that keeps rows from one call to the next; empty for none. */
  readonly rowsFile: string;
  readonly leaving: AbortSignal;
  readonly print: (line: string) => void;
}

/** The result. */
export interface Tried {
  readonly passed: number;
  readonly failed: number;
  /** The newest row of every mutant and every control that has one. */
  readonly rows: MutantRows;
}

type Kept = { readonly commit: string } & (
  { readonly mutant: MutantRow } | { readonly control: Row }
);

const CONTROLS = 'controls';

/** Mutants must turn their run red; their controls, the same runs without them, stay green. */
export async function tryMutants(options: TryOptions): Promise<Tried> {
  const { names, commit, rowsFile, print } = options;
  const chosen = MUTANTS.filter(({ name }) => names.length === 0 || names.includes(name));
  const hasControls = names.length === 0 || names.includes(CONTROLS);
  if (chosen.length + Number(hasControls) < names.length) {
    throw new Error('No such mutant; see test/faults/mutants.');
  }
  const kept = rowsFile !== '' && existsSync(rowsFile) ? readRows(rowsFile) : [];
  const keep = (row: Kept): void => {
    kept.push(row);
    if (rowsFile !== '') appendFileSync(rowsFile, `${JSON.stringify(row)}\n`);
  };
  const controls = hasControls ? controlsOf() : [];
  let passed = 0;
  await runMutants(chosen, {
    ...options,
    onRow(mutant) {
      if (mutant.isCaught) passed += 1;
      print(lineOfMutant(mutant));
      keep({ commit, mutant });
    },
  });
  await runMatrix(controls, {
    ...options, onLine: print,
    onRow(control) {
      if (control.troubles.length === 0) passed += 1;
      print(`control ${lineOf(control)}`);
      keep({ commit, control });
    },
  });
  return { passed, failed: chosen.length + controls.length - passed, rows: newestOf(kept) };
}

function controlsOf(): readonly Scenario[] {
  return [...new Set(MUTANTS.map(scenarioOf))];
}

function readRows(path: string): Kept[] {
  return readFileSync(path, 'utf8').split('\n').filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Kept);
}

function newestOf(kept: readonly Kept[]): MutantRows {
  const newest = kept.toReversed();
  return {
    mutants: MUTANTS.flatMap(({ name, scenario }) => {
      const row = newest.find((each) => 'mutant' in each && each.mutant.mutant === name
        && each.mutant.scenario === scenario);
      return row !== undefined && 'mutant' in row ? [{ ...row.mutant, commit: row.commit }] : [];
    }),
    controls: controlsOf().flatMap(({ name }) => {
      const row = newest.find((each) => 'control' in each && each.control.name === name);
      return row !== undefined && 'control' in row ? [{ ...row.control, commit: row.commit }] : [];
    }),
  };
}
