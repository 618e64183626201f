import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { tagOfClient } from '../../../services/adapters/redis/keys.ts';
import type { RedisStates } from '../../../services/adapters/redis/open-redis.ts';
import type { States } from '../../../services/state/create-states.ts';
import { openMarkedStates } from '../../support/open-redis-states.ts';
import {
  startOwnRedisCluster, type ClusterNode, type OwnRedisCluster,
} from '../../support/own-redis-cluster.ts';
import { aClient, asking, aToken, revocationOf } from '../../support/state-facts.ts';

const WAIT = { timeout: 20_000, interval: 20 };
/** From the end of a primary to a store that serves again, where its state is small. */
const READY_MS_MAX = 5_000;

type Store = RedisStates & States;

describe('A primary of a Redis Cluster that is replaced', () => {
  let cluster: OwnRedisCluster;
  const stores: Store[] = [];
  const client = aClient();
  const token = aToken(client);
  const tag = tagOfClient(client.client_id);

  beforeEach(async () => { cluster = await startOwnRedisCluster(); });
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    await cluster.close();
  });

  async function opened(): Promise<Store> {
    const store = await openMarkedStates({ cluster: true, url: cluster.urlOf('gateways') });
    stores.push(store);
    return store;
  }

  /** A store that admits the token, with the primary of the client and its replica. */
  async function begun(): Promise<readonly [Store, ClusterNode, ClusterNode]> {
    const store = await opened();
    await store.access.applyClient(client);
    await store.access.applyTokens([token]);
    expect(await endOf(store)).toBe('admitted');
    const [primary, replica] = await cluster.pairOf(`${tag}:`);
    return [store, primary, replica];
  }

  /** Revokes the token while the replica hears nothing of it, as an acknowledged denial. */
  async function deniedUnheard(
    store: Store, primary: ClusterNode, replica: ClusterNode,
  ): Promise<void> {
    // Once the replica has everything until here, it is cut off by a password that is wrong.
    expect(await primary.raw.call('WAIT', 1, 5_000)).toBe(1);
    await replica.raw.config('SET', 'masterauth', 'wrong');
    await primary.raw.call('CLIENT', 'KILL', 'TYPE', 'replica');
    await store.access.denyToken(revocationOf(token));
    expect(await endOf(store)).toBe('refused');
  }

  async function endOf(store: Store): Promise<string> {
    const [end] = await Promise.allSettled([store.admission.read(asking(token))]);
    if (end.status === 'rejected') return (end.reason as { code: string }).code;
    return end.value.caller === undefined ? 'refused' : 'admitted';
  }

  /** What the store answers from now on until `isOver`, and first after it. */
  async function answersUntil(store: Store, isOver: () => Promise<boolean>): Promise<Set<string>> {
    const seen = new Set<string>();
    await vi.waitFor(async () => {
      seen.add(await endOf(store));
      expect(await isOver()).toBe(true);
    }, WAIT);
    await vi.waitFor(async () => {
      const end = await endOf(store);
      seen.add(end);
      expect(end).not.toBe('state_unavailable');
    }, WAIT);
    return seen;
  }

  async function rebuilt(store: Store): Promise<void> {
    await vi.waitFor(async () => {
      expect(await store.readiness.claimRebuild('again', 5_000)).toBe(true);
      await store.access.applyTokens([revocationOf(token)]);
      expect(await store.readiness.markReady('again')).toBe(true);
    }, WAIT);
  }

  const isPrimary = async (node: ClusterNode): Promise<boolean> =>
    (await node.raw.info('replication')).includes('role:master');

  it('[GEN-60] gives no revoked token back where its replica had not heard of it', async () => {
    const [store, primary, replica] = await begun();
    await deniedUnheard(store, primary, replica);
    await primary.kill();
    const seen = await answersUntil(store, () => isPrimary(replica));
    expect([...seen]).not.toContain('admitted');
    await rebuilt(store);
    await vi.waitFor(async () => expect(await endOf(store)).toBe('refused'), WAIT);
  });

  it('is followed by a store that is ready again within 5 s, where its state is small', async () => {
    const [store, primary] = await begun();
    await primary.kill();
    const killedMs = Date.now();
    await vi.waitFor(async () => {
      // As the watch of the state does: a rebuild that a late event voids is done once more.
      if (!await store.readiness.isReady()) await rebuilt(store);
      await store.admission.read(asking(token));
    }, WAIT);
    expect(Date.now() - killedMs).toBeLessThan(READY_MS_MAX);
  });

  it('[GEN-60] is not believed where the old one says itself that it was replaced', async () => {
    const [store, primary, replica] = await begun();
    await deniedUnheard(store, primary, replica);
    // It takes over at once, without asking the others or the old primary for what it has missed.
    await replica.raw.call('CLUSTER', 'FAILOVER', 'TAKEOVER');
    const seen = await answersUntil(store, async () => !await isPrimary(primary));
    expect([...seen]).not.toContain('admitted');
    await vi.waitFor(async () => expect(await store.readiness.isReady()).toBe(false), WAIT);
    await rebuilt(store);
    await vi.waitFor(async () => expect(await endOf(store)).toBe('refused'), WAIT);
  });
});
