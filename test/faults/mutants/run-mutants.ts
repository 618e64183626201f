import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InvariantName, ViolationKind } from '../checker/report.ts';
import { PROCESS_NAMES } from '../house/house-processes.ts';
import { runScenario } from '../run/run-scenario.ts';
import { openTenancy } from '../run/tenancy.ts';
import type { Scenario } from '../scenario.ts';
import { SCENARIOS } from '../scenarios/index.ts';
import type { Mutant } from './mutant.ts';
import { MUTANT_SCENARIOS } from './scenarios.ts';

/** What came of one mutant. */
export interface MutantRow {
  readonly mutant: Mutant;
  /** Every invariant that was named, with how often by which kinds. */
  readonly named: ReadonlyMap<InvariantName, ReadonlyMap<ViolationKind, number>>;
  /** True when one of the invariants that it breaks was named. */
  readonly isCaught: boolean;
  /** Why the run could not be judged; undefined when it was. */
  readonly trouble: string | undefined;
  readonly seconds: number;
}

/** How mutants are run. */
export interface MutantOptions {
  readonly seed: number;
  readonly onRow: (row: MutantRow) => void;
  /** Aborted when no further run is wanted. */
  readonly leaving: AbortSignal;
}

/** Runs every mutant in a house of its own, one after the other. */
export async function runMutants(
  mutants: readonly Mutant[], options: MutantOptions,
): Promise<readonly MutantRow[]> {
  const rows: MutantRow[] = [];
  for (const mutant of mutants) {
    if (options.leaving.aborted) break;
    const row = await runMutant(mutant, options.seed);
    rows.push(row);
    options.onRow(row);
  }
  return rows;
}

async function runMutant(mutant: Mutant, seed: number): Promise<MutantRow> {
  const dir = mkdtempSync(join(tmpdir(), 'rastro-mutant-'));
  const begunMs = performance.now();
  const secondsTaken = (): number => Math.round((performance.now() - begunMs) / 1_000);
  const named = new Map<InvariantName, Map<ViolationKind, number>>();
  try {
    const scenario = scenarioOf(mutant);
    const tenancy = await openTenancy(join(dir, 'house'), seed, {
      ...scenario.ownHouse,
      changed: { names: PROCESS_NAMES, patches: mutant.patches, isForTables: true },
    });
    try {
      const { report } = await runScenario(tenancy, scenario, seed, {
        wipe: mutant.breaks.includes('I3'),
      });
      for (const { invariant, violations } of report.verdicts) {
        for (const { kind } of violations) count(named, invariant, kind);
      }
    } finally {
      await tenancy.close();
    }
    const isCaught = mutant.breaks.some((invariant) => named.has(invariant));
    return { mutant, named, isCaught, trouble: undefined, seconds: secondsTaken() };
  } catch (error) {
    const trouble = error instanceof Error ? error.message : String(error);
    return { mutant, named, isCaught: false, trouble, seconds: secondsTaken() };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function scenarioOf({ name, scenario }: Mutant): Scenario {
  const found = [...SCENARIOS, ...MUTANT_SCENARIOS].find((each) => each.name === scenario);
  if (found === undefined) throw new Error(`The mutant ${name} wants an unknown ${scenario}.`);
  return found;
}

function count(
  named: Map<InvariantName, Map<ViolationKind, number>>, invariant: InvariantName,
  kind: ViolationKind,
): void {
  const kinds = named.get(invariant) ?? new Map<ViolationKind, number>();
  kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  named.set(invariant, kinds);
}

/** One line about a mutant: caught or not, and what was said about it. */
export function lineOfMutant({ mutant, named, isCaught, trouble, seconds }: MutantRow): string {
  const said = [...named].map(([invariant, kinds]) => (
    `${invariant} ${[...kinds].map(([kind, times]) => `${kind}×${times}`).join(' ')}`
  ));
  const end = trouble ?? (said.join(', ') || 'nothing was said');
  return `${isCaught ? 'caught' : 'MISSED'}  ${mutant.name} (${mutant.scenario}, breaks `
    + `${mutant.breaks.join(' ')}, ${seconds} s): ${end}`;
}
