import { beforeEach, describe, expect, it } from 'vitest';
import { createDeadLetters } from '../../../services/workers/common/dead-letters.ts';
import { createProjection } from '../../../services/workers/projector/projections.ts';
import type { LogHandler } from '../../../services/kernel/record-log.ts';
import { aLogRecord, anUndecodableRecord } from '../../support/fake-log-reader.ts';
import { fakeRecordLog, type FakeRecordLog } from '../../support/fake-log.ts';
import { fakeSignals } from '../../support/fake-signals.ts';
import { fakeStates, type FakeStates } from '../../support/fake-states.ts';
import { readRecord } from '../../support/read-record.ts';
import { aClient, aRegistration, startOf, stopOf } from '../../support/state-facts.ts';

const LIFECYCLE = 'rtt.device-lifecycle.v1';
const LOCATIONS = 'rtt.locations.v1';
const clock = { nowMs: () => 1_764_000_009_000 };
const client = aClient();
const device = aRegistration(client);

describe('The device projector', () => {
  let states: FakeStates;
  let log: FakeRecordLog;
  let counted: string[];
  let projector: LogHandler;

  beforeEach(() => {
    states = fakeStates();
    log = fakeRecordLog();
    counted = [];
    const signals = fakeSignals({
      metric: (name, value, { topic, outcome, code }) => {
        if (name !== 'rastro_worker_records_total') return;
        counted.push([value, topic, outcome, code].join(' '));
      },
    });
    const deadLetters = createDeadLetters(
      { worker: 'projector.devices', codeVersion: '9.9.9', appendMsMax: 1_000 }, { log, clock, signals },
    );
    projector = createProjection(
      'devices', { poisonedMin: 3, poisonedRatioMax: 0.5, fixAgeSecondsMax: 1_000_000 },
      {
        readRecord, devices: states.devices, lastFixes: states.lastFixes, deadLetters, clock,
        signals,
      },
    );
  });

  function fixAt(offset: number, timestamp: number, latitude = 1): ReturnType<typeof aLogRecord> {
    const body = { locations: [{ timestamp, country_id: 'BR', latitude, longitude: 2 }] };
    return aLogRecord(LOCATIONS, offset, body, {
      key: device.device_id,
      headers: {
        client: client.client_id, provider: 'acme', country: 'BR',
        'received-at': '1764000000000',
      },
    });
  }

  it('applies a whole life of a device and commits behind it', async () => {
    const committed = await projector.onRecords([
      aLogRecord(LIFECYCLE, 10, device),
      aLogRecord(LIFECYCLE, 11, startOf(device)),
      fixAt(70, 1_763_999_990), fixAt(71, 1_763_999_980), fixAt(72, 1_763_999_990, 3),
      aLogRecord(LIFECYCLE, 12, stopOf(device)),
      aLogRecord(LIFECYCLE, 4, startOf(device), { partition: 2 }),
    ]);
    expect(await states.devices.load(client.client_id, device.device_id))
      .toMatchObject({ epoch: 3, transport_id: device.transport_id });
    expect(await states.lastFixes.find(client.client_id, device.device_id))
      .toMatchObject({ timestamp: 1_763_999_990, latitude: 3 });
    expect(committed).toEqual(expect.arrayContaining([
      { topic: LIFECYCLE, partition: 0, nextOffset: 13n },
      { topic: LIFECYCLE, partition: 2, nextOffset: 5n },
      { topic: LOCATIONS, partition: 0, nextOffset: 73n },
    ]));
    expect(counted).toEqual([`4 ${LIFECYCLE} applied none`, `3 ${LOCATIONS} applied none`]);
  });

  it('dead-letters what it cannot read, with the raw bytes, and goes on', async () => {
    const broken = aLogRecord(LIFECYCLE, 1, '{"type":"DeviceRegistered"}', {
      key: 'k', headers: { 'ingest-id': 'i9', client: 'c' },
    });
    const committed = await projector.onRecords([
      anUndecodableRecord(LOCATIONS, 5), broken, aLogRecord(LIFECYCLE, 2, device),
      aLogRecord(LIFECYCLE, 3, startOf(device)), fixAt(6, 9_999_999_999),
    ]);
    expect(committed).toContainEqual({ topic: LIFECYCLE, partition: 0, nextOffset: 4n });
    expect(committed).toContainEqual({ topic: LOCATIONS, partition: 0, nextOffset: 7n });
    const frame = Buffer.concat([Buffer.from([0, 0, 0, 0, 7]), broken.value]);
    expect(log.of('dead-letters.v1')).toMatchObject([
      {
        key: 'k', headers: { 'ingest-id': 'i9' },
        value: {
          origin: {
            topic: LIFECYCLE, partition: 0, offset: 1, key: Buffer.from('k').toString('base64'),
          },
          stage: 'consume', code: 'record_invalid', headers: { 'ingest-id': 'i9', client: 'c' },
          value: frame.toString('base64'), code_version: '9.9.9', at_ms: clock.nowMs(),
        },
      },
      {
        key: 'key',
        value: {
          code: 'undecodable', value: Buffer.from('no frame').toString('base64'),
          origin: { topic: LOCATIONS, offset: 5 },
        },
      },
    ]);
    expect(counted.sort()).toEqual([
      `1 ${LIFECYCLE} dead_letter record_invalid`, `1 ${LOCATIONS} dead_letter undecodable`,
      `1 ${LOCATIONS} ignored none`, `2 ${LIFECYCLE} applied none`,
    ]);
  });

  it('commits nothing when the dead letter or the state cannot be written', async () => {
    log.failWith('log_unavailable');
    const records = [anUndecodableRecord(LIFECYCLE, 1), aLogRecord(LIFECYCLE, 2, device)];
    await expect(projector.onRecords(records)).rejects.toMatchObject({ code: 'log_unavailable' });
    log.heal();
    states.failWith('state_unavailable');
    await expect(projector.onRecords(records)).rejects.toMatchObject({ code: 'state_unavailable' });
    states.heal();
    expect(counted).toEqual([]);
    expect(await projector.onRecords(records)).toHaveLength(1);
    expect(log.of('dead-letters.v1')).toHaveLength(1);
  });

  it('stops instead of writing only dead letters', async () => {
    const flood = [1, 2, 3].map((offset) => anUndecodableRecord(LIFECYCLE, offset));
    await expect(projector.onRecords([...flood, aLogRecord(LIFECYCLE, 4, device)]))
      .rejects.toMatchObject({ code: 'undecodable', retryable: false });
    expect(log.of('dead-letters.v1')).toEqual([]);
    const many = [5, 6, 7].map((offset) => aLogRecord(LIFECYCLE, offset, startOf(device)));
    expect(await projector.onRecords([...flood, ...many])).toHaveLength(1);
  });
});
