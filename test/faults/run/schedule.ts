import { setTimeout as delay } from 'node:timers/promises';
import type { FaultLine } from '../run-files.ts';
import type { Fault, Planned, World } from '../scenario.ts';
import { nowNs, type LineWriter } from '../workload/history-writer.ts';

/** What came of a schedule. */
export interface Played {
  /** Faults that found their chance, of those that wait for one. */
  readonly struck: number;
  readonly waited: number;
  /** What went wrong with a fault itself. */
  readonly errors: readonly string[];
}

/** Begins and ends every fault at its time, and ends what is left at the end of the run. */
export async function playSchedule(
  planned: readonly Planned[], lengthMs: number, world: World, lines: LineWriter<FaultLine>,
): Promise<Played> {
  const errors: string[] = [];
  let struck = 0;
  let waited = 0;

  async function step(phase: FaultLine['phase'], { name, target, begin, end }: Fault) {
    lines.write({ t_ns: nowNs(), phase, fault: name, target });
    try {
      await (phase === 'begin' ? begin(world) : end?.(world));
    } catch (error) {
      errors.push(`${name} of ${target} could not ${phase}: ${String(error)}`);
    }
  }

  await Promise.all(planned.map(async ({ fault, atMs, forMs = lengthMs - atMs }) => {
    await delay(atMs);
    await step('begin', fault);
    await delay(Math.max(0, Math.min(forMs, lengthMs - atMs)));
    if (fault.hasStruck !== undefined) {
      waited += 1;
      if (fault.hasStruck(world)) struck += 1;
    }
    await step('end', fault);
  }));
  return { struck, waited, errors };
}
