import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccessApplier } from '../../../services/workers/projector/access/apply-access-records.ts';
import { POISON_FLOOD_LIMITS } from '../../../services/workers/common/poison-flood.ts';
import {
  createLifecycleApplier, createFixApplier,
} from '../../../services/workers/projector/devices/apply-device-records.ts';
import { createStateWatch, type StateWatch } from '../../../services/workers/rebuild/watch-state.ts';
import type { LogRecord } from '../../../services/kernel/record-log.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { aLogRecord, fakeLogReader } from '../../support/fake-log-reader.ts';
import { openRedisStates, type OpenedRedis } from '../../support/open-redis-states.ts';
import { readRecord } from '../../support/read-record.ts';
import {
  aClient, aRegistration, asking, aToken, revocationOf, startOf, stopOf,
} from '../../support/state-facts.ts';

const CLIENTS = 'oauth.clients.v1';
const TOKENS = 'oauth.tokens.v1';
const LIFECYCLE = 'rtt.device-lifecycle.v1';
const LOCATIONS = 'rtt.locations.v1';

describe('Redis wiped and rebuilt from the log', () => {
  const client = aClient();
  const [good, revoked] = [aToken(client), aToken(client)];
  const leaky = aClient();
  const [leaked, later] = [aToken(leaky), aToken(leaky, { revocations: 1 })];
  const [tracking, stopped] = [aRegistration(client), aRegistration(client)];
  const next = { ...stopped, generation: 2, device_id: `${stopped.device_id}-2`, at_ms: stopped.at_ms + 99 };
  let log: LogRecord[];
  let states: OpenedRedis;
  let watch: StateWatch;

  beforeAll(async () => {
    states = await openRedisStates();
    log = [
      aLogRecord(CLIENTS, 0, client),
      aLogRecord(CLIENTS, 1, { ...client, version: 2, providers: ['acme'] }),
      aLogRecord(CLIENTS, 2, leaky),
      aLogRecord(CLIENTS, 3, { ...leaky, version: 2, revocations: 1 }),
      ...[good, revoked, revocationOf(revoked), leaked, later]
        .map((fact, i) => aLogRecord(TOKENS, i, fact)),
      ...[tracking, stopped, startOf(tracking), startOf(stopped), stopOf(stopped), next]
        .map((fact, i) => aLogRecord(LIFECYCLE, i, fact)),
      ...[1_764_000_100, 1_764_000_000, 1_764_000_090].map((timestamp, i) => aLogRecord(
        LOCATIONS, i, { locations: [{ timestamp, latitude: 1 + i, longitude: 1 }] }, {
          key: tracking.device_id,
          headers: {
            client: client.client_id, provider: 'acme', country: 'BR',
            'received-at': '1764000100000',
          },
        },
      )),
    ];
    watch = watchOf();
  });
  afterAll(() => states.close());

  function watchOf(): StateWatch {
    const access = createAccessApplier(states, readRecord);
    const lifecycle = createLifecycleApplier(states.devices, readRecord);
    return createStateWatch(
      { ...POISON_FLOOD_LIMITS, leaseMs: 5_000, renewMs: 20, pollMs: 20, checkpointMs: 1 },
      {
        ...states, tailReader: () => fakeLogReader(log), keepCheckpoint: async () => false,
        owner: 'test', signals: silentSignals,
        clock: { nowMs: () => Date.now() }, pause: async () => {}, onCrash: () => {},
      },
      {
        state: [
          { topics: [CLIENTS, TOKENS], applyRecords: access },
          { topics: [LIFECYCLE], applyRecords: lifecycle },
        ],
        lastFixes: {
          topics: [LOCATIONS],
          applyRecords: createFixApplier({ fixAgeSecondsMax: 1e9 }, states.lastFixes),
        },
      },
    );
  }

  /** Does what gateways and projectors do while the facts happen. */
  async function live(): Promise<void> {
    const applyAccess = createAccessApplier(states, readRecord);
    await applyAccess(log.filter(({ topic }) => topic === CLIENTS));
    await states.access.putToken(good);
    await states.access.putToken(revoked);
    for (const token of [leaked, later]) await states.access.putToken(token);
    await states.access.denyToken(revocationOf(revoked));
    for (const device of [tracking, stopped]) {
      expect(await states.devices.claimRegistration(device, 'r')).toBe('taken');
      await states.devices.confirm(device, 'r');
      expect(await states.devices.claimTransition(startOf(device), 1, 's')).toBe('taken');
      await states.devices.confirm(startOf(device), 's');
    }
    expect(await states.devices.claimTransition(stopOf(stopped), 2, 't')).toBe('taken');
    await states.devices.confirm(stopOf(stopped), 't');
    expect(await states.devices.claimRegistration(next, 'n')).toBe('taken');
    await states.devices.confirm(next, 'n');
    await createLifecycleApplier(states.devices, readRecord)(
      log.filter(({ topic }) => topic === LIFECYCLE),
    );
    await createFixApplier({ fixAgeSecondsMax: 1e9 }, states.lastFixes)(
      log.filter(({ topic }) => topic === LOCATIONS),
    );
  }

  it('ends with every key as it was, and answers only then', async () => {
    await live();
    const before = await states.dump();
    const device = { deviceId: tracking.device_id };
    expect((await states.admission.read(asking(good, device))).device?.epoch).toBe(2);

    await states.wipe();
    await expect(states.admission.read(asking(good, device)))
      .rejects.toMatchObject({ code: 'state_not_ready' });
    await watch.poll();

    expect(await states.dump()).toEqual(before);
    expect((await states.admission.read(asking(good, device))).device?.epoch).toBe(2);
    expect((await states.admission.read(asking(revoked))).caller).toBeUndefined();
    expect((await states.admission.read(asking(leaked))).caller).toBeUndefined();
    expect((await states.admission.read(asking(later))).caller).toBeDefined();
    expect(await states.lastFixes.find(client.client_id, tracking.device_id))
      .toMatchObject({ timestamp: 1_764_000_100, latitude: 1 });
  });

  it('keeps what projectors apply while it runs, although that is newer', async () => {
    const before = await states.dump();
    await states.wipe();
    const late = log.filter(({ topic, offset }) => topic === LIFECYCLE && offset >= 3n);
    await createLifecycleApplier(states.devices, readRecord)(late);
    await watch.poll();
    expect(await states.dump()).toEqual(before);
  });

  it('changes nothing when it runs once more on a good store', async () => {
    const before = await states.dump();
    await states.raw.del(...(await states.raw.keys('*:ready')));
    await watch.poll();
    expect(await states.dump()).toEqual(before);
  });
});
