import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openRedisStates, type OpenedRedis } from '../../support/open-redis-states.ts';
import { startOwnRedis, type OwnRedis } from '../../support/own-redis.ts';
import { aClient, asking, aToken, revocationOf } from '../../support/state-facts.ts';

const client = aClient();
const token = aToken(client);
const FILES = 'appendonlydir';
const WAIT = { timeout: 10_000, interval: 20 };

describe('A Redis that is not the one that was marked', () => {
  let server: OwnRedis | undefined;
  let states: OpenedRedis | undefined;

  afterEach(async () => {
    await states?.close();
    await server?.close();
    [server, states] = [undefined, undefined];
  });

  async function opened(): Promise<[OwnRedis, OpenedRedis]> {
    server = await startOwnRedis('--appendfsync', 'always');
    states = await openRedisStates({}, server.url);
    await states.access.applyClient(client);
    await states.access.applyTokens([token]);
    return [server, states];
  }

  /** What every call gets, once the connection is there again. */
  async function refusal(store: OpenedRedis): Promise<string> {
    let code = '';
    await vi.waitFor(async () => {
      const [end] = await Promise.allSettled([store.admission.read(asking(token))]);
      code = end.status === 'rejected' ? (end.reason as { code: string }).code : 'admitted';
      expect(code).not.toBe('state_unavailable');
    }, WAIT);
    return code;
  }

  async function rebuilt(store: OpenedRedis): Promise<void> {
    expect(await store.readiness.claimRebuild('again', 5_000)).toBe(true);
    await store.access.applyTokens([revocationOf(token)]);
    expect(await store.readiness.markReady('again')).toBe(true);
  }

  it('serves nothing after a restart, although every key and mark is there', async () => {
    const [redis, store] = await opened();
    expect((await store.admission.read(asking(token))).caller).toBeDefined();
    await redis.kill();
    await redis.start();
    expect(await refusal(store)).toBe('state_not_ready');
    expect(await redis.raw.exists('{s00}:ready')).toBe(1);
    expect(await store.readiness.isReady()).toBe(false);
    await rebuilt(store);
    await vi.waitFor(() => store.admission.read(asking(token)), WAIT);
    expect(await store.readiness.isReady()).toBe(true);
  });

  it('does not give a revoked token back from an old snapshot', async () => {
    const [redis, store] = await opened();
    const [, dir] = await redis.raw.config('GET', 'dir') as [string, string];
    const [files, old] = [join(dir, FILES), join(dir, 'snapshot')];
    cpSync(files, old, { recursive: true });
    await store.access.denyToken(revocationOf(token));
    expect((await store.admission.read(asking(token))).caller).toBeUndefined();
    await redis.kill();
    rmSync(files, { recursive: true });
    cpSync(old, files, { recursive: true });
    await redis.start();
    expect(await refusal(store)).toBe('state_not_ready');
    await rebuilt(store);
    await vi.waitFor(async () => {
      expect((await store.admission.read(asking(token))).caller).toBeUndefined();
    }, WAIT);
  });

  it('is not marked by a rebuild that began before the restart', async () => {
    const [redis, store] = await opened();
    expect(await store.readiness.claimRebuild('early', 60_000)).toBe(true);
    await redis.kill();
    await redis.start();
    expect(await refusal(store)).toBe('state_not_ready');
    expect(await store.readiness.markReady('early')).toBe(false);
    expect(await store.readiness.isReady()).toBe(false);
    expect(await refusal(store)).toBe('state_not_ready');
  });
});
