import { createDice } from '../faults/dice.ts';
import { createHistory } from './core/history.ts';
import type { Model } from './core/model.ts';
import { createScheduler } from './core/scheduler.ts';
import { withVirtualTimers } from './core/virtual-timers.ts';
import { createSimulation, type SimulationFlaws } from './core/simulation.ts';

/** The result of one schedule. */
export interface ScheduleResult {
  readonly model: string;
  readonly seed: number;
  /** Every invariant that was broken, in words; empty when all held. */
  readonly findings: readonly string[];
  /** What clients were answered, and what a provider answered, as `op status`. */
  readonly answers: ReadonlySet<string>;
  readonly steps: number;
  readonly trace: readonly string[];
}

/** What a schedule has other than usual. */
export interface Wishes {
  readonly isTraced?: boolean;
  readonly flaws?: SimulationFlaws;
}

/** Steps after which a schedule counts as one that never becomes quiet. */
const STEPS_MAX = 20_000;

/** Runs one schedule of a model; everything in it follows from the seed. */
export async function runSchedule(
  model: Model, seed: number, wishes: Wishes = {},
): Promise<ScheduleResult> {
  const trace: string[] = [];
  const dice = createDice(`${model.name}/${seed}`);
  const scheduler = createScheduler(
    dice, wishes.isTraced === true ? (line) => { trace.push(line); } : undefined,
  );
  let history = createHistory();
  const { stackTraceLimit } = Error;
  // Faults are thrown by the thousand here, and their stacks are not read.
  if (wishes.isTraced !== true) Error.stackTraceLimit = 0;
  const findings = await withVirtualTimers(scheduler, async () => {
    const simulation = createSimulation(scheduler, wishes.flaws);
    const ending = model.build(simulation);
    history = simulation.history;
    const isQuiet = await simulation.run(STEPS_MAX, ending.isQuiet ?? (() => true));
    if (!isQuiet) return [...simulation.findings, 'I16 not everything became quiet'];
    return [...simulation.findings, ...ending.check()];
  });
  Error.stackTraceLimit = stackTraceLimit;
  const answers = new Set(history.tries.map(({ op, status }) => `${op} ${String(status)}`));
  return { model: model.name, seed, findings, answers, steps: scheduler.step(), trace };
}
