import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import type { LogRecord } from '../../../services/kernel/record-log.ts';
import {
  deviceCommand, type InspectDevicePorts,
} from '../../../services/cli/inspect/device-command.ts';
import type { OddFixes } from '../../../services/kernel/odd-fixes.ts';
import type { InspectedStates } from '../../../services/cli/ports.ts';
import { fakeWatchedLog } from '../../support/fake-watched-log.ts';
import { aLogRecord } from '../../support/fake-log-reader.ts';

const NOW_MS = 1_800_000_000_000;
const SEALED = { key: 'k1', sealed: 'AAAA' };
const REGISTERED = {
  type: 'DeviceRegistered', device_id: 'd1', client_id: 'c1', user_id: 'u1', generation: 2,
  epoch: 1, entity_type: 'acme_truck', transport_id: 9, device_specs: {}, personal: SEALED,
  country_id: 'BR', at_ms: NOW_MS - 60_000,
};
const STARTED = {
  type: 'DeviceTrackingStarted', device_id: 'd1', client_id: 'c1', epoch: 2, country_id: 'BR',
  at_ms: NOW_MS - 50_000,
};
const STORED = {
  ...REGISTERED, epoch: 2, date_created_ms: NOW_MS - 60_000, last_updated_ms: NOW_MS - 50_000,
  last_status_updated_ms: NOW_MS - 60_000,
} as const;
const FIX = {
  client_id: 'c1', device_id: 'd1', timestamp: NOW_MS / 1_000 - 7, latitude: -23, longitude: -46,
  country_id: 'BR', received_at_ms: NOW_MS - 5_000, provider: 'acme',
};

let log: LogRecord[];
beforeEach(() => { log = []; });

function append(topic: string, value: unknown, change: Partial<LogRecord> = {}): void {
  log.push(aLogRecord(topic, log.length, value, { key: 'd1', ...change }));
}

function device(state: InspectedStates | Unavailable | undefined, ...args: string[]) {
  return deviceCommand(portsOf(state), args);
}

function portsOf(state: InspectedStates | Unavailable | undefined): InspectDevicePorts {
  return {
    ...fakeWatchedLog(log), clock: { nowMs: () => NOW_MS },
    digest: (text) => createHash('sha256').update(text).digest('hex'),
    inspectState: state === undefined ? undefined : (inspect) => (
      state instanceof Unavailable ? Promise.reject(state) : inspect(state)
    ),
  };
}

function storeWith(
  stored: object | undefined, lastFix: object | undefined = FIX,
): InspectedStates {
  return {
    devices: { load: () => Promise.resolve(stored as never) },
    lastFixes: { find: () => Promise.resolve(lastFix as never) },
    shipments: { find: () => Promise.resolve(undefined) },
    refusals: { find: () => Promise.resolve([]) },
  };
}

function appendAll(): void {
  append(TOPICS.deviceLifecycle.name, REGISTERED);
  append(TOPICS.deviceLifecycle.name, { ...STARTED, client_id: 'other' }, { key: 'd2' });
  append(TOPICS.deviceLifecycle.name, STARTED);
  append(TOPICS.clients.name, { client_id: 'c1', name: 'Acme', providers: ['acme'], version: 1 });
  for (const [at, key] of ['d1', 'd2', 'd1'].entries()) {
    append(TOPICS.locations.name, { locations: [] }, {
      key, timestampMs: NOW_MS,
      headers: { 'ingest-id': `i${at}`, n: '5', provider: 'acme', 'received-at': `${NOW_MS + at}` },
    });
  }
}

describe('rastro device', () => {
  it('shows owner, lifecycle, state, last fix with its age, and its last calls', async () => {
    appendAll();
    const { value, lines, exitCode } = await device(storeWith(STORED), 'd1');
    expect(value).toMatchObject({
      owner: 'c1', owner_name: 'Acme', providers: ['acme'], generation: 2, transport_id: 9,
      epoch: 2, status: 'tracking', state: { kind: 'seen', status: 'tracking' },
      last_fix: { age_seconds: 7, provider: 'acme' },
      lifecycle: [{ fact: 'DeviceRegistered' }, { fact: 'DeviceTrackingStarted' }],
      ingests: [{ ingest_id: 'i2', items: 5 }, { ingest_id: 'i0' }],
      dead_letters: [], problems: [],
    });
    expect(exitCode).toBe(0);
    expect(lines.join('\n')).not.toContain(SEALED.sealed);
    expect(JSON.stringify(value)).not.toContain(SEALED.sealed);
  });

  it('shows its odd fixes of the window, and none of what the tables do not say', async () => {
    appendAll();
    const asked: unknown[] = [];
    const odd = {
      kind: 'jump', at_ms: NOW_MS - 9_000, received_at_ms: NOW_MS - 5_000, provider: 'acme',
      latitude: -23, longitude: -46, partition: 3, offset: 41,
    };
    const shown = async (oddFixes: OddFixes) => (
      await deviceCommand({ ...portsOf(undefined), oddFixes }, ['d1', '--window', '2h'])
    );
    const newest: OddFixes['newest'] = async (...all) => {
      asked.push(...all);
      return [odd];
    };
    expect(await shown({ newest }))
      .toMatchObject({
        exitCode: 0, value: { odd_fixes: [{
          kind: 'jump', at: new Date(NOW_MS - 9_000).toISOString(), partition: 3, offset: 41,
        }] },
      });
    expect(asked).toEqual(['d1', NOW_MS - 7_200_000, NOW_MS + 86_400_000, 10]);
    const away = new Unavailable('sink_unavailable', 'receive', 'away');
    expect(await shown({ newest: () => Promise.reject(away) }))
      .toMatchObject({ exitCode: 0, value: { odd_fixes: null } });
    await expect(shown({ newest: () => Promise.reject(new Error('a defect')) }))
      .rejects.toThrow('a defect');
    expect(await device(undefined, 'd1')).toMatchObject({ value: { odd_fixes: null } });
  });

  it('shows since when it is in overflow, and nothing once it was taken out', async () => {
    appendAll();
    const decision = { type: 'OverflowRecorded', device_id: 'd1', state: 'in', at_ms: NOW_MS };
    append(TOPICS.overflow.name, { ...decision, version: 1 });
    expect(await device(undefined, 'd1')).toMatchObject({
      exitCode: 0, value: { overflow: new Date(NOW_MS).toISOString() },
    });
    append(TOPICS.overflow.name, { ...decision, state: 'out', version: 2 });
    expect(await device(undefined, 'd1')).toMatchObject({ value: { overflow: null } });
  });

  it('is not found wrong without a state store', async () => {
    appendAll();
    expect(await device(undefined, 'd1')).toMatchObject({
      exitCode: 0, value: { state: { kind: 'not_asked' }, last_fix: null },
    });
  });

  it.each([
    ['does not know it', storeWith(undefined), 'does not know it'],
    ['is behind', storeWith({ ...STORED, epoch: 1 }), 'differ in epoch, status'],
    ['denies what the log does not', storeWith({ ...STORED, stop_unconfirmed: true }), 'stop it again'],
    ['is being rebuilt', new Unavailable('state_not_ready', 'apply', 'no mark'), 'state_not_ready'],
  ])('ends with 1 when the state store %s', async (_, state, sentence) => {
    appendAll();
    const { lines, exitCode } = await device(state, 'd1');
    expect(lines.at(-1)).toContain(sentence);
    expect(exitCode).toBe(1);
  });

  it('ends with 1 for a device that was never registered', async () => {
    appendAll();
    expect(await device(storeWith(STORED), 'd3')).toMatchObject({
      exitCode: 3, value: { problems: ['The log knows no registration of it.'], ingests: [] },
    });
  });

  it('shows its dead letters without their values, and ends with 1 while one is open', async () => {
    appendAll();
    append(TOPICS.deadLetters.name, {
      origin: {
        topic: TOPICS.locations.name, topic_id: 'T', partition: 0, offset: 4,
        key: Buffer.from('d1').toString('base64'),
      },
      worker: 'table-writer', stage: 'insert', code: 'sink_rejected', detail: 'row 1',
      headers: {}, value: Buffer.from('secret').toString('base64'), code_version: '1', at_ms: NOW_MS,
    });
    const { value, exitCode } = await device(storeWith(STORED), 'd1');
    expect(value).toMatchObject({
      dead_letters: [{ id: 'T:0:4', code: 'sink_rejected', state: 'open' }],
    });
    expect(JSON.stringify(value)).not.toContain(Buffer.from('secret').toString('base64'));
    expect(exitCode).toBe(1);
  });

  it.each([[[]], [['d1', 'd2']], [['d1', '--records', '0']], [['d1', '--window', 'x']]])(
    'refuses %j', async (args) => {
      expect((await device(undefined, ...args)).exitCode).toBe(2);
    },
  );
});
