import { setTimeout as delay } from 'node:timers/promises';
import { createDice } from '../dice.ts';
import type { HistoryLine } from '../history.ts';
import type { LineWriter } from '../workload/history-writer.ts';
import { FULL_LOAD } from '../workload/pace.ts';
import { startWorkload } from '../workload/workload.ts';
import { waitForQuiet, QUIET_MS_MAX } from './heal.ts';
import type { Tenancy } from './tenancy.ts';

const RAMP_MS = 5_000;
const MEASURED_MS = 20_000;
const SECOND_MS = 1_000;

/**
 * Calls a second that the cluster answers when no client of the workload pauses and nothing is
 * wrong. The calls go into the history and are checked like all others. Rejects when the cluster
 * does not catch up afterwards.
 */
export async function measureCapacity(tenancy: Tenancy, seed: number): Promise<number> {
  const { cluster, residents, history, personalName } = tenancy;
  let answered = 0;
  const counting: LineWriter<HistoryLine> = {
    ...history,
    write(line) {
      if (line.outcome !== 'info') answered += 1;
      history.write(line);
    },
  };
  const workload = startWorkload({
    cluster, residents, history: counting, dice: createDice(`capacity/${seed}`), personalName,
    prefix: `capacity${seed}`, isBalanced: false, load: FULL_LOAD,
  });
  tenancy.listen(workload);
  await delay(RAMP_MS);
  const before = answered;
  const beganMs = performance.now();
  await delay(MEASURED_MS);
  const perSecond = (answered - before) / ((performance.now() - beganMs) / SECOND_MS);
  workload.stop();
  const isLate = await workload.ended(QUIET_MS_MAX);
  const { quiet_after_ms } = await waitForQuiet(cluster, performance.now());
  tenancy.listen(undefined);
  if (isLate || quiet_after_ms === null) throw new Error('The cluster did not catch up after the ramp.');
  return perSecond;
}
