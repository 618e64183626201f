import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '../../../infra/local/wait.ts';
import type { BenchCluster } from '../cluster.ts';
import { untilLevel } from '../level.ts';
import type { Shooter } from '../load/open-shooter.ts';
import { wrongAnswers } from '../load/wrong-answers.ts';
import { threadsCpuUs } from '../measure/cpu.ts';
import { groupCpu, spentPerItem, type GroupCpu } from '../measure/groups.ts';
import type { BenchTables } from '../store.ts';

/** How the chain is loaded. */
export interface ChainPlan {
  readonly locations: number;
  readonly lines: number;
  /** 0 for as fast as answers come. */
  readonly postsPerSecond: number;
  readonly ms: number;
  readonly firstSecond: number;
}

/** What the chain takes for a location. */
export interface ChainCost {
  readonly locationsPerSecond: number;
  /** CPU per location by who spent it, in µs, from the first post until all rows are there. */
  readonly cpuUs: GroupCpu;
  /** What of ClickHouse's went into merges, per location. */
  readonly mergesUs: number;
  /** Ours, Redis and ClickHouse; the brokers left out. */
  readonly oursUs: number;
}

/** From the post to the row that can be queried, everything on this machine. */
export interface ChainRow extends ChainCost {
  readonly lines: number;
  /** From the last answer until the last row could be queried. */
  readonly catchUpMs: number;
  readonly wrong: readonly string[];
}

const STORED_MS_MAX = 300_000;

/**
 * Posts, waits until ClickHouse has every location, and divides what it cost. Nothing is computed
 * in the background meanwhile: that has figures of its own (`days.ts`).
 */
export function measureChain(
  cluster: BenchCluster, shooter: Shooter, store: BenchTables, plan: ChainPlan,
): Promise<ChainRow> {
  return store.withoutRefreshes(() => postAndDivide(cluster, shooter, store, plan));
}

async function postAndDivide(
  cluster: BenchCluster, shooter: Shooter, store: BenchTables, plan: ChainPlan,
): Promise<ChainRow> {
  const { hostname: host, port } = new URL(cluster.local.url);
  await untilLevel(cluster);
  const storedBefore = await store.locations();
  const before = groupCpu(cluster);
  const mergesBefore = mergesCpu(cluster);
  const beganMs = performance.now();
  shooter.fire({
    ...plan, host, port: Number(port), path: cluster.path, senders: cluster.senders,
  });
  await delay(plan.ms);
  const last = await shooter.cease();
  const ceasedMs = performance.now();
  const wanted = last.accepted * plan.locations;
  let stored = 0;
  const isStored = async (): Promise<boolean> => {
    stored = await store.locations() - storedBefore;
    return stored >= wanted;
  };
  const wrong = wrongAnswers(last);
  await waitFor(isStored, { what: 'The last row', deadlineMs: STORED_MS_MAX, everyMs: 20 })
    .catch(() => wrong.push(`${wanted} locations accepted, ${stored} stored`));
  const endedMs = performance.now();
  if (stored > wanted) wrong.push(`${wanted} locations accepted, ${stored} stored`);
  const cpu = spentPerItem(before, groupCpu(cluster), wanted);
  const mergesUs = (mergesCpu(cluster) - mergesBefore) / wanted;
  return {
    lines: plan.lines,
    locationsPerSecond: wanted / (ceasedMs - beganMs) * 1_000,
    cpuUs: cpu,
    mergesUs,
    oursUs: cpu.gateway + cpu.projectors + cpu['table-writer'] + cpu.redis + cpu.clickhouse,
    catchUpMs: endedMs - ceasedMs,
    wrong,
  };
}

/** ClickHouse merges parts on threads of this name, which live as long as the server. */
function mergesCpu(cluster: BenchCluster): number {
  return threadsCpuUs(cluster.pidOf('clickhouse'), 'MergeMutate');
}
