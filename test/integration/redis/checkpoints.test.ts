import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Checkpoint } from '../../../services/kernel/checkpoints.ts';
import { openRedisStates, type OpenedRedis } from '../../support/open-redis-states.ts';
import { startOwnRedis, type OwnRedis } from '../../support/own-redis.ts';
import { aClient } from '../../support/state-facts.ts';

const WAIT = { timeout: 10_000, interval: 20 };
const at = (next: string, at_ms = 1): Checkpoint => (
  { at_ms, offsets: [{ topic: 'oauth.tokens.v1', topic_id: 'T', partition: 3, next }] }
);

describe('checkpoints in Redis', () => {
  let server: OwnRedis;
  let states: OpenedRedis;

  beforeEach(async () => {
    server = await startOwnRedis('--appendfsync', 'always');
    states = await openRedisStates({}, server.url);
  });
  afterEach(async () => {
    await states.close();
    await server.close();
  });

  it('are what all shards hold, the least of each', async () => {
    expect(await states.checkpoints.find()).toBeUndefined();
    expect(await states.checkpoints.keep(at('90'))).toBe(true);
    await server.raw.set('{s07}:checkpoint', JSON.stringify(at('70')));
    expect(await states.checkpoints.find()).toEqual(at('70'));
    await server.raw.del('{s63}:checkpoint');
    expect(await states.checkpoints.find()).toBeUndefined();
  });

  it('[GEN-64] come back with the data after a crash, without trust in it', async () => {
    const client = aClient();
    await states.access.applyClient(client);
    await states.checkpoints.keep(at('90'));
    await server.kill();
    await server.start();
    await vi.waitFor(async () => {
      expect(await states.checkpoints.find()).toEqual(at('90'));
    }, WAIT);
    expect(await states.readiness.isReady()).toBe(false);
    await expect(states.checkpoints.keep(at('95')))
      .rejects.toMatchObject({ code: 'state_not_ready' });
    expect(await states.checkpoints.find()).toEqual(at('90'));
  });

  it('[GEN-64] are not kept by a server that the marks do not name', async () => {
    await states.checkpoints.keep(at('90'));
    await server.raw.set('{s11}:ready', 'of another server');
    expect(await states.checkpoints.keep(at('95'))).toBe(false);
    expect(await states.checkpoints.find()).toEqual(at('90'));
  });

  it('go before anything else when the state is built again', async () => {
    await states.checkpoints.keep(at('90'));
    await states.upkeep.withdrawMarks();
    expect(await states.checkpoints.find()).toBeUndefined();
  });

  it('are no part of what is compared with the log', async () => {
    await states.checkpoints.keep(at('90'));
    const kinds = new Set<string>();
    await states.upkeep.scan(async (entries) => {
      entries.forEach(({ kind }) => kinds.add(kind));
    });
    expect([...kinds]).not.toContain('checkpoint');
  });
});
