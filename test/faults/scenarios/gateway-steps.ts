import { GATEWAY_STEPS } from '../kinds/failpoints.ts';
import { killAt } from '../kinds/processes.ts';
import { oneByOne } from '../kinds/one-by-one.ts';
import type { Scenario } from '../scenario.ts';

const STEP_MS = 3_500;

/** The gateways die in turn, each time at another step between receiving and answering. */
export const gatewaySteps: Scenario = {
  name: 'gateway-steps',
  does: 'kill -9 of a gateway at every step between receiving and answering',
  aims: ['I1', 'I2', 'I4', 'I5', 'I7', 'I11'],
  seconds: Math.ceil(GATEWAY_STEPS.length * STEP_MS / 1_000),
  plan: (dice) => oneByOne(dice, GATEWAY_STEPS, STEP_MS, (step, nth) =>
    killAt(nth % 2 === 0 ? 'gateway-1' : 'gateway-2', step, dice.between(1, 3))),
};
