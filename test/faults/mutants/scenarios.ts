import { hangPart, killPart } from '../kinds/parts.ts';
import { onTheWayToTheLog } from '../kinds/ways.ts';
import type { Scenario } from '../scenario.ts';

/** The followers stand still but count as in sync; then the leader dies with what only it has. */
const followersStalled: Scenario = {
  name: 'followers-stalled',
  does: 'two of three brokers stand still for 4 s, then the third is killed as they go on',
  aims: ['I1'], seconds: 24, ownHouse: { brokers: 3 },
  plan: () => [
    { atMs: 1_000, forMs: 4_000, fault: hangPart('broker-2') },
    { atMs: 1_000, forMs: 4_000, fault: hangPart('broker-3') },
    { atMs: 4_900, fault: killPart('broker-1') },
  ],
};

/** Nobody reaches the log for longer than a call may take. */
const logAway: Scenario = {
  name: 'log-away', does: 'the gateways cannot reach the log for 9 s',
  aims: ['I1'], seconds: 12,
  plan: () => (['gateway-1', 'gateway-2'] as const).map((user) => ({
    atMs: 500, forMs: 9_000,
    fault: onTheWayToTheLog(user, { kind: 'blackhole', ways: ['to-client', 'to-server'] }),
  })),
};

/** The log takes records and its answers are cut off, again and again. */
const acknowledgementsCut: Scenario = {
  name: 'acknowledgements-cut', does: 'answers of the log to the gateways are cut off all the time',
  aims: ['I1'], seconds: 20,
  plan: () => (['gateway-1', 'gateway-2'] as const).map((user) => ({
    atMs: 500, forMs: 17_000,
    fault: onTheWayToTheLog(user, { kind: 'cut', way: 'to-client', bytes: 0, times: 80 }),
  })),
};

/** Faults that only mutants need; the whole product passes them too. */
export const MUTANT_SCENARIOS: readonly Scenario[] = [
  followersStalled, logAway, acknowledgementsCut,
];
