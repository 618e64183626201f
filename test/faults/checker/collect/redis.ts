import { Redis } from 'ioredis';
import type { StateDump } from '../evidence.ts';

const SCAN_COUNT = 1_000;
const SHARDS = 64;
const MARKS = ['ready', 'fixes-complete'];
/** How long a rebuild may take, in milliseconds. */
const REBUILD_MS_MAX = 90_000;
const POLL_MS = 250;

/** Reads every key with its value from the servers that are no replicas. */
export function readRedis(urls: readonly string[]): Promise<StateDump> {
  return atPrimaries(urls, dumpAll);
}

/**
 * Empties Redis, waits until the product has set all marks again, and reads it. Empty when it does
 * not come back in time, which is then a difference in every key.
 */
export function wipeAndRead(urls: readonly string[]): Promise<StateDump> {
  return atPrimaries(urls, async (primaries) => {
    await Promise.all(primaries.map((redis) => redis.flushall()));
    const untilMs = Date.now() + REBUILD_MS_MAX;
    while (!await isBack(primaries)) {
      if (Date.now() > untilMs) return new Map();
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return dumpAll(primaries);
  });
}

async function atPrimaries(
  urls: readonly string[], work: (primaries: readonly Redis[]) => Promise<StateDump>,
): Promise<StateDump> {
  const servers = urls.map((url) => new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 5 }));
  try {
    const primaries: Redis[] = [];
    for (const redis of servers) {
      await redis.connect();
      const [role] = await redis.role() as readonly unknown[];
      if (role === 'master') primaries.push(redis);
    }
    return await work(primaries);
  } finally {
    for (const redis of servers) redis.disconnect();
  }
}

async function isBack(primaries: readonly Redis[]): Promise<boolean> {
  const found = await Promise.all(primaries.flatMap((redis) =>
    MARKS.map((mark) => redis.keys(`{s??}:${mark}`))));
  return found.flat().length === SHARDS * MARKS.length;
}

async function dumpAll(primaries: readonly Redis[]): Promise<StateDump> {
  const dumps = await Promise.all(primaries.map(dump));
  return new Map(dumps.flatMap((each) => [...each]));
}

async function dump(redis: Redis): Promise<StateDump> {
  const found = new Map<string, unknown>();
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, 'COUNT', SCAN_COUNT);
    cursor = next;
    const values = await Promise.all(keys.map((key) => valueOf(redis, key)));
    for (const [at, key] of keys.entries()) {
      if (values[at] !== undefined) found.set(key, values[at]);
    }
  } while (cursor !== '0');
  return found;
}

async function valueOf(redis: Redis, key: string): Promise<unknown> {
  switch (await redis.type(key)) {
    case 'hash': return redis.hgetall(key);
    case 'string': return redis.get(key);
    case 'zset': return redis.zrange(key, '0', '-1', 'WITHSCORES');
    case 'set': return (await redis.smembers(key)).sort();
    case 'list': return redis.lrange(key, 0, -1);
    default: return undefined;
  }
}
