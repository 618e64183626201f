import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { checkRun } from '../checker/check-run.ts';
import type { CheckReport } from '../checker/report.ts';
import { createDice } from '../dice.ts';
import { RUN_FILES, type RunRecord } from '../run-files.ts';
import type { Scenario } from '../scenario.ts';
import { nowNs } from '../workload/history-writer.ts';
import { USUAL_LOAD, type Load } from '../workload/pace.ts';
import { startWorkload } from '../workload/workload.ts';
import { measureCapacity } from './capacity.ts';
import { growthIn, type Growth } from './growth.ts';
import { healAll, settle, SETTLE_MS_MAX, type Settled } from './heal.ts';
import { playSchedule, type Played } from './schedule.ts';
import type { Tenancy } from './tenancy.ts';

/** What came of one run. */
export interface Outcome extends Settled {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly played: Played;
  /** Clients that could not end their calls within 60 s of the heal. */
  readonly isLate: boolean;
  /** Alarms that nobody raised. */
  readonly unsaid: readonly string[];
  readonly growth: readonly Growth[];
  readonly report: CheckReport;
  readonly tookMs: number;
  /** Calls a second that the house could answer before the run, where that was measured. */
  readonly capacity: number | undefined;
  /** What the scenario told of itself, in lines. */
  readonly notes: readonly string[];
}

const WARM_UP_MS = 1_500;
const AFTERMATH_MS = 2_500;

/** Runs one scenario in a house, heals, waits for quiet, and has everything judged. */
export async function runScenario(
  tenancy: Tenancy, scenario: Scenario, seed: number,
  options: { readonly wipe: boolean; readonly onNote: (line: string) => void },
): Promise<Outcome> {
  const capacity = scenario.isAtHalfCapacity === true
    ? await measureCapacity(tenancy, seed) : undefined;
  const begunMs = performance.now();
  const epoch = { t_ns: nowNs(), at_ms: Date.now() };
  const { house, parties, residents, history, personalName } = tenancy;
  const dice = createDice(`${scenario.name}/${seed}`);
  const workload = startWorkload({
    house, residents, history, dice: dice.fork('workload'), personalName,
    isBalanced: scenario.isBalanced === true, load: loadOf(scenario, capacity),
    prefix: `${scenario.name.replaceAll('-', '')}${seed}`,
  });
  tenancy.listen(workload);
  const notes: string[] = [];
  const note = (line: string): void => {
    notes.push(line);
    options.onNote(line);
  };
  let isLate = true;
  let played: Played = { armed: 0, missed: [], errors: [] };
  let healedMs = performance.now();
  let healed_ns = nowNs();
  try {
    await delay(WARM_UP_MS);
    played = await playSchedule(
      scenario.plan(dice.fork('faults')), scenario.seconds * 1_000,
      { house, parties, residents, note, mustNotLeak: (text) => { tenancy.canaries.push(text); } },
      tenancy.faults,
    );
    for (const party of parties) party.setMood('usual');
    await healAll(house);
    [healedMs, healed_ns] = [performance.now(), nowNs()];
    await delay(AFTERMATH_MS);
  } finally {
    workload.stop();
    isLate = await workload.ended(SETTLE_MS_MAX);
  }
  const quiet_ns = nowNs();
  const isStill = scenario.allows?.includes('stands-still') === true;
  const settled = await settle(house, healedMs, isStill ? 0 : SETTLE_MS_MAX);
  tenancy.listen(undefined);
  const record: RunRecord = {
    scenario: scenario.name, seed, epoch, healed_ns, quiet_ns, ...settled,
    ...(isLate ? { settled_ms: null } : {}),
    stack: house.addresses, processes: await tenancy.writeDown(), canaries: tenancy.canaries,
    aims: scenario.aims, allows: scenario.allows ?? [],
  };
  writeFileSync(join(tenancy.dir, RUN_FILES.record), JSON.stringify(record, null, 2));
  const unsaid = (scenario.mustSay ?? []).filter((text) => !isSaid(tenancy, text));
  // Who stands still on purpose cannot bring back what is wiped.
  const report = await checkRun(tenancy.dir, { wipe: options.wipe && !isStill });
  return {
    scenario, seed, played, isLate, unsaid, report, ...settled,
    growth: growthIn(tenancy.dir), capacity, notes, tookMs: performance.now() - begunMs,
  };
}

function loadOf({ callsPerSecond }: Scenario, capacity: number | undefined): Load {
  if (capacity !== undefined) return { pauseMsMax: 0, callsPerSecond: capacity / 2 };
  return callsPerSecond === undefined ? USUAL_LOAD : { ...USUAL_LOAD, callsPerSecond };
}

function isSaid({ dir, house }: Tenancy, text: string): boolean {
  return [...house.processes.keys()]
    .some((name) => readFileSync(join(dir, name, 'output.log'), 'utf8').includes(text));
}
