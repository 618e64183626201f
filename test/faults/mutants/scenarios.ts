import type { Failpoint } from '../kinds/failpoints.ts';
import { hangPart, killPart } from '../kinds/parts.ts';
import { partyMood } from '../kinds/party.ts';
import { killAt, restartOneByOne } from '../kinds/processes.ts';
import { onTheWayToTables, onTheWayToTheLog } from '../kinds/connections.ts';
import type { Planned, Scenario } from '../scenario.ts';

const GATEWAYS = ['gateway-1', 'gateway-2'] as const;

/** The followers stand still but count as in sync; then the leader dies with what only it has. */
const followersStalled: Scenario = {
  name: 'followers-stalled',
  does: 'two of three brokers stand still for 4 s, then the third is killed as they go on',
  aims: ['I1'], seconds: 24, ownCluster: { brokers: 3 },
  plan: () => [
    { atMs: 1_000, forMs: 4_000, fault: hangPart('broker-2') },
    { atMs: 1_000, forMs: 4_000, fault: hangPart('broker-3') },
    { atMs: 4_900, fault: killPart('broker-1') },
  ],
};

/** A gateway dies with records that it has taken and not sent. */
const sendsKilled: Scenario = {
  name: 'sends-killed', does: 'kill -9 of one gateway, then of the other, right before a send',
  aims: ['I1', 'I2'], seconds: 10,
  plan: () => GATEWAYS.map((name, nth) => ({
    atMs: nth * 5_000, forMs: 5_000, fault: killAt(name, 'kafka.before-send/rtt.locations.v1', 3),
  })),
};

/** Workers die with records that they have read and not stored. */
const insertsKilled: Scenario = {
  name: 'inserts-killed', does: 'kill -9 of the workers, one after the other, right before an insert',
  aims: ['I1', 'I2'], seconds: 12, plan: () => killedOneByOne('clickhouse.before/in_locations'),
};

/** Workers die with notifications of which they stored the outcome and have not committed. */
const journeysKilled: Scenario = {
  name: 'judgements-killed',
  does: 'kill -9 of the workers, one after the other, between storing a journey and the commit',
  aims: ['I8', 'I9'], seconds: 12, plan: () => killedOneByOne('redis.after/commit-shipment'),
};

function killedOneByOne(step: Failpoint): readonly Planned[] {
  return (['workers-1', 'workers-2'] as const).map((name, nth) => ({
    atMs: nth * 6_000, forMs: 6_000, fault: killAt(name, step),
  }));
}

/** No gateway reaches the log for longer than a call may take. */
const logAway: Scenario = {
  name: 'log-away', does: 'the gateways cannot reach the log for 9 s',
  aims: ['I1'], seconds: 12,
  plan: () => GATEWAYS.map((user) => ({
    atMs: 500, forMs: 9_000,
    fault: onTheWayToTheLog(user, { kind: 'blackhole', ways: ['to-client', 'to-server'] }),
  })),
};

/** The log takes records and its answers are cut off, again and again. */
const acknowledgementsCut: Scenario = {
  name: 'acknowledgements-cut', does: 'answers of the log to the gateways are cut off all the time',
  aims: ['I1'], seconds: 20,
  plan: () => GATEWAYS.map((user) => ({
    atMs: 500, forMs: 17_000,
    fault: onTheWayToTheLog(user, { kind: 'cut', way: 'to-client', bytes: 0, times: 80 }),
  })),
};

/** Calls are in progress for long, so that every restart finds some. */
const restartUnderWay: Scenario = {
  name: 'restart-under-way',
  does: 'SIGTERM of both gateways in turn, while the way to the log takes 150 ms longer',
  aims: ['I17'], seconds: 14, isBalanced: true,
  plan: () => [
    ...GATEWAYS.map((user) => ({
      atMs: 0, fault: onTheWayToTheLog(user, { kind: 'delay', ms: 150 }),
    })),
    { atMs: 500, fault: restartOneByOne(GATEWAYS) },
  ],
};

/** Commands must be repeated for a while, and what comes behind them must wait. */
const partyFails: Scenario = {
  name: 'party-fails', does: 'the called provider answers 500 for 3 s',
  aims: ['I10'], seconds: 6,
  plan: () => [{ atMs: 500, forMs: 3_000, fault: partyMood('failing') }],
};

/** Twice as long as four ends take: a slow machine also sees more of them than are allowed. */
const tablesRefused: Scenario = {
  name: 'tables-refused', does: 'the analytical store refuses every connection for two minutes',
  aims: ['I1', 'I18'], seconds: 122,
  plan: () => [{ atMs: 500, forMs: 120_000, fault: onTheWayToTables({ kind: 'refuse' }) }],
};

/** Faults that only mutants need; the whole product passes them too. */
export const MUTANT_SCENARIOS: readonly Scenario[] = [
  followersStalled, sendsKilled, insertsKilled, journeysKilled, logAway,
  acknowledgementsCut, restartUnderWay, partyFails, tablesRefused,
];
