import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '../../../infra/local/wait.ts';
import type { BenchCluster } from '../cluster.ts';
import { untilLevel } from '../level.ts';
import type { Shooter } from '../load/open-shooter.ts';
import { wrongAnswers } from '../load/wrong-answers.ts';
import type { BenchTables } from '../store.ts';
import type { ChainPlan } from './chain.ts';

/** A steady load for minutes: whether the writer keeps up, and by how much it is behind. */
export interface SustainedRow {
  readonly known: number;
  readonly wantedLocationsPerSecond: number;
  readonly locationsPerSecond: number;
  /** What had been accepted and could not be queried yet, poll by poll. */
  readonly polls: readonly SustainedPoll[];
  readonly wrong: readonly string[];
}

/** One poll of both ends of the chain. */
export interface SustainedPoll {
  readonly atSecond: number;
  readonly behindLocations: number;
}

const POLL_MS = 10_000;
const STORED_MS_MAX = 300_000;

/** Posts at one pace for `plan.ms`, polls every 10 s, and counts every location in the end. */
export async function measureSustained(
  cluster: BenchCluster, shooter: Shooter, store: BenchTables, plan: ChainPlan, known: number,
): Promise<SustainedRow> {
  const { hostname: host, port } = new URL(cluster.local.url);
  await untilLevel(cluster);
  const storedBefore = await store.locations();
  const stored = async (): Promise<number> => await store.locations() - storedBefore;
  shooter.fire({ ...plan, host, port: Number(port), path: cluster.path, senders: cluster.senders });
  const beganMs = performance.now();
  const polls: SustainedPoll[] = [];
  for (let elapsedMs = 0; elapsedMs < plan.ms; elapsedMs = performance.now() - beganMs) {
    await delay(Math.min(POLL_MS, plan.ms - elapsedMs));
    const { accepted } = await shooter.tally();
    polls.push({
      atSecond: Math.round((performance.now() - beganMs) / 1_000),
      behindLocations: accepted * plan.locations - await stored(),
    });
  }
  const tally = await shooter.cease();
  const ceasedMs = performance.now();
  const wanted = tally.accepted * plan.locations;
  const wrong = wrongAnswers(tally);
  await waitFor(async () => await stored() >= wanted, {
    what: 'The last row', deadlineMs: STORED_MS_MAX, everyMs: 100,
  }).catch(() => undefined);
  const last = await stored();
  if (last !== wanted) wrong.push(`${wanted} locations accepted, ${last} stored`);
  return {
    known, polls, wrong,
    wantedLocationsPerSecond: plan.postsPerSecond * plan.locations,
    locationsPerSecond: wanted / (ceasedMs - beganMs) * 1_000,
  };
}
