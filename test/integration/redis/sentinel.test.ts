import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { RedisStates } from '../../../services/adapters/redis/open-redis.ts';
import type { States } from '../../../services/state/create-states.ts';
import { accessStatesSuite } from '../../support/access-states.suite.ts';
import { admissionReaderSuite } from '../../support/admission-reader.suite.ts';
import { deviceStatesSuite } from '../../support/device-states.suite.ts';
import { entityDirectorySuite } from '../../support/entity-directory.suite.ts';
import { openMarkedStates } from '../../support/open-redis-states.ts';
import type { OpenStates } from '../../support/open-states.ts';
import {
  DOWN_AFTER_MS, PRIMARY_NAME, startOwnSentinels, type OwnSentinels,
} from '../../support/own-sentinels.ts';
import { stateStoreSuite } from '../../support/state-store.suite.ts';
import { aClient, asking, aToken, revocationOf } from '../../support/state-facts.ts';

/** From the end of a primary to a store that serves again, where its state is small. */
const READY_MS_MAX = 10_000;
const WAIT = { timeout: 25_000, interval: 20 };

/** What would make another server the primary, or show who else logs in. */
const FORBIDDEN_AT_SENTINELS: readonly (readonly [string, ...string[]])[] = [
  ['SENTINEL', 'FAILOVER', PRIMARY_NAME], ['SENTINEL', 'REMOVE', PRIMARY_NAME],
  ['SENTINEL', 'SET', PRIMARY_NAME, 'quorum', '1'], ['SENTINEL', 'RESET', '*'],
  ['SENTINEL', 'MONITOR', 'other', '127.0.0.1', '1', '1'], ['ACL', 'LIST'], ['SHUTDOWN'],
];

type Store = RedisStates & States;

/** How a gateway with rights of its own finds the primary. */
function settingsOf(own: OwnSentinels): Parameters<typeof openMarkedStates>[0] {
  return {
    url: own.urlOf('gateways'), sentinels: own.sentinels, sentinelPrimary: PRIMARY_NAME,
    sentinelUsername: 'gateways', sentinelPassword: 'gateways', bootMsMax: 5_000,
  };
}

describe('The state store under three Sentinels, with the rights of a gateway', () => {
  let own: OwnSentinels;
  const open = async (settings?: Parameters<OpenStates>[0]) => {
    await own.flush();
    const states = await openMarkedStates({ ...settings, ...settingsOf(own) });
    return { ...states, wipe: () => own.flush() };
  };

  beforeAll(async () => { own = await startOwnSentinels(); }, 60_000);
  afterAll(() => own.close());

  describe('entries', () => stateStoreSuite(open));
  describe('admission', () => admissionReaderSuite(open));
  describe('access', () => accessStatesSuite(open));
  describe('devices', () => deviceStatesSuite(open));
  describe('entities', () => entityDirectorySuite(open));

  it('lets a service ask for the primary, and change nothing of the Sentinels', async () => {
    const [address = ''] = own.sentinels;
    const { hostname: host, port } = new URL(`redis://${address}`);
    const sentinel = new Redis({
      host, port: Number(port), username: 'gateways', password: 'gateways',
    });
    try {
      expect(await sentinel.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', PRIMARY_NAME)).toHaveLength(2);
      for (const [command, ...args] of FORBIDDEN_AT_SENTINELS) {
        await expect(sentinel.call(command, ...args)).rejects.toThrow(/NOPERM/);
      }
    } finally {
      sentinel.disconnect();
    }
  });

  it('is refused at boot where a primary that is cut off would go on answering', async () => {
    const primary = await own.primary();
    await primary.raw.config('SET', 'min-replicas-to-write', '0');
    await expect(openMarkedStates(settingsOf(own))).rejects.toMatchObject({
      code: 'state_unavailable', stage: 'boot',
      message: expect.stringContaining('min-replicas-to-write') as string,
    });
    await primary.raw.config('SET', 'min-replicas-to-write', '1');
  });
});

describe('A primary that Sentinels replace', () => {
  let own: OwnSentinels;
  const stores: Store[] = [];
  const client = aClient();
  const token = aToken(client);

  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    await own.close();
  });

  async function opened(): Promise<Store> {
    const store = await openMarkedStates(settingsOf(own));
    stores.push(store);
    return store;
  }

  async function endOf(store: Store): Promise<string> {
    const [end] = await Promise.allSettled([store.admission.read(asking(token))]);
    if (end.status === 'rejected') return (end.reason as { code: string }).code;
    return end.value.caller === undefined ? 'refused' : 'admitted';
  }

  async function begun(): Promise<Store> {
    own = await startOwnSentinels();
    const store = await opened();
    await store.access.applyClient(client);
    await store.access.applyTokens([token]);
    expect(await endOf(store)).toBe('admitted');
    return store;
  }

  async function rebuilt(store: Store): Promise<void> {
    await vi.waitFor(async () => {
      expect(await store.readiness.claimRebuild('again', 5_000)).toBe(true);
      await store.access.applyClient(client);
      await store.access.applyTokens([token, revocationOf(token)]);
      expect(await store.readiness.markReady('again')).toBe(true);
    }, WAIT);
  }

  it('[GEN-60] is found again when a Sentinel is gone too, and nothing is served before a rebuild',
    async () => {
      const store = await begun();
      const old = await own.primary();
      await Promise.all([old.kill(), own.killSentinel(0)]);
      const killedMs = Date.now();
      const seen = new Set<string>();
      await vi.waitFor(async () => {
        seen.add(await endOf(store));
        expect(await store.readiness.claimRebuild('early', 1)).toBe(true);
      }, WAIT);
      await rebuilt(store);
      await vi.waitFor(async () => expect(await endOf(store)).toBe('refused'), WAIT);
      expect([...seen]).not.toContain('admitted');
      expect(Date.now() - killedMs).toBeLessThan(READY_MS_MAX);
    });

  it('[GEN-60] is not asked any more once it goes on, although it does not know that it was replaced',
    async () => {
      const idle = await begun();
      const old = await own.primary();
      // Nothing but our own watch holds it back now.
      await old.raw.config('SET', 'min-replicas-to-write', '0');
      old.signal('SIGSTOP');
      await vi.waitFor(async () => expect(await own.primary()).not.toBe(old), WAIT);
      const other = await vi.waitFor(opened, WAIT);
      await rebuilt(other);
      await vi.waitFor(async () => expect(await endOf(other)).toBe('refused'), WAIT);
      old.signal('SIGCONT');
      const seen = new Set<string>();
      await vi.waitFor(async () => {
        seen.add(await endOf(idle));
        expect([...seen]).toContain('refused');
      }, WAIT);
      expect([...seen]).not.toContain('admitted');
    });

  it('is left before another can take over, so that what it answers late reaches no caller',
    async () => {
      const store = await begun();
      const old = await own.primary();
      old.signal('SIGSTOP');
      const stoppedMs = Date.now();
      expect(await endOf(store)).toBe('state_unavailable');
      expect(Date.now() - stoppedMs).toBeLessThan(DOWN_AFTER_MS);
      old.signal('SIGCONT');
    });
});
