import { modelNamed } from './models.ts';
import { runSchedule, type ScheduleResult } from './run-schedule.ts';

/** What to simulate. */
export interface SimulateOptions {
  readonly schedules: number;
  /** Seed of the first schedule; each next one has the next seed. */
  readonly seed: number;
  /** Models by name, taken in turns. */
  readonly models: readonly string[];
  readonly threads: number;
}

/** What one thread found. */
export interface ThreadReport {
  readonly schedules: number;
  readonly steps: number;
  /**
   * Schedules in which an invariant was broken, at most {@link BROKEN_MAX}; no trace is kept of
   * them.
   */
  readonly broken: readonly ScheduleResult[];
}

/** Broken schedules after which a thread ends: they mostly say the same. */
export const BROKEN_MAX = 5;

/** Runs every schedule whose number belongs to this thread. */
export async function runThread(options: SimulateOptions, thread: number): Promise<ThreadReport> {
  const { schedules, seed, models, threads } = options;
  const broken: ScheduleResult[] = [];
  let ran = 0;
  let steps = 0;
  for (let at = thread; at < schedules && broken.length < BROKEN_MAX; at += threads) {
    const outcome = await runSchedule(modelNamed(models[at % models.length] ?? ''), seed + at);
    ran += 1;
    steps += outcome.steps;
    if (outcome.findings.length > 0) broken.push(outcome);
  }
  return { schedules: ran, steps, broken };
}
