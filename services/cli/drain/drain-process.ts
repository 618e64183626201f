import type { Clock, Pause } from '../../kernel/clock.ts';
import type { GroupMembers, GroupWatch } from '../../kernel/log-watch.ts';
import type { Processes } from '../ports.ts';

/** What draining a process takes. */
export interface DrainPorts {
  readonly watch: GroupWatch;
  readonly processes: Processes;
  readonly clock: Clock;
  readonly pause: Pause;
}

/** A group that the process read in, and who goes on with its records. */
export interface LeftGroup {
  readonly group: string;
  /** Members that went while the process ended. */
  readonly left: number;
  /** Members that are there now. */
  readonly members: number;
}

/** How a process went. */
export interface Drained {
  readonly ended: boolean;
  /** True when every group that it left has shared its partitions out among who is left. */
  readonly rebalanced: boolean;
  readonly groups: readonly LeftGroup[];
}

/** Groups of the product. */
const OURS = 'rastro.';
const POLL_MS = 250;

/**
 * Asks a process to end and waits until it has, and until its groups have rebalanced without
 * it. Nothing is forced: at `deadlineMs` it returns the state so far.
 */
export async function drainProcess(
  ports: DrainPorts, pid: number, deadlineMs: number,
): Promise<Drained> {
  const { watch, processes, clock, pause } = ports;
  const isLate = (): boolean => clock.nowMs() >= deadlineMs;
  const before = await watch.members(OURS);
  processes.askToEnd(pid);
  while (processes.isAlive(pid)) {
    if (isLate()) return { ended: false, rebalanced: false, groups: [] };
    await pause(POLL_MS);
  }
  for (;;) {
    const now = await watch.members(OURS);
    const groups = leftGroups(before, now);
    const rebalanced = groups.every(({ group }) => isStable(now, group));
    if (rebalanced || isLate()) return { ended: true, rebalanced, groups };
    await pause(POLL_MS);
  }
}

function leftGroups(
  before: readonly GroupMembers[], now: readonly GroupMembers[],
): readonly LeftGroup[] {
  return before.flatMap(({ group, members }) => {
    const there = now.find((each) => each.group === group)?.members ?? [];
    const left = members.filter((member) => !there.includes(member)).length;
    return left === 0 ? [] : [{ group, left, members: there.length }];
  });
}

function isStable(now: readonly GroupMembers[], group: string): boolean {
  return now.find((each) => each.group === group)?.isStable ?? true;
}
