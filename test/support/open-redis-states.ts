import { Redis } from 'ioredis';
import { REDIS_DEFAULTS, type RedisConfig } from '../../services/adapters/redis/config.ts';
import { openRedis, type RedisStates } from '../../services/adapters/redis/open-redis.ts';
import { silentSignals } from '../../services/kernel/signals.ts';
import { createStates, type States } from '../../services/state/create-states.ts';
import type { OpenedStates } from './open-states.ts';
import { redisAddress } from './redis-address.ts';

/** A real Redis with a database of its own, plus what tests need beside the ports. */
export interface OpenedRedis extends OpenedStates, States, Omit<RedisStates, 'close'> {
  readonly address: string;
  readonly raw: Redis;
  /** Every key with its content, except those that expire. */
  dump(): Promise<Readonly<Record<string, unknown>>>;
}

/**
 * Opens the database at an address, empties it and makes it ready: by default one of the run's
 * Redis that is this test file's alone.
 */
export async function openRedisStates(
  settings: Partial<RedisConfig> = {}, at?: string,
): Promise<OpenedRedis> {
  const address = at ?? await redisAddress();
  const raw = new Redis(address);
  await raw.flushdb();
  const states = await openMarkedStates({ url: address, ...settings })
    .catch((error: unknown) => {
      raw.disconnect();
      throw error;
    });
  return {
    ...states,
    address,
    raw,
    wipe: async () => { await raw.flushdb(); },
    dump: () => dump(raw),
    close: async () => {
      await states.close();
      raw.disconnect();
    },
  };
}

/** Opens an empty store that another test has emptied, and makes it ready. */
export async function openMarkedStates(
  settings: Partial<RedisConfig> & Pick<RedisConfig, 'url'>,
): Promise<RedisStates & States> {
  const config = { ...REDIS_DEFAULTS, rebuildDoubtMs: 0, ...settings };
  const clock = { nowMs: (): number => Date.now() };
  const redis = await openRedis(config, { signals: silentSignals, clock });
  const states = createStates(config, redis);
  await states.readiness.claimRebuild('test', 5_000);
  await states.readiness.markReady('test');
  await states.readiness.claimRebuild('test', 5_000);
  await states.lastFixes.markComplete('test');
  return states;
}

async function dump(raw: Redis): Promise<Readonly<Record<string, unknown>>> {
  const names = (await raw.keys('*')).filter((name) => !/:(quota|ready|rebuild)/.test(name));
  const entries = await Promise.all(names.sort().map(async (name) => {
    return [name, await contentOf(raw, name)] as const;
  }));
  return Object.fromEntries(entries);
}

async function contentOf(raw: Redis, name: string): Promise<unknown> {
  switch (await raw.type(name)) {
    case 'hash': {
      const { v: _, ...fields } = await raw.hgetall(name);
      return fields;
    }
    case 'zset': return raw.zrange(name, '0', '-1', 'WITHSCORES');
    case 'set': return (await raw.smembers(name)).sort();
    default: return raw.get(name);
  }
}
