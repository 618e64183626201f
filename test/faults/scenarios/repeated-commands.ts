import { flushState } from '../kinds/state.ts';
import { onTheWayToTheLog } from '../kinds/connections.ts';
import { killAt } from '../kinds/processes.ts';
import type { Dice } from '../dice.ts';
import type { Planned, Scenario } from '../scenario.ts';

/** As many as the promise to the platform was shown with. */
export const COMMANDS_SHOWN = 10_000;

const SMALL = 300;
const ROUND_MS = 15_000;
/** What the machine of the rehearsals takes in a second, with room. */
const COMMANDS_A_SECOND = 80;
const TRIES_A_COMMAND = 1.6;

/** Answers lost at the platform, at the gateways and at the log, and the state store lost. */
export function repeatedCommands(count: number): Scenario {
  const rounds = Math.max(1, Math.round((count * 1_000) / COMMANDS_A_SECOND / ROUND_MS));
  const seconds = (rounds * ROUND_MS) / 1_000;
  return {
    name: count === SMALL ? 'repeated-commands' : `repeated-commands-${count}`,
    does: `${count} commands, most of them repeated: answers not waited for, gateways killed, `
      + 'answers of the log cut, FLUSHALL',
    aims: ['I10'], seconds, commands: count,
    // As many as keep the clients at work for as long as there are faults.
    callsPerSecond: Math.ceil((count * TRIES_A_COMMAND) / seconds),
    plan: (dice) => (
      Array.from({ length: rounds }, (_, nth) => roundAt(dice, nth * ROUND_MS)).flat()
    ),
  };
}

/** The size of the short matrix. */
export const fewRepeatedCommands: Scenario = { ...repeatedCommands(SMALL), isSmoke: true };

function roundAt(dice: Dice, fromMs: number): readonly Planned[] {
  return [
    { atMs: fromMs, forMs: 3_000, mayMiss: true, fault: killAt(
      'gateway-1', 'redis.after/commit-command-key', dice.between(1, 20)) },
    { atMs: fromMs + 1_000, forMs: 2_000, fault: flushState() },
    { atMs: fromMs + 6_000, forMs: 3_000, mayMiss: true, fault: killAt(
      'gateway-2', 'kafka.after-ack/provider.commands.v1', dice.between(1, 20)) },
    { atMs: fromMs + 10_000, forMs: 3_000, mayMiss: true, fault: onTheWayToTheLog(
      'gateway-1', { kind: 'cut', way: 'to-client', bytes: 0, times: dice.between(2, 12) }) },
  ];
}
