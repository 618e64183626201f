import { afterEach, describe, expect, it, vi } from 'vitest';
import { REDIS_DEFAULTS, type RedisConfig } from '../../../services/adapters/redis/config.ts';
import { openRedis } from '../../../services/adapters/redis/open-redis.ts';
import { openRedisStates, type OpenedRedis } from '../../support/open-redis-states.ts';
import { startOwnRedis, type OwnRedis } from '../../support/own-redis.ts';
import {
  aClient, aRegistration, asking, aToken, placed, stopOf,
} from '../../support/state-facts.ts';
import { tagOfClient } from '../../../services/adapters/redis/keys.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';

const client = aClient();
const token = aToken(client);
const device = aRegistration(client);
const clock = { nowMs: () => Date.now() };

describe('A Redis that fails', () => {
  let server: OwnRedis | undefined;
  let states: OpenedRedis | undefined;

  afterEach(async () => {
    await states?.close();
    await server?.close();
    [server, states] = [undefined, undefined];
  });

  async function opened(settings: Partial<RedisConfig> = {}): Promise<[OwnRedis, OpenedRedis]> {
    // By the second, a write may wait while the disk is busy, and a kill would lose it.
    server = await startOwnRedis('--appendfsync', 'always');
    states = await openRedisStates(settings, server.url);
    await states.access.applyClient(client);
    await states.access.applyTokens([token]);
    await states.devices.apply(placed([device]));
    return [server, states];
  }

  /** Does what the watch over the store does, without anything to replay. */
  async function markedAgain(store: OpenedRedis): Promise<void> {
    await vi.waitFor(async () => {
      expect(await store.readiness.claimRebuild('again', 5_000)).toBe(true);
    }, { timeout: 10_000 });
    expect(await store.readiness.markReady('again')).toBe(true);
  }

  it('[RTT-15] refuses no call when a counter is broken', async () => {
    const [redis, store] = await opened();
    const tag = tagOfClient(client.client_id);
    await redis.raw.lpush(`${tag}:quota:req:${client.client_id}`, 'not a number');
    const facts = await store.admission.read(asking(token, { locations: 10 }));
    expect(facts.caller).toBeDefined();
    expect(facts.quota).toBeUndefined();
    await redis.raw.set(`${tag}:quota:req:${client.client_id}`, 'nan');
    expect((await store.admission.read(asking(token))).quota?.allowed).toBe(true);
    const hourAhead = String((Date.now() + 3_600_000) * 1000);
    await redis.raw.set(`${tag}:quota:loc:${client.client_id}`, hourAhead);
    const clockWentBack = await store.admission.read(asking(token, { locations: 1 }));
    expect(clockWentBack.quota).toMatchObject({ allowed: false, resetSeconds: 60 });
  });

  it('[RTT-15] still admits when memory is full, and claims nothing', async () => {
    const [redis, store] = await opened();
    await redis.raw.config('SET', 'maxmemory', '1');
    const facts = await store.admission.read(asking(token, { deviceId: device.device_id }));
    expect(facts).toMatchObject({ caller: { clientId: client.client_id }, device: { epoch: 1 } });
    await expect(store.devices.claimTransition(stopOf(device), 1, 'a'))
      .rejects.toMatchObject({ code: 'state_unavailable', retryable: true });
    await redis.raw.config('SET', 'maxmemory', '0');
    expect(await store.devices.claimTransition(stopOf(device), 1, 'a')).toBe('taken');
  });

  it('answers state_not_ready for every shard that has lost its mark, and for no other', async () => {
    const [redis, store] = await opened();
    const others = Array.from({ length: 200 }, () => aClient());
    const kept = others.find(({ client_id }) =>
      tagOfClient(client_id) !== tagOfClient(client.client_id))!;
    await store.access.applyClient(kept);
    const keptToken = aToken(kept);
    await store.access.applyTokens([keptToken]);
    await redis.raw.del(`${tagOfClient(client.client_id)}:ready`);
    const [lost, there] = await Promise.allSettled([
      store.admission.read(asking(token)), store.admission.read(asking(keptToken)),
    ]);
    expect(lost).toMatchObject({ status: 'rejected', reason: { code: 'state_not_ready' } });
    expect(there).toMatchObject({ status: 'fulfilled', value: { quota: { allowed: true } } });
    expect(await store.readiness.isReady()).toBe(false);
  });

  it('answers state_unavailable fast when it is gone, and serves once it is marked again', async () => {
    const [redis, store] = await opened();
    await redis.kill();
    const begun = Date.now();
    await expect(store.admission.read(asking(token)))
      .rejects.toMatchObject({ code: 'state_unavailable' });
    await expect(store.devices.load(client.client_id, device.device_id))
      .rejects.toMatchObject({ code: 'state_unavailable' });
    await expect(store.readiness.isReady()).rejects.toMatchObject({ code: 'state_unavailable' });
    expect(Date.now() - begun).toBeLessThan(1_500);
    await redis.start();
    await markedAgain(store);
    await vi.waitFor(async () => {
      expect((await store.admission.read(asking(token))).caller).toBeDefined();
    }, { timeout: 10_000 });
    expect(await store.devices.load(client.client_id, device.device_id)).toBeDefined();
  });

  it('answers state_unavailable at the deadline when it hangs', async () => {
    const [redis, store] = await opened({ admissionMsMax: 300, commandMsMax: 300 });
    await redis.raw.client('PAUSE', 1_500, 'ALL');
    const begun = Date.now();
    const reads = await Promise.allSettled(
      Array.from({ length: 20 }, () => store.admission.read(asking(token))),
    );
    expect(reads.every((read) => read.status === 'rejected')).toBe(true);
    expect(reads[0]).toMatchObject({ reason: { code: 'state_unavailable' } });
    expect(Date.now() - begun).toBeLessThan(1_200);
    await vi.waitFor(async () => {
      expect((await store.admission.read(asking(token))).caller).toBeDefined();
    }, { timeout: 10_000 });
  });

  it('refuses reads beyond what may wait', async () => {
    const [, store] = await opened({ admissionWaitingMax: 3 });
    const reads = await Promise.allSettled(
      Array.from({ length: 5 }, () => store.admission.read(asking(token))),
    );
    expect(reads.map(({ status }) => status)).toEqual(
      ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'],
    );
  });

  it('needs no script to be known beforehand', async () => {
    const [redis, store] = await opened();
    await redis.raw.script('FLUSH');
    expect((await store.admission.read(asking(token))).caller).toBeDefined();
  });

  it('is refused at boot when it may evict keys, unless that is allowed', async () => {
    const [redis] = await opened();
    await redis.raw.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const config = { ...REDIS_DEFAULTS, url: redis.url };
    await expect(openRedis(config, { signals: silentSignals, clock }))
      .rejects.toMatchObject({ code: 'state_unavailable', stage: 'boot' });
    const unchecked = { ...config, evictionCheck: false };
    const allowed = await openRedis(unchecked, { signals: silentSignals, clock });
    await allowed.close();
  });

  it('is refused at boot when it does not answer', async () => {
    const config = { ...REDIS_DEFAULTS, url: 'redis://127.0.0.1:1', bootMsMax: 200 };
    await expect(openRedis(config, { signals: silentSignals, clock }))
      .rejects.toMatchObject({ code: 'state_unavailable', stage: 'boot' });
  });
});
