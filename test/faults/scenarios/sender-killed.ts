import { SENDER_STEPS } from '../kinds/failpoints.ts';
import { killAt } from '../kinds/processes.ts';
import { oneByOne } from '../kinds/one-by-one.ts';
import type { Scenario } from '../scenario.ts';

/** The command sender dies between sending a command and recording its result. */
export const senderKilled: Scenario = {
  name: 'sender-killed',
  does: 'kill -9 of the command sender around the call and around its result',
  aims: ['I10'], seconds: 30,
  plan: (dice) => oneByOne(dice, SENDER_STEPS, 6_000, (step) => killAt('parties', step)),
};
