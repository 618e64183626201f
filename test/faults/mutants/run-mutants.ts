import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckReport, InvariantName } from '../checker/report.ts';
import { PROCESS_NAMES } from '../cluster/cluster-processes.ts';
import { runScenario, type RunResult } from '../run/run-scenario.ts';
import { openTenancy } from '../run/tenancy.ts';
import type { Scenario } from '../scenario.ts';
import { SCENARIOS } from '../scenarios/index.ts';
import type { Mutant } from './mutant.ts';
import { MUTANT_SCENARIOS } from './scenarios.ts';

/** The result of one mutant; plain data, so that rows can be kept in a file. */
export interface MutantRow {
  readonly mutant: string;
  /** The scenario that it was run with: a row of another one says nothing any more. */
  readonly scenario: string;
  readonly seed: number;
  /** Every invariant that was named, with how often by which kinds. */
  readonly named: Readonly<Partial<Record<InvariantName, Readonly<Record<string, number>>>>>;
  /** What the checker said first about an invariant that the mutant breaks; empty when missed. */
  readonly said: string;
  /** True when one of the invariants that it breaks was named. */
  readonly isCaught: boolean;
  /** Why the run could not be checked; empty when it was. */
  readonly trouble: string;
  readonly seconds: number;
}

/** How mutants are run. */
export interface MutantOptions {
  readonly seed: number;
  /** True to keep the directory of what was missed. */
  readonly keeps: boolean;
  readonly onRow: (row: MutantRow) => void;
  /** Aborted when no further run is wanted. */
  readonly leaving: AbortSignal;
}

/** Runs every mutant in a cluster of its own, one after the other. */
export async function runMutants(
  mutants: readonly Mutant[], options: MutantOptions,
): Promise<void> {
  for (const mutant of mutants) {
    if (options.leaving.aborted) break;
    options.onRow(await runMutant(mutant, options));
  }
}

async function runMutant(
  mutant: Mutant, { seed, keeps, leaving }: MutantOptions,
): Promise<MutantRow> {
  const dir = mkdtempSync(join(tmpdir(), 'rastro-mutant-'));
  const begunMs = performance.now();
  const row = (what: Pick<MutantRow, 'named' | 'said' | 'trouble'>): MutantRow => ({
    mutant: mutant.name, scenario: mutant.scenario, seed, ...what, isCaught: what.said !== '',
    seconds: Math.round((performance.now() - begunMs) / 1_000),
  });
  let isKept = keeps;
  try {
    const { report, played } = await runOn(mutant, join(dir, 'cluster'), seed, leaving);
    const done = row({
      named: namedIn(report), said: saidIn(report, mutant),
      trouble: played.missed.map((name) => `Never had its chance: ${name}.`).join(' '),
    });
    isKept &&= !done.isCaught;
    return done;
  } catch (error) {
    const trouble = error instanceof Error ? error.message : String(error);
    return row({ named: {}, said: '', trouble });
  } finally {
    if (!isKept) rmSync(dir, { recursive: true, force: true });
  }
}

async function runOn(
  mutant: Mutant, dir: string, seed: number, leaving: AbortSignal,
): Promise<RunResult> {
  const scenario = scenarioOf(mutant);
  const tenancy = await openTenancy(dir, seed, {
    ...scenario.ownCluster,
    changed: {
      names: scenario.ownCluster?.processes ?? PROCESS_NAMES, patches: mutant.patches,
      isForTables: true,
    },
  });
  try {
    return await runScenario(tenancy, scenario, seed, {
      wipe: mutant.breaks.includes('I3'), onRemark: () => undefined, leaving,
    });
  } finally {
    await tenancy.close();
  }
}

/** The scenario that exposes a mutant. */
export function scenarioOf({ name, scenario }: Mutant): Scenario {
  const found = [...SCENARIOS, ...MUTANT_SCENARIOS].find((each) => each.name === scenario);
  if (found === undefined) throw new Error(`The mutant ${name} wants an unknown ${scenario}.`);
  return found;
}

function namedIn({ verdicts }: CheckReport): MutantRow['named'] {
  return Object.fromEntries(verdicts.filter(({ violations }) => violations.length > 0)
    .map(({ invariant, violations }) => {
      const kinds = Map.groupBy(violations, ({ kind }) => kind);
      return [invariant, Object.fromEntries([...kinds].map(([kind, own]) => [kind, own.length]))];
    }));
}

function saidIn({ verdicts }: CheckReport, { breaks }: Mutant): string {
  const [first] = breaks.flatMap((name) => (
    verdicts.find(({ invariant }) => invariant === name)?.violations ?? []
  ));
  return first === undefined ? '' : `${first.invariant} ${first.kind}: ${first.explanation}`;
}
