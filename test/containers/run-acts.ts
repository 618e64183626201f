import { complaintOf, secondsSince, type Act, type ActFinding } from './acts/act.ts';

/** How one act, or the proof of one, ended. */
export interface ActRow {
  readonly name: string;
  readonly does: string;
  readonly took: string;
  readonly seen: string;
  readonly complaints: readonly string[];
}

/** How acts are played. */
export interface Playing {
  /** True when each act is proved by its offences instead. */
  readonly proves: boolean;
  readonly leaving: AbortSignal;
  /** Takes the rows, and how long all took, after a run (no proof) in which every act passed. */
  readonly writePage?: ((rows: readonly ActRow[], tookMs: number) => void) | undefined;
}

/** Plays acts or proves them, prints how many passed, and gives the exit code. */
export async function playActs<Place extends { readonly print: (line: string) => void }>(
  acts: readonly Act<Place>[], stage: Place, { proves, leaving, writePage }: Playing,
): Promise<number> {
  const beganMs = performance.now();
  const rows = await runActs(
    acts, stage, (act) => (proves ? prove(act, stage) : act.run(stage)), leaving,
  );
  const failed = rows.filter(({ complaints }) => complaints.length > 0).length;
  if (!proves && failed === 0) writePage?.(rows, performance.now() - beganMs);
  stage.print(`${rows.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

/**
 * Runs acts one after the other. After one that failed, unless it stands aside, only the last runs,
 * which ends all.
 */
export async function runActs<Place extends { readonly print: (line: string) => void }>(
  acts: readonly Act<Place>[], stage: Place, play: (act: Act<Place>) => Promise<ActFinding>,
  leaving: AbortSignal,
): Promise<readonly ActRow[]> {
  const rows: ActRow[] = [];
  for (const [index, act] of acts.entries()) {
    const failed = acts.find(({ isAside }, at) => (
      isAside !== true && (rows[at]?.complaints ?? []).length > 0));
    const isLast = index === acts.length - 1;
    const beganMs = performance.now();
    const finding = leaving.aborted ? notRun('the run was ended')
      : failed === undefined || isLast ? await play(act).catch(broken)
        : notRun(`the act ${failed.name} failed`);
    const row = { name: act.name, does: act.does, took: secondsSince(beganMs), ...finding };
    rows.push(row);
    lineOf(row, index + 1).forEach(stage.print);
  }
  return rows;
}

/** Seeds what an act must notice, all at once; then, without it, the act must pass. */
export async function prove<Place>(act: Act<Place>, stage: Place): Promise<ActFinding> {
  const undo: (() => Promise<void> | void)[] = [];
  let complaints: readonly string[] = [];
  try {
    for (const { seed } of act.offences) undo.push(await seed(stage));
    ({ complaints } = await act.run(stage));
  } finally {
    for (const back of undo.toReversed()) await back();
  }
  const missed = unnoticed(act, complaints);
  const after = await act.run(stage);
  return {
    seen: act.offences.map(({ name }) => name).join(', '),
    complaints: [...missed, ...after.complaints.map((each) => `without an offence: ${each}`)],
  };
}

/** Offences that no complaint names. */
export function unnoticed<Place>(
  { offences }: Pick<Act<Place>, 'offences'>, complaints: readonly string[],
): readonly string[] {
  return offences.filter(({ said }) => !complaints.some((complaint) => said.test(complaint)))
    .map(({ name }) => `unnoticed: ${name}; said: ${complaints.join(' / ') || 'nothing'}`);
}

/** The lines of an act for people. */
export function lineOf(
  { name, took, seen, complaints }: ActRow, number: number,
): readonly string[] {
  const passed = complaints.length === 0;
  return [
    `${number} ${name.padEnd(12)} ${passed ? 'passed' : 'FAILED'} ${took.padStart(6)}  ${passed ? seen : ''}`
      .trimEnd(),
    ...complaints.map((complaint) => `    ${complaint}`),
  ];
}

function notRun(why: string): ActFinding {
  return { seen: '', complaints: [`not run: ${why}`] };
}

function broken(error: unknown): ActFinding {
  return { seen: '', complaints: [complaintOf(error)] };
}
