import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { machineFacts } from '../bench/measure/machine.ts';
import { runMatrix } from '../faults/run/run-matrix.ts';
import type { actsOf } from './acts/index.ts';
import { lineOf, pageOf, type PlayedAct } from './page.ts';

/** Which acts to play, and where their results go. */
export interface ActsRun {
  readonly acts: ReturnType<typeof actsOf>;
  /** Names of those to play; all when empty. */
  readonly only: readonly string[];
  readonly earlier: string;
  readonly seed: number;
  readonly keeps: boolean;
  /** Where the page goes; nowhere when absent. */
  readonly page: string | undefined;
  /** Where acts of several calls are kept for one page. */
  readonly rows: string | undefined;
  readonly leaving: AbortSignal;
  readonly print: (line: string) => void;
}

/** Plays acts one after the other and gives the exit code. */
export async function runActs(
  { acts, only, earlier, seed, keeps, page, rows: rowsFile, leaving, print }: ActsRun,
): Promise<number> {
  const chosen = acts.filter(({ name }) => only.length === 0 || only.includes(name));
  const { commit, cores, loadBefore: load } = machineFacts();
  print(`seed ${seed}, commit ${commit}, earlier release ${earlier}`);
  const rows = await runMatrix(chosen, {
    seed, keeps, leaving, onLine: print, onRow: (row) => { print(lineOf(row)); },
  });
  const played = rows.map((row): PlayedAct => ({
    row, commit, cores, load,
    command: `npm run rehearse -- --only ${row.name} --seed ${seed} --earlier ${earlier}`,
  }));
  const known = rowsFile === undefined ? played : keep(rowsFile, played);
  if (page !== undefined) {
    writeFileSync(page, pageOf(acts.flatMap(({ name }) => (
      known.filter((one) => one.row.name === name)
    ))));
  }
  const failed = chosen.length - rows.filter(({ troubles }) => troubles.length === 0).length;
  print(`${chosen.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

/** Adds acts to those of earlier calls; one that was played again takes the place of the old. */
function keep(path: string, played: readonly PlayedAct[]): readonly PlayedAct[] {
  const before = existsSync(path)
    ? JSON.parse(readFileSync(path, 'utf8')) as readonly PlayedAct[]
    : [];
  const all = [
    ...before.filter(({ row }) => played.every((one) => one.row.name !== row.name)), ...played,
  ];
  writeFileSync(path, `${JSON.stringify(all, undefined, 2)}\n`);
  return all;
}
