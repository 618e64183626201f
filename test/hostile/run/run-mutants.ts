import { HOSTILE_MUTANTS } from '../mutants/index.ts';
import type { HostileMutant } from '../mutants/mutant.ts';
import { OFFENDERS } from '../offenders/index.ts';
import { allowedP99Ms } from './assess.ts';
import { HOSTILE_PROCESSES } from './hostile-cluster.ts';
import { runHostile, type HostileOptions } from './run-hostile.ts';

/** The result of one mutant. */
export interface HostileMutantRow {
  readonly mutant: HostileMutant;
  /** What was noticed; empty when it was missed. */
  readonly said: string;
}

/** Troubles of a span that shows nothing; see assess.ts. */
const EMPTY = /^(The offender did nothing|Only \d+ honest calls)/;

/** Honest calls that waited a little too long show no mutant on a machine with other work. */
function mayBeNoise(p99Ms: number, allowedMs: number): boolean {
  return p99Ms < 2 * allowedMs;
}

function isMoreThanTime(trouble: string): boolean {
  return !trouble.startsWith('The honest p99');
}

/** Runs mutants one after the other, each in a cluster of its own with its offender. */
export async function runHostileMutants(
  names: readonly string[], options: Omit<HostileOptions, 'changed' | 'onRow'>,
): Promise<readonly HostileMutantRow[]> {
  const rows: HostileMutantRow[] = [];
  for (const mutant of HOSTILE_MUTANTS) {
    if (options.leaving.aborted) break;
    if (names.length > 0 && !names.includes(mutant.name)) continue;
    const said = await saidOf(mutant, options);
    options.print(`${said === '' ? 'MISSED' : 'caught'} ${mutant.name}: ${said}`);
    rows.push({ mutant, said });
  }
  return rows;
}

/** The first harm that is noticed. Rejects when the cluster could not be built. */
async function saidOf(
  { offender, patches }: HostileMutant, options: Omit<HostileOptions, 'changed' | 'onRow'>,
): Promise<string> {
  const chosen = OFFENDERS.filter(({ name }) => name === offender);
  if (chosen.length === 0) throw new Error(`No offender ${offender}.`);
  const { rows, violations } = await runHostile(chosen, {
    ...options, changed: { names: HOSTILE_PROCESSES, patches, isForTables: true },
    onRow: () => undefined,
  });
  const harms = rows.flatMap(({ troubles, observed: { calm, during } }) => (
    mayBeNoise(during.p99Ms, allowedP99Ms(calm)) ? troubles.filter(isMoreThanTime) : troubles
  )).filter((trouble) => !EMPTY.test(trouble));
  return [...harms, ...violations][0] ?? '';
}
