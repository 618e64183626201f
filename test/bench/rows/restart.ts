import { Redis } from 'ioredis';
import { waitFor } from '../../../infra/local/wait.ts';
import { REDIS_DEFAULTS } from '../../../services/adapters/redis/config.ts';
import { openRedis, type RedisStates } from '../../../services/adapters/redis/open-redis.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import type { BenchCluster } from '../cluster.ts';
import { bodiesOf } from '../scan-cost/bodies.ts';
import { fillDevices, fillShipments, MONTHS, type FilledMonth } from './fill-year.ts';
import { openYearStore } from './year-store.ts';

/** How long the service was away when its state store crashed, at one size of a deployment. */
export interface RestartRow {
  readonly shipments: number;
  readonly devices: number;
  readonly deviceBytes: number;
  readonly liveBytes: number;
  readonly finishedBytes: number;
  /** What the store takes as the year goes on. */
  readonly months: readonly FilledMonth[];
  /** From the crash until the server answered: its file is read. */
  readonly readSeconds: number;
  /** CPU of the server until then, which other work on the machine changes less. */
  readonly readCpuSeconds: number;
  /** From the crash until a post was answered with 202 again. */
  readonly readySeconds: number;
  readonly wrong: readonly string[];
}

/** Shipments a year for each device of a deployment. */
const SHIPMENTS_PER_DEVICE = 10;
const WAIT_MS_MAX = 1_800_000;
const ASK_MS = 50;

/** Ends the state store as a crash does, once for each size, the smallest first. */
export async function measureRestarts(
  cluster: BenchCluster, sizes: readonly number[], nextSecond: () => number,
): Promise<readonly RestartRow[]> {
  const url = cluster.local.stack.env.REDIS_URL;
  const clock = { nowMs: (): number => Date.now() };
  const redis = await openRedis({ ...REDIS_DEFAULTS, url }, { signals: silentSignals, clock });
  const raw = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => ASK_MS });
  raw.on('error', () => undefined);
  const year = openYearStore(raw);
  const rows: RestartRow[] = [];
  let known = { devices: 0, shipments: 0 };
  try {
    for (const size of sizes) {
      // As many in each month of a year.
      const shipments = Math.ceil(size / MONTHS) * MONTHS;
      const devices = Math.ceil(shipments / SHIPMENTS_PER_DEVICE);
      const fill = { raw, year, lastFixes: redis.lastFixes, owner: cluster.local.identity };
      const deviceBytes = await fillDevices(fill, known.devices, devices);
      const filled = await fillShipments(fill, known.shipments, shipments);
      known = { devices, shipments };
      rows.push({
        shipments, devices, deviceBytes, ...filled,
        ...await crash(cluster, redis, raw, nextSecond),
      });
    }
  } finally {
    raw.disconnect();
    await redis.close();
  }
  return rows;
}

async function crash(
  cluster: BenchCluster, { checkpoints }: Pick<RedisStates, 'checkpoints'>,
  raw: Redis, nextSecond: () => number,
): Promise<Pick<RestartRow, 'readSeconds' | 'readCpuSeconds' | 'readySeconds' | 'wrong'>> {
  // A server that has run for long has written its file again, when that had doubled.
  await raw.bgrewriteaof().catch(() => undefined);
  await waitFor(async () => (
    /aof_rewrite_in_progress:0\r\naof_rewrite_scheduled:0/.test(await raw.info('persistence'))
  ), { what: 'The file of the state store', deadlineMs: WAIT_MS_MAX, everyMs: 200 });
  const filledMs = Date.now();
  await waitFor(async () => ((await checkpoints.find())?.at_ms ?? 0) > filledMs, {
    what: 'A checkpoint', deadlineMs: WAIT_MS_MAX, everyMs: ASK_MS,
  });
  const before = await raw.dbsize();
  const begunMs = performance.now();
  await cluster.local.stack.parts.redis?.kill();
  let readMs: number | undefined;
  let readCpuSeconds = 0;
  const read = raw.dbsize().then(async () => {
    readMs = performance.now();
    readCpuSeconds = cpuSecondsIn(await raw.info('cpu'));
  });
  await waitFor(() => isTaken(cluster, nextSecond()), {
    what: 'The restart', deadlineMs: WAIT_MS_MAX, everyMs: ASK_MS,
  });
  const readyMs = performance.now();
  await read;
  const after = await raw.dbsize();
  return {
    readSeconds: ((readMs ?? readyMs) - begunMs) / 1_000,
    readCpuSeconds,
    readySeconds: (readyMs - begunMs) / 1_000,
    // The last second of the file may be missing, and with it keys of limits.
    wrong: after >= before * 0.99 ? [] : [`${before} keys before the crash, ${after} after it`],
  };
}

/** CPU of a server since it started, as `INFO cpu` has it. */
function cpuSecondsIn(info: string): number {
  return [...info.matchAll(/^used_cpu_(?:user|sys):(\S+)/gm)]
    .reduce((sum, [, seconds]) => sum + Number(seconds), 0);
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
