import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '../../infra/local/wait.ts';
import type { TestCluster } from '../faults/cluster/cluster.ts';
import type { ProcessName } from '../faults/cluster/cluster-processes.ts';
import type { Release } from '../../infra/local/processes/process.ts';
import { groupsAreStable } from '../faults/run/lag.ts';
import { readsOf } from '../faults/run/reads.ts';
import type { Fault, FaultEnv } from '../faults/scenario.ts';

const GROUPS_MS_MAX = 120_000;

/** What operators do, as the one thing that happens in a run. */
export function deed(
  name: string, target: string, work: (faultEnv: FaultEnv) => Promise<void>,
): Fault {
  return { name, target, begin: work };
}

/** Does a step and reports how long it took. */
export async function step<Result>(
  { remark }: Pick<FaultEnv, 'remark'>, what: string, work: () => Promise<Result>,
): Promise<Result> {
  const beganMs = performance.now();
  const result = await work();
  remark(`${what}: ${((performance.now() - beganMs) / 1_000).toFixed(1)} s`);
  return result;
}

/**
 * Ends a process, starts it as `next` says, and waits until every group has assigned its
 * partitions.
 */
export async function restartAs(
  cluster: TestCluster, name: ProcessName, next: Partial<Release>,
): Promise<void> {
  const process = cluster.process(name);
  process.change(next);
  await process.part.restart();
  await groupsAtRest(cluster, `the restart of ${name}`);
}

/** Resolves when no member joins or leaves a group any more. */
export async function groupsAtRest(
  { kafka, processes }: TestCluster, after: string,
): Promise<void> {
  const reads = await readsOf(processes.values());
  await waitFor(() => groupsAreStable(kafka, reads), {
    what: `The rest of the groups after ${after}`, deadlineMs: GROUPS_MS_MAX,
  });
}

/** Lets the load go on for a while: what is rehearsed needs calls that meet it. */
export async function underLoad(ms: number): Promise<void> {
  await delay(ms);
}
