import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '../../../infra/local/wait.ts';
import type { BenchCluster } from '../cluster.ts';
import { untilLevel } from '../level.ts';
import type { Shooter } from '../load/open-shooter.ts';
import type { BenchTables } from '../store.ts';
import type { ChainPlan } from './chain.ts';

/** The tables were away while posts went on, and came back. */
export interface CatchUpRow {
  readonly awayMs: number;
  readonly liveLocationsPerSecond: number;
  /** Locations written per second from the writer's return until it was level with the posts. */
  readonly catchUpLocationsPerSecond: number;
  readonly timesLive: number;
  readonly wrong: readonly string[];
}

const LEVEL_MS_MAX = 300_000;
/** Level is what a second of posts amounts to. */
const LEVEL_SECONDS = 1;

/** Stops the table-writer for a while under a steady load, and times its way back. */
export async function measureCatchUp(
  cluster: BenchCluster, shooter: Shooter, store: BenchTables, plan: ChainPlan,
): Promise<CatchUpRow> {
  const { hostname: host, port } = new URL(cluster.local.url);
  const writer = cluster.local.workers.find(({ name }) => name === 'table-writer');
  if (writer === undefined) throw new Error('The cluster has no table-writer.');
  await untilLevel(cluster);
  const storedBefore = await store.locations();
  shooter.fire({ ...plan, host, port: Number(port), path: cluster.path, senders: cluster.senders });
  const beganMs = performance.now();
  await writer.stop();
  await delay(plan.ms);
  const away = await shooter.tally();
  const tallyMs = performance.now();
  const storedAway = await store.locations();
  await writer.start();
  const returnedMs = performance.now();
  const live = away.accepted * plan.locations / (tallyMs - beganMs) * 1_000;
  await waitFor(async () => {
    const [{ accepted }, stored] = [await shooter.tally(), await store.locations() - storedBefore];
    return accepted * plan.locations - stored <= live * LEVEL_SECONDS;
  }, { what: 'The writer at level', deadlineMs: LEVEL_MS_MAX, everyMs: 50 });
  const levelMs = performance.now();
  const written = await store.locations() - storedAway;
  const { others, brokenLines } = await shooter.cease();
  const rate = written / (levelMs - returnedMs) * 1_000;
  return {
    awayMs: returnedMs - beganMs,
    liveLocationsPerSecond: live, catchUpLocationsPerSecond: rate, timesLive: rate / live,
    wrong: Object.keys(others).length > 0 || brokenLines > 0 ? ['posts failed'] : [],
  };
}
