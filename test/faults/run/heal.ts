import { setTimeout as delay } from 'node:timers/promises';
import { answersOk } from '../../../infra/local/processes/process.ts';
import type { TestCluster } from '../cluster/cluster.ts';
import { LOG_USERS } from '../cluster/cluster-log.ts';
import { standUp } from '../kinds/parts.ts';
import { thaw } from '../kinds/processes.ts';
import { untilWhole } from '../state/cluster-state.ts';
import { readLag, totalLag } from './lag.ts';
import { readsOf } from './reads.ts';

/** All lag is gone by then without help (invariant I16). */
export const QUIET_MS_MAX = 60_000;

const POLL_MS = 500;

/** Takes every fault off the cluster, whatever was done to it, and waits until its parts stand. */
export async function healAll(cluster: TestCluster): Promise<void> {
  for (const proxy of [...Object.values(cluster.redisProxies), cluster.clickhouseProxy]) {
    proxy.set(undefined);
  }
  for (const user of LOG_USERS) {
    for (const proxy of cluster.log.proxiesOf(user)) proxy.set(undefined);
  }
  for (const process of cluster.processes.values()) {
    process.shiftClock(0);
    thaw(process);
  }
  await Promise.all([
    ...cluster.log.brokers.map(standUp),
    ...[cluster.clickhouse, cluster.registry].map(standUp),
    ...cluster.state.servers.map(({ part }) => standUp(part)),
  ]);
  await untilWhole(cluster.state);
}

/** The result of waiting for quiet. */
export interface Quiet {
  /** Milliseconds from `healedAtMs`; null when the time was not enough. */
  readonly quiet_after_ms: number | null;
  readonly lag: Readonly<Record<string, number>>;
}

/** Waits until every process is ready and no group has anything left, or until time is up. */
export async function waitForQuiet(
  cluster: TestCluster, healedAtMs: number, msMax = QUIET_MS_MAX,
): Promise<Quiet> {
  let lag: Readonly<Record<string, number>> = { unknown: 1 };
  let quietPolls = 0;
  const reads = await readsOf(cluster.processes.values());
  for (;;) {
    lag = await readLag(cluster.kafka, reads).catch(() => ({ unknown: 1 }));
    quietPolls = totalLag(lag) === 0 && await areReady(cluster) ? quietPolls + 1 : 0;
    const passedMs = performance.now() - healedAtMs;
    // Twice, because an answer of one worker may be the work of another.
    if (quietPolls === 2) return { quiet_after_ms: Math.round(passedMs), lag };
    if (passedMs > msMax) return { quiet_after_ms: null, lag };
    await delay(POLL_MS);
  }
}

async function areReady({ processes }: TestCluster): Promise<boolean> {
  const wanted = [...processes.values()].filter((process) => !process.isAway());
  const answers = wanted.map(({ adminUrl }) => answersOk(`${adminUrl}/readyz`));
  return (await Promise.all(answers)).every(Boolean);
}
