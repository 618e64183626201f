import type { Dice } from '../dice.ts';
import { partyMood } from '../kinds/party.ts';
import { hangPart, killPart, stopPart } from '../kinds/parts.ts';
import { freeze, kill, restart, wrongClock } from '../kinds/processes.ts';
import { flushState, restartStateEmpty } from '../kinds/state.ts';
import { onTheWayToState, onTheWayToTables, onTheWayToTheLog } from '../kinds/connections.ts';
import type { Fault, Planned, Scenario } from '../scenario.ts';

const EVERY_MS = 20_000;
/** Before that a process still warms up. */
const FLAT_SECONDS_MIN = 600;
const LASTS_MS_MIN = 3_000;
const LASTS_MS_MAX = 10_000;
const GATEWAYS = ['gateway-1', 'gateway-2'] as const;
const WORKERS = ['workers-1', 'workers-2', 'parties'] as const;
const USERS = ['gateway-1', 'gateway-2', 'workers'] as const;

/** What may happen at any time; each is drawn with the same chance. */
const MENU: readonly ((dice: Dice) => Fault)[] = [
  (dice) => kill(dice.pick(GATEWAYS)),
  (dice) => kill(dice.pick(WORKERS)),
  (dice) => restart(dice.pick([...GATEWAYS, ...WORKERS])),
  (dice) => freeze(dice.pick([...GATEWAYS, ...WORKERS])),
  (dice) => wrongClock(dice.pick([...GATEWAYS, ...WORKERS]), dice.between(-120, 120) * 60_000),
  () => killPart('broker-1'),
  () => hangPart('broker-1'),
  () => killPart('redis'),
  () => hangPart('redis'),
  () => flushState(),
  () => restartStateEmpty(),
  () => killPart('clickhouse'),
  () => stopPart('registry'),
  () => partyMood('failing'),
  (dice) => onTheWayToTheLog(dice.pick(USERS), { kind: 'delay', ms: dice.between(50, 900) }),
  (dice) => onTheWayToTheLog(dice.pick(USERS), { kind: 'blackhole', ways: ['to-client'] }),
  (dice) => onTheWayToTheLog(
    dice.pick(USERS), { kind: 'cut', way: 'to-client', bytes: 0, times: dice.between(1, 20) }),
  (dice) => onTheWayToState(
    dice.pick(USERS), { kind: 'cut', way: 'to-client', bytes: dice.between(0, 60), times: 10 }),
  () => onTheWayToTables({ kind: 'cut', way: 'to-client', bytes: 0, times: 4 }),
];

/**
 * A long run with one random fault after the other, at half of the capacity that the cluster shows
 * right before it, without faults, on this machine: harness, stack and product share it.
 */
export function soakOf(seconds: number): Scenario {
  return {
    name: 'soak', does: `a random fault every ${EVERY_MS / 1_000} s for ${seconds} s`,
    aims: ['I1', 'I2', 'I3', 'I9', 'I13', 'I16'], seconds, ownCluster: {},
    isAtHalfCapacity: true,
    mustStayFlat: seconds >= FLAT_SECONDS_MIN,
    plan: (dice) => Array.from(
      { length: Math.floor((seconds * 1_000) / EVERY_MS) },
      (_, nth): Planned => ({
        atMs: nth * EVERY_MS, forMs: dice.between(LASTS_MS_MIN, LASTS_MS_MAX),
        fault: dice.pick(MENU)(dice), mayMiss: true,
      }),
    ),
  };
}
