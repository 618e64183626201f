import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REDIS_DEFAULTS } from '../../../services/adapters/redis/config.ts';
import { openRedis } from '../../../services/adapters/redis/open-redis.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { createStates } from '../../../services/state/create-states.ts';
import { wallClock } from '../../support/kafka-logs.ts';
import { startOwnStack, type OwnStack } from '../../support/own-stack.ts';

const USERS = ['gateways', 'workers', 'operator'] as const;

/** What only the administrator may do, also from within a script. */
const FORBIDDEN: readonly (readonly [string, ...string[]])[] = [
  ['FLUSHALL'], ['FLUSHDB'], ['KEYS', '*'], ['CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru'],
  ['CONFIG', 'REWRITE'], ['CONFIG', 'RESETSTAT'], ['SHUTDOWN'],
  ['SAVE'], ['BGREWRITEAOF'], ['MONITOR'], ['ACL', 'LIST'], ['ACL', 'SETUSER', 'x'],
  ['CLIENT', 'LIST'], ['CLIENT', 'KILL', 'ID', '1'], ['REPLICAOF', 'NO', 'ONE'],
  ['SCRIPT', 'FLUSH'], ['FUNCTION', 'FLUSH'], ['MODULE', 'LIST'], ['SLOWLOG', 'GET'],
  ['SWAPDB', '0', '1'], ['PUBLISH', 'x', 'y'], ['SUBSCRIBE', 'x'],
];

describe('who may do what in the state store', () => {
  let own: OwnStack;
  const clients: Redis[] = [];

  beforeAll(async () => {
    own = await startOwnStack(['redis']);
  });

  afterAll(async () => {
    for (const client of clients) client.disconnect();
    await own.close();
  });

  const urlOf = (user: (typeof USERS)[number]): string => ({
    gateways: own.env.REDIS_GATEWAYS_URL, workers: own.env.REDIS_WORKERS_URL,
    operator: own.env.REDIS_OPERATOR_URL,
  })[user];
  const loginAs = (user: (typeof USERS)[number]): Redis => {
    const client = new Redis(urlOf(user));
    clients.push(client);
    return client;
  };
  const tried = async (doing: Promise<unknown>): Promise<string> =>
    await doing.then(() => 'allowed', (error: unknown) => String(error).split(' ')[1] ?? '');

  it.each(USERS)('lets %s start, with the check of the eviction policy on', async (user) => {
    const states = await openRedis(
      { ...REDIS_DEFAULTS, url: urlOf(user) }, { signals: silentSignals, clock: wallClock },
    );
    expect(await states.readiness.isReady()).toBe(false);
    await states.close();
  });

  it.each(USERS)('refuses %s everything that is the administrator\'s', async (user) => {
    const client = loginAs(user);
    await loginAs('gateways').set('{s01}:kept', '1');
    for (const [command, ...args] of FORBIDDEN) {
      expect([command, ...args, await tried(client.call(command, ...args))])
        .toEqual([command, ...args, 'NOPERM']);
    }
    expect(await client.get('{s01}:kept')).toBe('1');
    // The server itself allows it to no user.
    expect(await tried(client.call('DEBUG', 'SLEEP', '0'))).not.toBe('allowed');
  });

  it.each(USERS)('refuses %s the same inside a script', async (user) => {
    const client = loginAs(user);
    for (const command of ['FLUSHALL', 'KEYS']) {
      const script = `return redis.call('${command}', ARGV[1])`;
      await expect(client.eval(script, 0, '*')).rejects.toThrow(/can't run this command/);
    }
  });

  it('keeps the gateways to the keys of the shards, and the workers to those and their own',
    async () => {
      const [gateways, workers] = [loginAs('gateways'), loginAs('workers')];
      expect(await tried(gateways.set('{s07}:token:x', '1'))).toBe('allowed');
      expect(await tried(gateways.set('pending-inserts:g', '1'))).toBe('NOPERM');
      expect(await tried(gateways.set('anything', '1'))).toBe('NOPERM');
      expect(await tried(workers.hset('pending-inserts:h', 'a', '1'))).toBe('allowed');
      expect(await tried(workers.set('anything', '1'))).toBe('NOPERM');
      const inScript = "return redis.call('SET', KEYS[1], '1')";
      expect(await tried(gateways.eval(inScript, 1, '{s07}:token:y'))).toBe('allowed');
      expect(await tried(gateways.eval(inScript, 1, 'anything'))).toBe('NOPERM');
    });

  it('lets the operator read the shards, also by a script, and write nowhere', async () => {
    await loginAs('gateways').set('{s07}:token:read', '1');
    const operator = loginAs('operator');
    const reads = "return redis.call('GET', KEYS[1])";
    expect(await operator.get('{s07}:token:read')).toBe('1');
    expect(await operator.eval(reads, 1, '{s07}:token:read')).toBe('1');
    expect(await tried(operator.get('anything'))).toBe('NOPERM');
    expect(await tried(operator.set('{s07}:token:read', '2'))).toBe('NOPERM');
    expect(await tried(operator.del('{s07}:token:read'))).toBe('NOPERM');
    const writes = "return redis.call('SET', KEYS[1], '2')";
    await expect(operator.eval(writes, 1, '{s07}:token:read')).rejects.toThrow(/can't run this command/);
    expect(await operator.get('{s07}:token:read')).toBe('1');
  });

  it('lets the command line ask as the operator for all that it shows of the store', async () => {
    const open = (user: (typeof USERS)[number]) => openRedis(
      { ...REDIS_DEFAULTS, url: urlOf(user), evictionCheck: false },
      { signals: silentSignals, clock: wallClock },
    );
    const redis = await open('operator');
    const { devices, shipments, lastFixes, refusals } = createStates(REDIS_DEFAULTS, redis);
    // A store that is not built yet says so; one that refused the user would not.
    const asked: readonly Promise<unknown>[] = [
      devices.load('owner', 'device'), lastFixes.find('owner', 'device'),
      shipments.find('TRACK-1'), refusals.find('client'),
      redis.folds.find('open-dead-letters'),
    ];
    const ends = await Promise.all(asked.map((each) => each.then(
      () => 'answered', (error: unknown) => (error as { readonly code?: string }).code,
    )));
    expect(ends.filter((end) => end !== 'answered' && end !== 'state_not_ready')).toEqual([]);
    expect(ends).toContain('answered');
    await redis.close();
  });

  it('refuses a wrong password', async () => {
    const client = new Redis(urlOf('gateways').replace(/:[^:@]*@/, ':wrong@'), {
      lazyConnect: true, retryStrategy: () => null,
    });
    const refused = new Promise((resolve) => client.once('error', resolve));
    await expect(client.connect()).rejects.toThrow();
    expect(String(await refused)).toContain('WRONGPASS');
  });
});
