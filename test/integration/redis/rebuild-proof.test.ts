import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { REDIS_DEFAULTS } from '../../../services/adapters/redis/config.ts';
import { openRedis, type RedisStates } from '../../../services/adapters/redis/open-redis.ts';
import { sha256 } from '../../../services/adapters/secrets/secrets.ts';
import type { Unavailable } from '../../../services/kernel/unavailable.ts';
import type { LogRecord } from '../../../services/kernel/record-log.ts';
import { createStates, type States } from '../../../services/state/create-states.ts';
import { POISON_FLOOD_LIMITS } from '../../../services/workers/common/poison-flood.ts';
import {
  compareWithLog, rebuildRedis, type RebuildTarget,
} from '../../../services/workers/rebuild/rebuild-redis.ts';
import { rebuildSourcesOf } from '../../../services/workers/rebuild-sources.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { aLogRecord, fakeLogReader } from '../../support/fake-log-reader.ts';
import { openRedisStates, type OpenedRedis } from '../../support/open-redis-states.ts';
import { startOwnRedis, type OwnRedis } from '../../support/own-redis.ts';
import { readRecord } from '../../support/read-record.ts';
import {
  aClient, aRegistration, asking, aToken, revocationOf, startOf, stopOf,
} from '../../support/state-facts.ts';

const CONFIG = { ...POISON_FLOOD_LIMITS, leaseMs: 30_000, renewMs: 100 };
const clock = { nowMs: () => Date.now() };

describe('A rebuild of the state with proof', () => {
  const client = aClient();
  const token = aToken(client);
  const [tracking, stopped] = [aRegistration(client), aRegistration(client)];
  const log: LogRecord[] = [
    aLogRecord('oauth.clients.v1', 0, client),
    ...[token, revocationOf(aToken(client))].map((fact, at) => aLogRecord('oauth.tokens.v1', at, fact)),
    ...[tracking, stopped, startOf(tracking), startOf(stopped), stopOf(stopped)]
      .map((fact, at) => aLogRecord('rtt.device-lifecycle.v1', at, fact)),
    aLogRecord('rtt.locations.v1', 0, { locations: [{ timestamp: 1_764_000_000, latitude: 1, longitude: 1 }] }, {
      key: tracking.device_id,
      headers: {
        client: client.client_id, provider: 'acme', country: 'BR', 'received-at': '1764000100000',
      },
    }),
  ];
  const deviceKey = async (id: string) => (await live.raw.keys(`*:device:${id}`))[0] ?? '';
  let own: OwnRedis;
  let live: OpenedRedis;
  let shadow: RedisStates & States;
  beforeAll(async () => {
    own = await startOwnRedis();
    live = await openRedisStates();
    const config = { ...REDIS_DEFAULTS, url: own.url };
    shadow = createStates(config, await openRedis(config, { signals: silentSignals, clock }));
  }, 60_000);
  afterAll(async () => {
    await Promise.all([live.close(), shadow.close()]);
    await own.close();
  });
  beforeEach(async () => {
    await live.wipe();
    await own.raw.flushall();
    await rebuildRedis(CONFIG, targetOf(live), sha256, true);
  });

  function targetOf(states: OpenedRedis | RedisStates & States): RebuildTarget {
    return {
      upkeep: states.upkeep, lastFixes: states.lastFixes,
      sources: rebuildSourcesOf(states, readRecord),
      ports: {
        readiness: states.readiness, reader: fakeLogReader(log), owner: 'test',
        isStopping: () => false, clock, signals: silentSignals,
      },
    };
  }
  const compare = () => compareWithLog(CONFIG, targetOf(live), targetOf(shadow), sha256);

  it('finds nothing where nothing was touched, claims in progress and limits aside', async () => {
    await live.devices.claimTransition(stopOf(tracking), 2, 'under-way');
    await live.access.chargeTokenRequest('10.0.0.1');
    await live.access.chargeProvenClient(client.client_id, '10.0.0.1');
    await live.access.recordTokenFailure(client.client_id, '10.0.0.1');
    await live.leases.claim('someone', 'me', 1_000, 0);
    const { comparison, live: running, log: reported } = await compare();
    expect(comparison.differences).toEqual([]);
    expect(comparison.kinds).toMatchObject({
      client: { same: 1, differs: 0, missing: 0, extra: 0 }, token: { same: 2 },
      device: { same: 2 }, entity: { same: 2 }, 'entity-types': { same: 1 },
      'last-fix': { same: 1 }, fleet: { same: 1 },
    });
    expect(running).toEqual(reported);
    // Nine things, and of the two devices: two owners, their transport, their client, their type.
    expect(running.entries).toBe(14);
    expect(await own.raw.dbsize()).toBe(1);
  });

  it('names exactly what was changed, taken away and added, and the rebuild brings the hash back', async () => {
    const { live: before } = await compare();
    const changed = await deviceKey(tracking.device_id);
    const missing = await deviceKey(stopped.device_id);
    const [clientKey = ''] = await live.raw.keys('*:client:*');
    const [typesKey = ''] = await live.raw.keys('*:entity-types:*');
    const extra = clientKey.replace(client.client_id, '999999999999999');
    await live.raw.hset(changed, 'transport_id', '666');
    await live.raw.del(missing);
    await live.raw.hset(typesKey, 'types', '["another"]');
    await live.raw.hset(extra, 'status', 'active', 'version', '9');
    const { comparison } = await compare();
    expect(comparison.differences).toEqual([
      { name: changed, kind: 'device', verdict: 'differs' },
      { name: missing, kind: 'device', verdict: 'missing' },
      { name: extra, kind: 'client', verdict: 'extra' },
      { name: typesKey, kind: 'entity-types', verdict: 'differs' },
    ].sort((a, b) => (a.name < b.name ? -1 : 1)));

    const end = await rebuildRedis(CONFIG, targetOf(live), sha256, false);
    expect(end.before.all).not.toBe(before.all);
    expect(end.after).toEqual(before);
    expect((await compare()).comparison.differences).toEqual([]);
    expect((await live.admission.read(asking(token))).caller).toBeDefined();
  });

  it('answers that it is not ready from the first removal to the last replay', async () => {
    const codes: unknown[] = [];
    const target = targetOf(live);
    const ask = async () => {
      await live.admission.read(asking(token))
        .then(() => codes.push('answered'), (error: unknown) => codes.push((error as Unavailable).code));
    };
    await rebuildRedis(CONFIG, {
      ...target,
      upkeep: {
        ...target.upkeep,
        clear: async (kept) => {
          await ask();
          const removed = await target.upkeep.clear(kept);
          await ask();
          return removed;
        },
      },
    }, sha256, true);
    await ask();
    expect(codes).toEqual(['state_not_ready', 'state_not_ready', 'answered']);
  });

  it('leaves last fixes that only the former log had, unless they are to go too', async () => {
    const [key = ''] = await live.raw.keys('*:last-fix:*');
    const old = key.replace(tracking.device_id, 'silent-since-long');
    await live.raw.hset(old, 'timestamp', '1', 'topic_id', 't', 'offset', '1', 'fix', '{}');
    await rebuildRedis(CONFIG, targetOf(live), sha256, false);
    expect(await live.raw.exists(old)).toBe(1);
    await rebuildRedis(CONFIG, targetOf(live), sha256, true);
    expect(await live.raw.exists(old)).toBe(0);
  });

  it('touches no store that is in use, neither as a shadow nor while another rebuilds', async () => {
    await own.raw.set('something', 'else');
    await expect(compare()).rejects.toMatchObject({ code: 'state_busy' });
    expect(await own.raw.get('something')).toBe('else');
    await live.readiness.claimRebuild('another', 5_000);
    await expect(rebuildRedis(CONFIG, targetOf(live), sha256, true))
      .rejects.toMatchObject({ code: 'state_busy' });
    expect((await live.admission.read(asking(token))).caller).toBeDefined();
  });
});
