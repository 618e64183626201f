import { describe, expect, it, vi } from 'vitest';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import type { LogReader } from '../../../services/kernel/record-log.ts';
import {
  createAccessApplier,
} from '../../../services/workers/projector/access/apply-access-records.ts';
import { POISON_FLOOD_LIMITS } from '../../../services/workers/common/poison-flood.ts';
import {
  createLifecycleApplier, createFixApplier,
} from '../../../services/workers/projector/devices/apply-device-records.ts';
import {
  createStateWatch, type StateWatch,
} from '../../../services/workers/rebuild/watch-state.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { aLogRecord, anUndecodableRecord, fakeLogReader } from '../../support/fake-log-reader.ts';
import { fakeStates, type FakeStates } from '../../support/fake-states.ts';
import { readRecord } from '../../support/read-record.ts';
import { aClient, aRegistration, startOf } from '../../support/state-facts.ts';
import { memoryStates } from '../../support/memory-states.ts';

const client = aClient();
const device = aRegistration(client);
const LIFECYCLE = 'rtt.device-lifecycle.v1';
const records = [
  aLogRecord('oauth.clients.v1', 0, client),
  aLogRecord(LIFECYCLE, 0, device),
  aLogRecord(LIFECYCLE, 1, startOf(device)),
  aLogRecord('rtt.locations.v1', 0, {
    locations: [{ timestamp: 1_764_000_000, latitude: 1, longitude: 1 }],
  }, {
    key: device.device_id,
    headers: {
      client: client.client_id, provider: 'acme', country: 'BR', 'received-at': '1764000000000',
    },
  }),
];

function watchOf(
  states: FakeStates, reader: LogReader, crashes: unknown[] = [], owner = 'me',
  more: Partial<Parameters<typeof createStateWatch>[1]> = {},
): StateWatch {
  return createStateWatch(
    { ...POISON_FLOOD_LIMITS, leaseMs: 5_000, renewMs: 1, pollMs: 1, checkpointMs: 50 },
    {
      ...states, tailReader: () => reader, keepCheckpoint: async () => true, owner,
      clock: { nowMs: () => Date.now() },
      pause: (ms) => new Promise((resolve) => { setTimeout(resolve, ms); }),
      signals: silentSignals,
      onCrash: (error) => { crashes.push(error); },
      ...more,
    },
    {
      state: [
        {
          topics: ['oauth.clients.v1'],
          applyRecords: createAccessApplier(
            { ...memoryStates(), access: states.access }, readRecord,
          ),
        },
        { topics: [LIFECYCLE], applyRecords: createLifecycleApplier(states.devices, readRecord) },
      ],
      lastFixes: {
        topics: ['rtt.locations.v1'],
        applyRecords: createFixApplier({ fixAgeSecondsMax: 1e9 }, states.lastFixes),
      },
    },
  );
}

function wiped(): FakeStates {
  const states = fakeStates();
  states.wipe();
  return states;
}

describe('The watch over the state store', () => {
  it('rebuilds a wiped store, marks it ready, then brings the positions', async () => {
    const states = wiped();
    const order: string[] = [];
    const reader = fakeLogReader(records);
    await watchOf(states, {
      async readToEnd(topics, onRecords) {
        order.push(`${topics.join(' ')} ${await states.readiness.isReady()}`);
        await reader.readToEnd(topics, onRecords);
      },
    }).poll();
    expect(order).toEqual([
      'oauth.clients.v1 false', `${LIFECYCLE} false`, 'rtt.locations.v1 true',
    ]);
    expect(await states.devices.load(client.client_id, device.device_id))
      .toMatchObject({ epoch: 2 });
    expect(await states.lastFixes.find(client.client_id, device.device_id)).toBeDefined();
    expect(await states.lastFixes.isComplete()).toBe(true);
  });

  it('makes a new store with an empty log ready, and then leaves it alone', async () => {
    const states = wiped();
    const watch = watchOf(states, fakeLogReader([]));
    await watch.poll();
    expect(await states.readiness.isReady()).toBe(true);
    const before = states.dump();
    await watch.poll();
    expect(states.dump()).toEqual(before);
  });

  it('leaves the rebuild to the process that has the right', async () => {
    const states = wiped();
    await states.readiness.claimRebuild('other', 5_000);
    await watchOf(states, fakeLogReader(records)).poll();
    expect(await states.readiness.isReady()).toBe(false);
    expect(states.store.ofKind('client').length).toBe(0);
  });

  it('does not mark a store ready that was wiped during the rebuild, and begins again', async () => {
    const states = wiped();
    let times = 0;
    const reader: LogReader = {
      async readToEnd(topics, onRecords) {
        await fakeLogReader(records).readToEnd(topics, onRecords);
        if (topics.includes(LIFECYCLE) && times++ === 0) states.wipe();
      },
    };
    const watch = watchOf(states, reader);
    await watch.poll();
    expect(await states.readiness.isReady()).toBe(false);
    await watch.poll();
    expect(await states.readiness.isReady()).toBe(true);
    expect(states.store.ofKind('client').length).toBe(1);
  });

  it('does not mark a store ready when most of the log cannot be read', async () => {
    const states = wiped();
    const flood = Array.from({ length: 30 }, (_, i) => anUndecodableRecord(LIFECYCLE, i));
    const crashes: unknown[] = [];
    const watch = watchOf(states, fakeLogReader(flood), crashes);
    watch.start();
    await vi.waitFor(() => expect(crashes).toHaveLength(1));
    await watch.stop();
    expect(crashes[0]).toMatchObject({ code: 'undecodable' });
    expect(await states.readiness.isReady()).toBe(false);
  });

  it('leaves out a single record that cannot be read', async () => {
    const states = wiped();
    await watchOf(states, fakeLogReader([...records, anUndecodableRecord(LIFECYCLE, 2)])).poll();
    expect(await states.readiness.isReady()).toBe(true);
  });

  it('waits faults of log and store out', async () => {
    const states = wiped();
    states.failWith('state_unavailable');
    let faults = 2;
    const reader: LogReader = {
      async readToEnd(topics, onRecords) {
        if (faults-- > 0) throw new Unavailable('log_unavailable', 'consume', 'as the test asked');
        await fakeLogReader(records).readToEnd(topics, onRecords);
      },
    };
    const watch = watchOf(states, reader);
    watch.start();
    states.heal();
    await vi.waitFor(async () => expect(await states.lastFixes.isComplete()).toBe(true));
    states.wipe();
    await vi.waitFor(async () => expect(await states.lastFixes.isComplete()).toBe(true));
    await watch.stop();
    expect(states.store.ofKind('client').length).toBe(1);
  });

  it('[GEN-64] keeps a checkpoint now and then, of a store that lacks nothing alone', async () => {
    const states = wiped();
    let nowMs = 1_000;
    const kept: number[] = [];
    let isThere = false;
    const reader: LogReader = {
      readToEnd: async (topics, onRecords) => {
        if (topics.includes('rtt.locations.v1') && !isThere) {
          throw new Unavailable('log_unavailable', 'receive', 'as the test asked');
        }
        await fakeLogReader(records).readToEnd(topics, onRecords);
      },
    };
    const watch = watchOf(states, reader, [], 'me', {
      clock: { nowMs: () => nowMs },
      keepCheckpoint: async () => {
        kept.push(nowMs);
        return true;
      },
    });
    await expect(watch.poll()).rejects.toMatchObject({ code: 'log_unavailable' });
    expect(await states.readiness.isReady()).toBe(true);
    isThere = true;
    await watch.poll();
    expect(kept).toEqual([]);
    await watch.poll();
    nowMs += 49;
    await watch.poll();
    nowMs += 1;
    await watch.poll();
    expect(kept).toEqual([1_000, 1_050]);
  });
});
