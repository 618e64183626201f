import { Redis } from 'ioredis';
import { waitFor } from '../../../infra/local/wait.ts';
import { REDIS_DEFAULTS } from '../../../services/adapters/redis/config.ts';
import { nameOfEntry } from '../../../services/adapters/redis/keys.ts';
import { openRedis, type RedisStates } from '../../../services/adapters/redis/open-redis.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { createStates } from '../../../services/state/create-states.ts';
import type { BenchCluster } from '../cluster.ts';
import type { BenchFleet } from '../fleet.ts';
import { bodiesOf } from '../scan-cost/bodies.ts';
import { addShipments } from './aged-shipments.ts';

/** How long the service was away when its state store crashed, at one age of a deployment. */
export interface RestartRow {
  readonly shipments: number;
  readonly devices: number;
  readonly storeBytes: number;
  /** From the crash until a post was answered with 202 again. */
  readonly readySeconds: number;
  readonly wrong: readonly string[];
}

/** Shipments for each device of a deployment. */
const SHIPMENTS_PER_DEVICE = 10;
const WAIT_MS_MAX = 600_000;
const LEASE_MS = 10_000;
const ASK_MS = 50;

/** Ends the state store as a crash does, once for each age, the youngest first. */
export async function measureRestarts(
  cluster: BenchCluster, fleet: BenchFleet, ages: readonly number[], nextSecond: () => number,
): Promise<readonly RestartRow[]> {
  const url = cluster.local.stack.env.REDIS_URL;
  const config = { ...REDIS_DEFAULTS, url, claimLeaseMs: LEASE_MS };
  const clock = { nowMs: (): number => Date.now() };
  const redis = await openRedis(config, { signals: silentSignals, clock });
  const states = createStates(config, redis);
  const raw = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => ASK_MS });
  raw.on('error', () => undefined);
  const rows: RestartRow[] = [];
  let known = 0;
  try {
    for (const shipments of ages) {
      const devices = Math.ceil(shipments / SHIPMENTS_PER_DEVICE);
      await addShipments(states, known, shipments, async (left) => {
        await raw.unlink(...left.map(nameOfEntry));
      });
      await fleet.growTo(devices);
      known = shipments;
      const storeBytes = await fleet.storeBytes();
      const crashed = await crash(cluster, states, raw, nextSecond);
      rows.push({ shipments, devices, storeBytes, ...crashed });
    }
  } finally {
    raw.disconnect();
    await states.close();
  }
  return rows;
}

async function crash(
  cluster: BenchCluster, { checkpoints }: Pick<RedisStates, 'checkpoints'>,
  raw: Redis, nextSecond: () => number,
): Promise<Pick<RestartRow, 'readySeconds' | 'wrong'>> {
  const filledMs = Date.now();
  await waitFor(async () => ((await checkpoints.find())?.at_ms ?? 0) > filledMs, {
    what: 'A checkpoint', deadlineMs: WAIT_MS_MAX, everyMs: ASK_MS,
  });
  const before = await raw.dbsize();
  const begunMs = performance.now();
  await cluster.local.stack.parts.redis?.kill();
  await waitFor(() => isTaken(cluster, nextSecond()), {
    what: 'The restart', deadlineMs: WAIT_MS_MAX, everyMs: ASK_MS,
  });
  const readySeconds = (performance.now() - begunMs) / 1_000;
  const after = await raw.dbsize();
  return {
    readySeconds,
    // The last second of the file may be missing, and with it keys of limits.
    wrong: after >= before * 0.99 ? [] : [`${before} keys before the crash, ${after} after it`],
  };
}

/** A post of a tracked device, as providers repeat it while it is answered 500. */
async function isTaken(
  { local: { url }, path, senders: [sender] }: BenchCluster, second: number,
): Promise<boolean> {
  if (sender === undefined) throw new Error('The bench has no device.');
  const [post] = bodiesOf(1);
  const body = post?.toString()
    .replace(/"device_id":"[^"]*"/, `"device_id":"${sender.deviceId}"`)
    .replaceAll(/imestamp":\d+/g, `imestamp":${second}`);
  const { status } = await fetch(url + path, {
    method: 'POST', body: body ?? '',
    headers: { 'authorization': `Bearer ${sender.token}`, 'content-type': 'application/json' },
  });
  return status === 202;
}
