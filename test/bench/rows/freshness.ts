import { setTimeout as delay } from 'node:timers/promises';
import type { BenchHouse } from '../house.ts';
import type { Shooter } from '../load/open-shooter.ts';
import type { Sender } from '../load/order.ts';
import { quantile } from '../measure/statistics.ts';
import type { LastStates, Store } from '../store.ts';
import type { ChainPlan } from './chain.ts';

/** From the sending of a probe until it was seen, under load, in ms. */
export interface FreshnessRow {
  readonly probes: number;
  readonly redisP50Ms: number;
  readonly redisP99Ms: number;
  readonly clickhouseP50Ms: number;
  readonly clickhouseP99Ms: number;
  readonly wrong: readonly string[];
}

const SEEN_MS_MAX = 60_000;
const LOOK_MS = 2;

/** Sends fixes of one device under a steady load and looks for each until both stores have it. */
export async function measureFreshness(
  house: BenchHouse, shooter: Shooter,
  stores: { readonly tables: Store; readonly last: LastStates }, plan: ChainPlan,
): Promise<FreshnessRow> {
  const { url } = house.system;
  const { hostname: host, port } = new URL(url);
  const [probe, ...senders] = house.senders;
  if (probe === undefined) throw new Error('Freshness needs a device of its own.');
  shooter.fire({ ...plan, host, port: Number(port), path: house.path, senders });
  const redis: number[] = [];
  const clickhouse: number[] = [];
  const wrong: string[] = [];
  const endMs = performance.now() + plan.ms;
  for (let second = plan.firstSecond; performance.now() < endMs; second += 1) {
    const sentMs = performance.now();
    const status = await send(url + house.path, probe, second);
    if (status !== 202) wrong.push(`a probe was answered ${status}`);
    const waits = await Promise.all([
      untilSeen(() => stores.last.hasReached(probe.deviceId, second), sentMs),
      untilSeen(() => stores.tables.hasFix(probe.deviceId, second), sentMs),
    ]);
    redis.push(waits[0]);
    clickhouse.push(waits[1]);
  }
  const { others, brokenLines } = await shooter.cease();
  if (Object.keys(others).length > 0 || brokenLines > 0) wrong.push('posts of the load failed');
  return {
    probes: redis.length,
    redisP50Ms: at(redis, 0.5), redisP99Ms: at(redis, 0.99),
    clickhouseP50Ms: at(clickhouse, 0.5), clickhouseP99Ms: at(clickhouse, 0.99),
    wrong,
  };
}

async function send(url: string, { deviceId, token }: Sender, second: number): Promise<number> {
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

async function untilSeen(look: () => Promise<boolean>, sinceMs: number): Promise<number> {
  while (!await look()) {
    if (performance.now() - sinceMs > SEEN_MS_MAX) return Infinity;
    await delay(LOOK_MS);
  }
  return performance.now() - sinceMs;
}

function at(values: readonly number[], share: number): number {
  return quantile(values.map((value) => [value, 1] as const), share);
}
