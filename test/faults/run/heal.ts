import { setTimeout as delay } from 'node:timers/promises';
import { answersOk } from '../../../infra/local/processes/process.ts';
import type { House } from '../house/house.ts';
import { partIn, standUp, type PartTarget } from '../kinds/parts.ts';
import { thaw } from '../kinds/processes.ts';
import { readLag, totalLag } from './lag.ts';
import { readsOf } from './reads.ts';

/** Nobody needs to help: all lag is gone by then (invariant I16). */
export const SETTLE_MS_MAX = 60_000;

const LOOK_EVERY_MS = 500;
const PART_TARGETS: readonly PartTarget[] = ['redis', 'clickhouse', 'registry'];

/** Takes every fault off the house, whatever was done to it, and waits until its parts stand. */
export async function healAll(house: House): Promise<void> {
  for (const proxy of [...Object.values(house.redisProxies), house.clickhouseProxy]) {
    proxy.set(undefined);
  }
  for (const user of ['gateway-1', 'gateway-2', 'workers'] as const) {
    for (const proxy of house.log.proxiesOf(user)) proxy.set(undefined);
  }
  for (const process of house.processes.values()) {
    process.shiftClock(0);
    thaw(process);
  }
  await Promise.all([
    ...house.log.brokers.map(standUp),
    ...PART_TARGETS.map((target) => standUp(partIn(house, target))),
  ]);
}

/** What came of waiting for quiet. */
export interface Settled {
  /** Milliseconds from `healedAtMs`; null when the time was not enough. */
  readonly settled_ms: number | null;
  readonly lag: Readonly<Record<string, number>>;
}

/** Waits until every process is ready and no group has anything left, or until time is up. */
export async function settle(
  house: House, healedAtMs: number, msMax = SETTLE_MS_MAX,
): Promise<Settled> {
  let lag: Readonly<Record<string, number>> = { unknown: 1 };
  let quietLooks = 0;
  const reads = await readsOf(house.processes.values());
  for (;;) {
    lag = await readLag(house.kafka, reads).catch(() => ({ unknown: 1 }));
    quietLooks = totalLag(lag) === 0 && await areReady(house) ? quietLooks + 1 : 0;
    const passedMs = performance.now() - healedAtMs;
    // Twice, because an answer of one worker may be the work of another.
    if (quietLooks === 2) return { settled_ms: Math.round(passedMs), lag };
    if (passedMs > msMax) return { settled_ms: null, lag };
    await delay(LOOK_EVERY_MS);
  }
}

async function areReady({ processes }: House): Promise<boolean> {
  const wanted = [...processes.values()].filter((process) => !process.isAway());
  const answers = wanted.map(({ adminUrl }) => answersOk(`${adminUrl}/readyz`));
  return (await Promise.all(answers)).every(Boolean);
}
