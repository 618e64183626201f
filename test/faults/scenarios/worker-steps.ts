import { WORKER_STEPS } from '../kinds/failpoints.ts';
import { killAt } from '../kinds/processes.ts';
import { oneByOne } from '../kinds/one-by-one.ts';
import type { Scenario } from '../scenario.ts';

const STEP_MS = 5_000;

/** The workers die in turn, each time at another step between reading and committing. */
export const workerSteps: Scenario = {
  name: 'worker-steps',
  does: 'kill -9 of workers at every step between reading and committing',
  aims: ['I1', 'I2', 'I8', 'I9'],
  seconds: Math.ceil(WORKER_STEPS.length * STEP_MS / 1_000),
  plan: (dice) => oneByOne(dice, WORKER_STEPS, STEP_MS, (step, nth) =>
    killAt(nth % 2 === 0 ? 'workers-1' : 'workers-2', step)),
};
