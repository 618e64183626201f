import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterOptions } from '../../faults/cluster/cluster-options.ts';
import type { CheckReport } from '../../faults/checker/report.ts';
import { lossesOf } from '../../faults/run/table.ts';
import type { Offender } from '../offender.ts';
import { openHouse, type House } from './house.ts';
import { judge, type Observed, type Seen } from './judge.ts';
import { startOffending, type Answers } from './offence.ts';

/** What came of one offender. */
export interface OffenceRow {
  readonly name: string;
  readonly does: string;
  readonly heldBy: string;
  readonly observed: Observed;
  readonly answers: Answers;
  readonly troubles: readonly string[];
}

/** What came of all of them. */
export interface HostileResult {
  readonly rows: readonly OffenceRow[];
  readonly losses: string;
  /** What the checker found about honest callers, in sentences. */
  readonly violations: readonly string[];
}

/** How offenders are run. */
export interface HostileOptions {
  readonly seed: number;
  readonly keeps: boolean;
  /** A changed copy of the product that every process runs. */
  readonly changed?: ClusterOptions['changed'];
  readonly leaving: AbortSignal;
  readonly print: (line: string) => void;
  readonly onRow: (row: OffenceRow) => void;
}

const WARM_UP_MS = 10_000;
const CALM_MS = 6_000;
const OFFENCE_MS = 10_000;
const AFTERMATH_MS = 3_000;
const VIOLATIONS_SHOWN_MAX = 10;

/** Lets offenders into one house, one after the other, and checks the honest at the end. */
export async function runHostile(
  offenders: readonly Offender[], options: HostileOptions,
): Promise<HostileResult> {
  const { seed, changed, print } = options;
  const dir = mkdtempSync(join(tmpdir(), 'rastro-hostile-'));
  const rows: OffenceRow[] = [];
  let isGood = false;
  let house: House | undefined;
  try {
    house = await openHouse(dir, seed, changed);
    print(`house ${dir} stands, everybody works`);
    await delay(WARM_UP_MS);
    let calm = await calmIn(house);
    for (const offender of offenders) {
      if (options.leaving.aborted) break;
      const row = await letIn(house, offender, calm);
      rows.push(row);
      options.onRow(row);
      calm = row.observed.calm.at(-1) ?? calm;
    }
    const report = await house.settle();
    const violations = violationsOf(report);
    isGood = violations.length === 0 && rows.every(({ troubles }) => troubles.length === 0);
    return { rows, losses: lossesOf(report), violations };
  } finally {
    await house?.close();
    if (isGood || !options.keeps) rmSync(dir, { recursive: true, force: true });
  }
}

async function calmIn(house: House): Promise<Seen> {
  const span = house.watch.begin();
  await delay(CALM_MS);
  return span.end().seen;
}

async function letIn(house: House, offender: Offender, before: Seen): Promise<OffenceRow> {
  const { name, does, heldBy, party = 'polite' } = offender;
  if (offender.hasPoisonedSecret === true) await house.sealSecret(true);
  house.party.behave(party);
  house.analyst.failed();
  const span = house.watch.begin();
  const offending = startOffending({ ...house.surroundings, name });
  await delay(OFFENCE_MS);
  const { seen: during } = span.end();
  const answers = await offending.stop();
  const failedQueries = house.analyst.failed();
  house.party.behave('polite');
  if (offender.hasPoisonedSecret === true) await house.sealSecret(false);
  await delay(AFTERMATH_MS);
  // Endings count until now: what an offender left behind may end a process later.
  const { processes } = span.end();
  const after = await calmIn(house);
  const observed: Observed = {
    calm: [before, after], during, processes, failedQueries,
    isAnalyst: offender.isAnalyst === true,
    offences: Object.values(answers).reduce((sum, count) => sum + count, 0),
  };
  return { name, does, heldBy, observed, answers, troubles: judge(observed) };
}

function violationsOf({ verdicts }: CheckReport): readonly string[] {
  return verdicts.flatMap(({ violations }) => violations)
    .slice(0, VIOLATIONS_SHOWN_MAX)
    .map(({ invariant, kind, explanation }) => `${invariant} ${kind}: ${explanation}`);
}
