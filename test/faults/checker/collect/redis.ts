import { Redis } from 'ioredis';
import type { StateDump } from '../evidence.ts';

const SCAN_COUNT = 1_000;
const SHARDS = 64;
/** How long a rebuild may take, in milliseconds. */
const REBUILD_MS_MAX = 90_000;
const POLL_MS = 250;

/** Reads every key with its value. */
export async function readRedis(url: string): Promise<StateDump> {
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 5 });
  await redis.connect();
  try {
    return await dump(redis);
  } finally {
    redis.disconnect();
  }
}

/**
 * Empties Redis, waits until the product has set all marks again, and reads it. Empty when it does
 * not come back in time, which is then a difference in every key.
 */
export async function wipeAndRead(url: string): Promise<StateDump> {
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 5 });
  await redis.connect();
  try {
    await redis.flushall();
    const untilMs = Date.now() + REBUILD_MS_MAX;
    while (!await isBack(redis)) {
      if (Date.now() > untilMs) return new Map();
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return await dump(redis);
  } finally {
    redis.disconnect();
  }
}

async function isBack(redis: Redis): Promise<boolean> {
  const tags = Array.from({ length: SHARDS }, (_, at) => `{s${String(at).padStart(2, '0')}}`);
  const marks = tags.flatMap((tag) => [`${tag}:ready`, `${tag}:fixes-complete`]);
  return await redis.exists(...marks) === marks.length;
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
