import { setTimeout as delay } from 'node:timers/promises';
import type { FaultLine } from '../run-files.ts';
import type { Fault, Planned, World } from '../scenario.ts';
import { nowNs, type LineWriter } from '../workload/history-writer.ts';

/** What came of a schedule. */
export interface Played {
  /** Faults that wait for a chance to strike. */
  readonly armed: number;
  /** Those of them that never had it, by name and target; such a run tests less than it says. */
  readonly missed: readonly string[];
  /** What went wrong with a fault itself. */
  readonly errors: readonly string[];
}

/** Begins and ends every fault at its time, and ends what is left at the end of the run. */
export async function playSchedule(
  planned: readonly Planned[], lengthMs: number, world: World, lines: LineWriter<FaultLine>,
): Promise<Played> {
  const errors: string[] = [];
  const missed: string[] = [];
  let armed = 0;

  async function step(phase: FaultLine['phase'], { name, target, begin, end }: Fault) {
    lines.write({ t_ns: nowNs(), phase, fault: name, target });
    try {
      await (phase === 'begin' ? begin(world) : end?.(world));
    } catch (error) {
      errors.push(`${name} of ${target} could not ${phase}: ${String(error)}`);
    }
  }

  await Promise.all(planned.map(async ({ fault, atMs, forMs = lengthMs - atMs, mayMiss }) => {
    await delay(atMs);
    await step('begin', fault);
    await delay(Math.max(0, Math.min(forMs, lengthMs - atMs)));
    if (fault.hasStruck !== undefined) {
      armed += 1;
      if (mayMiss !== true && !fault.hasStruck(world)) missed.push(`${fault.name} of ${fault.target}`);
    }
    await step('end', fault);
  }));
  return { armed, missed, errors };
}
