import { readFileSync, writeFileSync } from 'node:fs';
import { OFFENDERS } from '../offenders/index.ts';
import { lineOf, mutantPageOf, pageOf, type MadeResult } from './page.ts';
import { runHostile } from './run-hostile.ts';
import { runHostileMutants } from './run-mutants.ts';

/** Which offenders to let in; all of them write the page. */
export interface ChosenOffenders {
  readonly smoke: boolean;
  readonly all: boolean;
  readonly only: readonly string[];
  /** A file for what the run saw, as JSON. */
  readonly save?: string;
}

/** Settings of every run. */
export interface HostileRun {
  /** Of the product, for the pages. */
  readonly commit: string;
  readonly seed: number;
  /** Calls of the honest, in percent of the usual ones. */
  readonly pace: number;
  /** Keeps the directory of a red run. */
  readonly keeps: boolean;
  readonly leaving: AbortSignal;
  readonly print: (line: string) => void;
}

const PAGE = new URL('../../../docs/reference/hostile.md', import.meta.url);
const MUTANTS_PAGE = new URL('../../../docs/reference/hostile-mutants.md', import.meta.url);
const NAMES = OFFENDERS.map(({ name }) => name);

/** The names of the offenders and what each does. */
export function offenderLines(): readonly string[] {
  return OFFENDERS.map(({ name, does }) => `${name}: ${does}`);
}

/** Runs mutants: each protection that is taken out must be noticed. Gives the exit code. */
export async function runChosenMutants(
  names: readonly string[], { commit, seed, pace, keeps, leaving, print }: HostileRun,
): Promise<number> {
  print(`seed ${seed}, commit ${commit}`);
  const rows = await runHostileMutants(names, {
    seed, pace, keeps, leaving, print,
  });
  const missed = rows.filter(({ said }) => said === '').length;
  if (names.length === 0) {
    const page = { command: `npm run hostile -- --mutants${saidOf(seed, pace)}`, commit };
    writeFileSync(MUTANTS_PAGE, mutantPageOf(rows, page));
  }
  print(`${rows.length - missed} passed, ${missed} failed`);
  return missed === 0 ? 0 : 1;
}

/** Lets offenders in, one after the other. Gives the exit code. */
export async function runChosen(
  { smoke, all, only, save }: ChosenOffenders,
  { commit, seed, pace, keeps, leaving, print }: HostileRun,
): Promise<number> {
  const chosen = OFFENDERS.filter(({ name, isSmoke }) => (
    all || only.includes(name) || (smoke && isSmoke === true)
  ));
  print(`seed ${seed}, commit ${commit}`);
  const result = await runHostile(chosen, {
    seed, pace, keeps, leaving, print, onRow: (row) => { print(lineOf(row)); },
  });
  result.violations.forEach(print);
  const words = saidAs({ smoke, all, only });
  const made = { ...result, command: `npm run hostile -- ${words}${saidOf(seed, pace)}`, commit };
  if (save !== undefined) writeFileSync(save, JSON.stringify(made));
  if (all) writeFileSync(PAGE, pageOf([made], NAMES));
  const passed = result.rows.filter(({ troubles }) => troubles.length === 0).length;
  const failed = chosen.length - passed + Number(result.violations.length > 0);
  print(`${result.losses}, honest callers ${result.violations.length === 0 ? 'unharmed' : 'harmed'}`);
  print(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

function saidAs({ smoke, all, only }: ChosenOffenders): string {
  if (all) return '--all';
  return [smoke ? '--smoke' : '', only.length > 0 ? `--only ${only.join(',')}` : '']
    .filter((word) => word !== '').join(' ');
}

function saidOf(seed: number, pace: number): string {
  return ` --seed ${seed}${pace === 100 ? '' : ` --pace ${pace}`}`;
}

/** Writes the page from runs that were saved. */
export function writePage(files: readonly string[]): number {
  const saved = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as MadeResult);
  writeFileSync(PAGE, pageOf(saved, NAMES));
  return 0;
}
