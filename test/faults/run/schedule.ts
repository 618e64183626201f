import { setTimeout as delay } from 'node:timers/promises';
import type { FaultLine } from '../run-files.ts';
import type { Fault, Planned, FaultEnv } from '../scenario.ts';
import { nowNs, type LineWriter } from '../workload/history-writer.ts';

/** The result of a schedule. */
export interface Played {
  /** Faults that wait for a chance to strike. */
  readonly armed: number;
  /** Those of them that never had it, by name and target; such a run tests less than it says. */
  readonly missed: readonly string[];
  /** What went wrong with a fault itself. */
  readonly errors: readonly string[];
}

/** How long a schedule waits, and what ends it early. */
export interface ScheduleLimits {
  readonly chanceMsMax?: number;
  /** Aborted when the run shall end: what has begun is healed, nothing else begins. */
  readonly leaving?: AbortSignal;
}

/** A chance mostly comes at once; a group that lost a member waits 10 s, and longer under load. */
const CHANCE_MS_MAX = 60_000;
const POLL_MS = 50;

/**
 * Begins and ends every fault at its time, and ends what is left at the end of the run. One that
 * waits for its chance lasts from when it struck, and the next one of its target waits for it. The
 * same fault of the same target waits until the one before is healed.
 */
export async function playSchedule(
  planned: readonly Planned[], lengthMs: number, env: FaultEnv, lines: LineWriter<FaultLine>,
  { chanceMsMax = CHANCE_MS_MAX, leaving }: ScheduleLimits = {},
): Promise<Played> {
  const errors: string[] = [];
  const missed: string[] = [];
  const waits = planned.filter(({ fault }) => fault.hasStruck !== undefined);
  const busy = new Map<string, Promise<void>>();

  const isLeaving = (): boolean => leaving?.aborted === true;
  const pause = (ms: number): Promise<unknown> =>
    delay(ms, undefined, { signal: leaving }).catch(() => undefined);

  async function step(phase: FaultLine['phase'], { name, target, begin, end }: Fault) {
    lines.write({ t_ns: nowNs(), phase, fault: name, target });
    try {
      await (phase === 'begin' ? begin(env) : end?.(env));
    } catch (error) {
      errors.push(`${name} of ${target} could not ${phase}: ${String(error)}`);
    }
  }

  async function waitForChance({ fault, mayMiss }: Planned): Promise<void> {
    const hasStruck = (): boolean => fault.hasStruck?.(env) ?? true;
    if (mayMiss === true) return;
    const untilMs = performance.now() + chanceMsMax;
    while (!hasStruck() && !isLeaving() && performance.now() < untilMs) await delay(POLL_MS);
    if (!hasStruck()) missed.push(`${fault.name} of ${fault.target}`);
  }

  async function play(one: Planned, before: Promise<unknown>): Promise<void> {
    const { fault, atMs, forMs = lengthMs - atMs } = one;
    await Promise.all([pause(atMs), before]);
    if (isLeaving()) return;
    await step('begin', fault);
    await waitForChance(one);
    await pause(Math.max(0, Math.min(forMs, lengthMs - atMs)));
    await step('end', fault);
  }

  await Promise.all(planned.toSorted((a, b) => a.atMs - b.atMs).map((one) => {
    const { name, target, hasStruck } = one.fault;
    const same = `${name} of ${target}`;
    const played = play(one, Promise.all([busy.get(target), busy.get(same)]));
    busy.set(same, played);
    if (hasStruck !== undefined) busy.set(target, played);
    return played;
  }));
  if (isLeaving()) errors.push('A signal ended the run early.');
  return { armed: waits.length, missed, errors };
}
