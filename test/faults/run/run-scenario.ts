import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '../../../infra/local/wait.ts';
import { checkRun } from '../checker/check-run.ts';
import type { CheckReport } from '../checker/report.ts';
import { createDice } from '../dice.ts';
import { RUN_FILES, type RunRecord } from '../run-files.ts';
import type { Scenario } from '../scenario.ts';
import { nowNs } from '../workload/history-writer.ts';
import { USUAL_LOAD, type Load } from '../workload/pace.ts';
import { startWorkload } from '../workload/workload.ts';
import { measureCapacity } from './capacity.ts';
import { countCommands } from './count-commands.ts';
import { growthIn, type Growth } from './growth.ts';
import { healAll, waitForQuiet, QUIET_MS_MAX, type Quiet } from './heal.ts';
import { readReceipts } from './read-receipts.ts';
import { playSchedule, type Played } from './schedule.ts';
import type { Tenancy } from './tenancy.ts';

/** The result of one run. */
export interface RunResult extends Quiet {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly played: Played;
  /** Clients that could not end their calls within 60 s of the heal. */
  readonly isLate: boolean;
  /** Alarms that no process raised. */
  readonly unsaid: readonly string[];
  readonly growth: readonly Growth[];
  readonly report: CheckReport;
  readonly tookMs: number;
  /** Calls a second that the cluster could answer before the run, where that was measured. */
  readonly capacity: number | undefined;
  /** What the scenario reported, in lines. */
  readonly remarks: readonly string[];
}

const WARM_UP_MS = 1_500;
const AFTERMATH_MS = 2_500;
/** A provider that answered 500 again and again gets a command minutes later. */
const TAKEN_MS_MAX = 600_000;
/** An outbox that only reads on says so once a minute. */
const WEBHOOKS_MS_MAX = 120_000;
/** Viewers see within that time what was sent last. */
const VIEWED_MS = 10_000;
const POLL_MS = 250;

/** How a scenario is run. */
export interface ScenarioOptions {
  /** True to wipe the state store at the end, and compare what is rebuilt. */
  readonly wipe: boolean;
  readonly onRemark: (line: string) => void;
  /** Ends the faults early; all that was sent until then is checked. */
  readonly leaving: AbortSignal;
}

/** Runs one scenario in a cluster, heals, waits for quiet, and checks everything. */
export async function runScenario(
  tenancy: Tenancy, scenario: Scenario, seed: number,
  options: ScenarioOptions,
): Promise<RunResult> {
  const capacity = scenario.isAtHalfCapacity === true
    ? await measureCapacity(tenancy, seed) : undefined;
  const begunMs = performance.now();
  const epoch = { t_ns: nowNs(), at_ms: Date.now() };
  const { cluster, parties, webhooks, viewers, residents, history, personalName } = tenancy;
  const dice = createDice(`${scenario.name}/${seed}`);
  const prefix = `${scenario.name.replaceAll('-', '')}${seed}`;
  const workload = startWorkload({
    cluster, residents, history, dice: dice.fork('workload'), personalName,
    isBalanced: scenario.isBalanced === true, load: loadOf(scenario, capacity),
    prefix, commands: scenario.commands, hasDisputes: scenario.hasDisputes === true,
    parksDevices: viewers !== undefined,
  });
  tenancy.listen(workload);
  const remarks: string[] = [];
  const remark = (line: string): void => {
    remarks.push(line);
    options.onRemark(line);
  };
  let isLate = true;
  let played: Played = { armed: 0, missed: [], errors: [] };
  let healedMs = performance.now();
  let healed_ns = nowNs();
  if (scenario.mustStayFlat === true) {
    for (const process of cluster.processes.values()) process.measureHeld();
  }
  try {
    await delay(WARM_UP_MS);
    played = await playSchedule(
      scenario.plan(dice.fork('faults')), scenario.seconds * 1_000,
      {
        cluster, parties, webhooks, residents, remark,
        mustNotLeak: (text) => { tenancy.canaries.push(text); },
      },
      tenancy.faults, { leaving: options.leaving },
    );
    await workload.issued();
    if (scenario.commands !== undefined) await takeAll(tenancy, prefix, scenario.commands);
    for (const party of parties) party.setMood('usual');
    webhooks?.setMood('polite');
    await healAll(cluster);
    [healedMs, healed_ns] = [performance.now(), nowNs()];
    await delay(AFTERMATH_MS);
  } finally {
    workload.stop();
    isLate = await workload.ended(QUIET_MS_MAX);
  }
  const [endedMs, quiet_ns] = [performance.now(), nowNs()];
  const isStill = scenario.allows?.includes('stands-still') === true;
  const quiet = await waitForQuiet(cluster, healedMs, isStill ? 0 : QUIET_MS_MAX);
  await webhooks?.catchUp(WEBHOOKS_MS_MAX);
  // What the last call changed is on every map by then.
  if (viewers !== undefined) {
    await delay(Math.max(0, endedMs + VIEWED_MS - performance.now()));
  }
  tenancy.listen(undefined);
  const seen_until_ns = nowNs();
  if (scenario.receipts !== undefined) {
    await readReceipts(tenancy, {
      itemsMax: scenario.receipts, dice: dice.fork('receipts'), leaving: options.leaving,
    });
  }
  const record: RunRecord = {
    scenario: scenario.name, seed, epoch, healed_ns, quiet_ns, ...quiet,
    ...(isLate ? { quiet_after_ms: null } : {}),
    stack: cluster.addresses, processes: await tenancy.writeDown(), canaries: tenancy.canaries,
    aims: scenario.aims, allows: scenario.allows ?? [],
    ...(viewers === undefined ? {} : { live: { viewers: viewers.records, seen_until_ns } }),
    ...(scenario.endsAtRecordMax === undefined
      ? {} : { ends_at_record_max: scenario.endsAtRecordMax }),
  };
  writeFileSync(join(tenancy.dir, RUN_FILES.record), JSON.stringify(record, null, 2));
  if (scenario.commands !== undefined) countCommands(tenancy.dir, prefix).forEach(remark);
  const unsaid = (scenario.mustSay ?? []).filter((text) => !isSaid(tenancy, text));
  // Who stands still on purpose cannot bring back what is wiped.
  const report = await checkRun(tenancy.dir, { wipe: options.wipe && !isStill });
  return {
    scenario, seed, played, isLate, unsaid, report, ...quiet,
    growth: growthIn(tenancy.dir), capacity, remarks, tookMs: performance.now() - begunMs,
  };
}

/** A run with a number of commands goes on until the providers have them all. */
function takeAll({ parties }: Tenancy, prefix: string, count: number): Promise<void> {
  const taken = (): number => parties.reduce((sum, party) => sum + party.taken(plates), 0);
  const plates = `plate-${prefix}-`;
  return waitFor(() => taken() >= count, {
    what: 'The arrival of all commands', deadlineMs: TAKEN_MS_MAX, everyMs: POLL_MS,
  });
}

function loadOf({ callsPerSecond }: Scenario, capacity: number | undefined): Load {
  if (capacity !== undefined) return { pauseMsMax: 0, callsPerSecond: capacity / 2 };
  return callsPerSecond === undefined ? USUAL_LOAD : { ...USUAL_LOAD, callsPerSecond };
}

function isSaid({ dir, cluster }: Tenancy, text: string): boolean {
  return [...cluster.processes.keys()]
    .some((name) => readFileSync(join(dir, name, 'output.log'), 'utf8').includes(text));
}
