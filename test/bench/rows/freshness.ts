import { setTimeout as delay } from 'node:timers/promises';
import type { BenchCluster } from '../cluster.ts';
import type { Shooter } from '../load/open-shooter.ts';
import type { LoadSender } from '../load/order.ts';
import { quantile } from '../measure/statistics.ts';
import type { LastStates, BenchTables } from '../store.ts';
import type { ChainPlan } from './chain.ts';

/** From the sending of a probe until it was seen, under load, in ms. */
export interface FreshnessRow {
  /** Of the locations a second that the chain took at full speed. */
  readonly loadFraction: number;
  readonly probes: number;
  readonly redisP50Ms: number;
  readonly redisP99Ms: number;
  readonly clickhouseP50Ms: number;
  readonly clickhouseP99Ms: number;
  readonly wrong: readonly string[];
}

/** The load whose freshness the project has aims for. */
export const HALF = 0.5;
const PROBE_MS = 100;
const LOOK_MS = { redis: 2, clickhouse: 40 } as const;
const SEEN_MS_MAX = 60_000;

/** A fix of the probe's device: its second says when it was sent. */
type Sent = Map<number, number>;

/**
 * Sends a fix of one device every 100 ms under a steady load, and looks in both stores for the
 * newest that they have. Looking adds up to 2 ms to the waits for Redis, 40 ms to those for
 * ClickHouse: asking it more often would be a load itself.
 */
export async function measureFreshness(
  cluster: BenchCluster, shooter: Shooter,
  stores: { readonly tables: BenchTables; readonly last: LastStates }, plan: ChainPlan,
): Promise<Omit<FreshnessRow, 'loadFraction'>> {
  const { url } = cluster.local;
  const { hostname: host, port } = new URL(url);
  const [probe, ...senders] = cluster.senders;
  if (probe === undefined) throw new Error('Freshness needs a device of its own.');
  shooter.fire({ ...plan, host, port: Number(port), path: cluster.path, senders });
  const sent: Sent = new Map();
  const answers: Promise<number>[] = [];
  const { deviceId } = probe;
  const first = plan.firstSecond;
  const last = first + Math.floor(plan.ms / PROBE_MS) - 1;
  const seen = Promise.all([
    waitsUntilSeen(() => stores.last.newest(deviceId), LOOK_MS.redis, { sent, first, last }),
    waitsUntilSeen(
      () => stores.tables.newest(deviceId, first), LOOK_MS.clickhouse, { sent, first, last },
    ),
  ]);
  for (let second = first; second <= last; second += 1) {
    sent.set(second, performance.now());
    answers.push(send(url + cluster.path, probe, second));
    await delay(PROBE_MS);
  }
  const [redis, clickhouse] = await seen;
  const { others, brokenLines } = await shooter.cease();
  const refused = (await Promise.all(answers)).filter((status) => status !== 202);
  const wrong = refused.map((status) => `a probe was answered ${status}`);
  if (Object.keys(others).length > 0 || brokenLines > 0) wrong.push('posts of the load failed');
  return {
    probes: sent.size,
    redisP50Ms: at(redis, 0.5), redisP99Ms: at(redis, 0.99),
    clickhouseP50Ms: at(clickhouse, 0.5), clickhouseP99Ms: at(clickhouse, 0.99),
    wrong,
  };
}

/** How long each probe took until a store had it or one after it; infinity for none at all. */
async function waitsUntilSeen(
  newest: () => Promise<number>, everyMs: number,
  { sent, first, last }: { readonly sent: Sent; readonly first: number; readonly last: number },
): Promise<readonly number[]> {
  const waits: number[] = [];
  let next = first;
  for (let newsMs = performance.now(); next <= last; await delay(everyMs)) {
    const seen = Math.min(await newest(), last);
    const nowMs = performance.now();
    if (seen >= next) newsMs = nowMs;
    else if (nowMs - newsMs > SEEN_MS_MAX) break;
    for (; next <= seen; next += 1) waits.push(nowMs - (sent.get(next) ?? nowMs));
  }
  for (; next <= last; next += 1) waits.push(Infinity);
  return waits;
}

async function send(url: string, { deviceId, token }: LoadSender, second: number): Promise<number> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      device_id: deviceId, post_timestamp: second,
      locations: [{ timestamp: second, country_id: 'US', latitude: 40, longitude: -74 }],
    }),
  });
  await answer.body?.cancel();
  return answer.status;
}

function at(values: readonly number[], fraction: number): number {
  return quantile(values.map((value) => [value, 1] as const), fraction);
}
