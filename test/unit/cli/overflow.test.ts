import { beforeEach, describe, expect, it } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { loadSchemas } from '../../../services/adapters/schema/load-schemas.ts';
import { overflowCommand } from '../../../services/cli/overflow/command.ts';
import { aClient, aRegistration } from '../../support/state-facts.ts';
import { fakeRecordLog, type FakeRecordLog } from '../../support/fake-log.ts';
import { fakeWatchedLog } from '../../support/fake-watched-log.ts';
import { aLogRecord } from '../../support/fake-log-reader.ts';

let log: FakeRecordLog;
beforeEach(() => { log = fakeRecordLog(); });

function overflow(...args: string[]) {
  const overflowRecords = [0, 1, 2].map(
    (at) => aLogRecord(TOPICS.overflowLocations.name, at, {}),
  );
  const written = log.appended.map(
    ({ topic, key, value }, at) => aLogRecord(topic, at, value, { key }),
  );
  const known = [
    ...['d1', 'd2'].map((key, at) => aLogRecord(
      TOPICS.deviceLifecycle.name, at, aRegistration(aClient(), { device_id: key }), { key },
    )),
    aLogRecord(TOPICS.clients.name, 0, { client_id: '1', version: 1, providers: ['acme'] }),
  ];
  const watched = fakeWatchedLog([...written, ...overflowRecords, ...known]);
  const place = { topic: TOPICS.overflowLocations.name, partition: 0, start: 0n, end: 3n };
  return overflowCommand({
    ...watched, log, clock: { nowMs: () => 1_764_000_000_000 + log.appended.length },
    watch: { ...watched.watch, offsets: () => Promise.resolve([{ ...place, next: 2n }]) },
  }, args);
}

describe('rastro overflow', () => {
  it('add and rm record decisions of rising version under the key of the device', async () => {
    expect((await overflow('add', 'd1', '--reason', 'floods')).exitCode).toBe(0);
    expect((await overflow('rm', 'd1')).exitCode).toBe(0);
    expect((await overflow('add', 'd1')).lines).toEqual(['d1 is in overflow from now on.']);
    expect(log.of(TOPICS.overflow.name)).toMatchObject([
      { key: 'd1', value: { state: 'in', version: 1, reason: 'floods' } },
      { key: 'd1', value: { state: 'out', version: 2 } },
      { key: 'd1', value: { state: 'in', version: 3 } },
    ]);
    for (const { value } of log.appended) {
      expect(loadSchemas().checkOf('OverflowRecorded')(value)).toBeUndefined();
    }
  });

  it('says so, and records nothing, when it is decided already', async () => {
    await overflow('add', 'd1');
    expect((await overflow('add', 'd1')).lines).toEqual(['d1 is in overflow already.']);
    expect(log.appended).toHaveLength(1);
  });

  it('ls shows the devices in overflow and the records that wait, with --all former ones too', async () => {
    await overflow('add', 'd1');
    await overflow('add', 'd2');
    await overflow('rm', 'd1');
    expect(await overflow('ls')).toMatchObject({
      exitCode: 0, value: { devices: [{ device_id: 'd2', state: 'in' }], waiting: 1 },
    });
    expect(await overflow('ls', '--all')).toMatchObject({
      value: { devices: [{ device_id: 'd2' }, { device_id: 'd1', state: 'out' }] },
    });
  });

  it('[GEN-68] decides about a provider, under a key that no table writer writes', async () => {
    expect((await overflow('add', '--provider', 'acme')).lines)
      .toEqual(['acme is in overflow from now on.']);
    expect((await overflow('rm', '--provider', 'acme', '--for', '2h')).lines)
      .toEqual(['acme is out of overflow until 2025-11-24T18:00:00.001Z.']);
    expect(log.of(TOPICS.overflow.name)).toMatchObject([
      { key: 'provider:acme', value: { provider: 'acme', by: 'operator', state: 'in', version: 1 } },
      { key: 'provider:acme', value: { state: 'out', version: 2, ends_at_ms: 1_764_007_200_001 } },
    ]);
    for (const { value } of log.appended) {
      expect(loadSchemas().checkOf('OverflowRecorded')(value)).toBeUndefined();
    }
  });

  it('[GEN-68] ls shows which providers the table writers moved, and what counts instead', async () => {
    await log.append({
      topic: TOPICS.overflow.name, key: 'flood:acme', headers: {}, value: Buffer.from(JSON.stringify({
        type: 'OverflowRecorded', provider: 'acme', by: 'writer', state: 'in', version: 1,
        at_ms: 1_764_000_000_000, ends_at_ms: 1_764_000_600_000, reason: 'floods',
      })),
    }, 1_764_000_001_000);
    expect((await overflow('ls')).value).toMatchObject({ providers: [{
      provider: 'acme', state: 'in', by: 'writer', until: '2025-11-24T16:10:00.000Z', reason: 'floods',
    }] });
    await overflow('rm', '--provider', 'acme', '--reason', 'agreed with them');
    expect((await overflow('ls')).value).toMatchObject({ providers: [{
      provider: 'acme', state: 'out', by: 'operator', until: null, reason: 'agreed with them',
    }] });
    expect((await overflow('rm', '--provider', 'acme')).lines)
      .toEqual(['acme is out of overflow already.']);
  });

  it.each([
    [['add', 'd3'], 'The log knows no device d3.'],
    [['add', '--provider', 'acmee'], 'No client has the provider acmee.'],
    [['rm', 'd1'], 'd1 is not in overflow.'],
  ])('ends %j with 3 and records nothing', async (args, error) => {
    expect(await overflow(...args)).toMatchObject({ exitCode: 3, value: { error } });
    expect(log.appended).toEqual([]);
  });

  it.each([[[]], [['add']], [['add', 'd1', '--provider', 'acme']], [['add', 'd1', '--for', '1h']],
    [['add', '--provider', 'No Name']],
    [['ls', 'd1']], [['add', 'd1', 'd2']],
    [['add', 'd1', '--reason', 'x'.repeat(256)]]])('refuses %j', async (args) => {
    expect(await overflow(...args)).toMatchObject({ exitCode: 2 });
    expect(log.appended).toEqual([]);
  });
});
