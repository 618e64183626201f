import { Redis } from 'ioredis';
import { identify, isAlive } from '../../infra/local/process-identity.ts';
import { stackEnv } from './stack.ts';

const DATABASES = 16;
/** Takes a database when it is still held by whom we saw there: '' for none. */
const TAKE = `
  if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
  redis.call('SET', KEYS[1], ARGV[2])
  return 1`;

let taken: Promise<string> | undefined;

/**
 * Address of a database in the run's Redis that no other test file uses at this time, since keys
 * have fixed names. Each file runs in a process of its own, which holds it until the process ends.
 */
export function redisAddress(): Promise<string> {
  taken ??= takeAddress();
  return taken;
}

async function takeAddress(): Promise<string> {
  const url = stackEnv().REDIS_URL;
  const raw = new Redis(url);
  const { startTicks = '' } = identify(process.pid) ?? {};
  try {
    // Database 0 holds who has the others.
    for (let database = 1; database < DATABASES; database += 1) {
      const key = `test:holder-of-database:${database}`;
      const holder = await raw.get(key) ?? '';
      const [pid = '0', since = ''] = holder.split(':');
      if (holder !== '' && isAlive({ pid: Number(pid), startTicks: since })) continue;
      const took = await raw.eval(TAKE, 1, key, holder, `${process.pid}:${startTicks}`);
      if (took === 1) return `${url}/${database}`;
    }
  } finally {
    raw.disconnect();
  }
  throw new Error('All databases of the Redis of this run are held by test files that run.');
}
