import { setTimeout as delay } from 'node:timers/promises';
import type { Dice } from '../dice.ts';
import type { FaultProxy, Way } from '../cluster/fault-proxy.ts';
import type { KitProcess } from './kit-process.ts';
import type { Measurer } from './measure.ts';

/** A kit in use: its process, and the fixes that are made for it. */
export interface KitInUse {
  readonly process: KitProcess;
  readonly measurer: Measurer;
}

/** How long and how often. */
export interface KillPlan {
  readonly seconds: number;
  readonly killEverySeconds: number;
  readonly line: FaultProxy;
  readonly dice: Dice;
  readonly signal: AbortSignal;
}

const TICK_MS = 200;
const LATE_MS = 40;
const CUT_MS = 2_000;
/** Before a kill: requests do not arrive, answers do not arrive, or all is well. */
const CUTS = [['to-server'], ['to-client'], []] as const satisfies readonly (readonly Way[])[];
/** A device has a memory too: above this it measures nothing until the kit has taken some. */
const UNSAFE_MAX = 1_000;
/** A kill is up to this part of the interval earlier or later, so that it meets every moment. */
const JITTER = 0.25;
const FLUSH_MS_MAX = 240_000;

/** Measures, hands over, and kills, all kits in one rhythm. Gives how often each was killed. */
export async function killKits(kits: readonly KitInUse[], plan: KillPlan): Promise<number> {
  const { seconds, killEverySeconds, line, dice, signal } = plan;
  line.set({ kind: 'delay', ms: LATE_MS });
  for (const { process } of kits) process.start();
  const measuring = setInterval(() => {
    for (const { process, measurer } of kits) {
      if (process.unsafe() < UNSAFE_MAX) measurer.measure().forEach(process.hand);
    }
  }, TICK_MS);
  const endMs = performance.now() + seconds * 1_000;
  let kills = 0;
  try {
    for (;;) {
      const pauseMs = killEverySeconds * 1_000 * (1 + JITTER * (2 * dice.next() - 1));
      const ways = CUTS[kills % CUTS.length] ?? [];
      const cutMs = ways.length > 0 ? Math.min(CUT_MS, pauseMs / 2) : 0;
      await atWork(kits, endMs, signal);
      if (performance.now() + pauseMs > endMs) break;
      await delay(pauseMs - cutMs, undefined, { signal });
      if (ways.length > 0) {
        line.set({ kind: 'blackhole', ways });
        await delay(cutMs, undefined, { signal });
      }
      await Promise.all(kits.map(({ process }) => process.kill()));
      kills += 1;
      line.set({ kind: 'delay', ms: LATE_MS });
      for (const { process } of kits) process.start();
    }
    await delay(Math.max(0, endMs - performance.now()), undefined, { signal });
  } finally {
    clearInterval(measuring);
    line.set(undefined);
  }
  return kills;
}

/** A kit that is killed while it starts proves nothing: wait until each has sent something. */
async function atWork(
  kits: readonly KitInUse[], endMs: number, signal: AbortSignal,
): Promise<void> {
  while (performance.now() < endMs && !kits.every(({ process }) => process.isSending())) {
    await delay(TICK_MS / 2, undefined, { signal });
  }
}

/** Ends when the kits have sent everything; a kit that does not is killed. */
export async function flushKits(kits: readonly KitInUse[]): Promise<void> {
  await Promise.all(kits.map(async ({ process }) => {
    const late = new AbortController();
    const killing = delay(FLUSH_MS_MAX, undefined, { signal: late.signal })
      .then(() => process.kill(), () => undefined);
    await process.flush();
    late.abort();
    await killing;
  }));
}
