import { writeFileSync } from 'node:fs';
import { mutantPageOf } from '../mutants/mutant-page.ts';
import { tryMutants } from '../mutants/try-mutants.ts';
import { SCENARIOS } from '../scenarios/index.ts';
import { COMMANDS_SHOWN, repeatedCommands } from '../scenarios/repeated-commands.ts';
import { soakOf } from '../scenarios/soak.ts';
import { faultsPageOf, keepRows } from './faults-page.ts';
import { runMatrix } from './run-matrix.ts';
import { commandsPageOf, lineOf, soakPageOf } from './table.ts';

const PAGE = new URL('../../../docs/reference/faults.md', import.meta.url);
const SOAK_PAGE = new URL('../../../docs/reference/soak.md', import.meta.url);
/** A shorter soak is a try: it leaves the page alone. */
const SOAK_PAGE_SECONDS_MIN = 1_200;
const COMMANDS_PAGE = new URL('../../../docs/reference/faults-commands.md', import.meta.url);
const MUTANTS_PAGE = new URL('../../../docs/reference/faults-mutants.md', import.meta.url);

/** Settings of every run of faults. */
export interface FaultRun {
  /** Of the product, for the pages. */
  readonly commit: string;
  readonly seed: number;
  /** Keeps the directory of a red run. */
  readonly keeps: boolean;
  readonly leaving: AbortSignal;
  readonly print: (line: string) => void;
}

/** Which scenarios to run; all of them, or rows that are kept, write the page. */
export interface Chosen {
  readonly smoke: boolean;
  readonly all: boolean;
  readonly names: readonly string[];
  /** So many commands, repeated; as many as are shown write their page. */
  readonly commands: number | undefined;
  readonly soak: { readonly text: string; readonly seconds: number } | undefined;
  /** A file that keeps rows from one call to the next, for the page; empty for none. */
  readonly rowsFile: string;
}

/** The names of the scenarios and what each does. */
export function scenarioLines(): readonly string[] {
  return SCENARIOS.map(({ name, does, isSmoke }) => (
    `${isSmoke === true ? 'smoke ' : '      '}${name}: ${does}`
  ));
}

/** Runs mutants of the product: every one must turn its run red. Gives the exit code. */
export async function runMutants(
  names: readonly string[], rowsFile: string, { commit, seed, keeps, leaving, print }: FaultRun,
): Promise<number> {
  print(`seed ${seed}, commit ${commit}`);
  const { passed, failed, rows } = await tryMutants({
    names: [...names], seed, commit, keeps, rowsFile, leaving, print,
  });
  if (names.length === 0 || rowsFile !== '') writeFileSync(MUTANTS_PAGE, mutantPageOf(rows));
  print(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

/** Runs scenarios one after the other. Gives the exit code. */
export async function runFaults(
  { smoke, all, names, soak, commands, rowsFile }: Chosen,
  { commit, seed, keeps, leaving, print }: FaultRun,
): Promise<number> {
  print(`seed ${seed}, commit ${commit}`);
  const listed = SCENARIOS.filter((each) => (
    all || names.includes(each.name) || (smoke && each.isSmoke === true)
  ));
  const chosen = [
    ...(soak === undefined ? [] : [soakOf(soak.seconds)]),
    ...(commands === undefined ? [] : [repeatedCommands(commands)]),
    ...listed,
  ];
  const kept = keepRows(rowsFile);
  const rows = await runMatrix(chosen, {
    seed, keeps, leaving, onLine: print,
    onRow(row) {
      print(lineOf(row));
      kept.keep({ ...row, commit });
    },
  });
  const failed = chosen.length - rows.filter(({ troubles }) => troubles.length === 0).length;
  // What a signal ended early is no run to show.
  const first = leaving.aborted ? undefined : rows[0];
  if (all || rowsFile !== '') {
    writeFileSync(PAGE, faultsPageOf(kept.all()));
  } else if (first !== undefined && soak !== undefined && soak.seconds >= SOAK_PAGE_SECONDS_MIN) {
    const command = `npm run faults -- --soak ${soak.text} --seed ${seed}`;
    writeFileSync(SOAK_PAGE, soakPageOf(first, { command, commit }));
  }
  if (first !== undefined && commands !== undefined && commands >= COMMANDS_SHOWN) {
    const command = `npm run faults -- --commands ${commands} --seed ${seed}`;
    writeFileSync(COMMANDS_PAGE, commandsPageOf(first, { command, commit }));
  }
  print(`${chosen.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
