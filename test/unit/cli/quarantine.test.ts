import { beforeEach, describe, expect, it } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { loadSchemas } from '../../../services/adapters/schema/load-schemas.ts';
import { quarantineCommand } from '../../../services/cli/quarantine/command.ts';
import { fakeRecordLog, type FakeRecordLog } from '../../support/fake-log.ts';
import { fakeLogLook } from '../../support/fake-log-look.ts';
import { aLogRecord } from '../../support/fake-log-reader.ts';

let log: FakeRecordLog;
beforeEach(() => { log = fakeRecordLog(); });

function quarantine(...args: string[]) {
  const lane = [0, 1, 2].map((at) => aLogRecord(TOPICS.overflowLocations.name, at, {}));
  const written = log.appended.map(
    ({ topic, key, value }, at) => aLogRecord(topic, at, value, { key }),
  );
  const look = fakeLogLook([...written, ...lane]);
  const place = { topic: TOPICS.overflowLocations.name, partition: 0, start: 0n, end: 3n };
  return quarantineCommand({
    ...look, log, clock: { nowMs: () => 1_764_000_000_000 + log.appended.length },
    watch: { ...look.watch, offsets: () => Promise.resolve([{ ...place, next: 2n }]) },
  }, args);
}

describe('rastro quarantine', () => {
  it('add and rm record decisions of rising version under the key of the device', async () => {
    expect((await quarantine('add', 'd1', '--reason', 'floods')).exitCode).toBe(0);
    expect((await quarantine('rm', 'd1')).exitCode).toBe(0);
    expect((await quarantine('add', 'd1')).lines).toEqual(['d1 is in quarantine from now on.']);
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
    await quarantine('add', 'd1');
    expect((await quarantine('add', 'd1')).lines).toEqual(['d1 is in quarantine already.']);
    expect(log.appended).toHaveLength(1);
  });

  it('ls tells who is in and what the lane has before it, and with --all who was', async () => {
    await quarantine('add', 'd1');
    await quarantine('add', 'd2');
    await quarantine('rm', 'd1');
    expect(await quarantine('ls')).toMatchObject({
      exitCode: 0, value: { devices: [{ device_id: 'd2', state: 'in' }], waiting: 1 },
    });
    expect(await quarantine('ls', '--all')).toMatchObject({
      value: { devices: [{ device_id: 'd2' }, { device_id: 'd1', state: 'out' }] },
    });
  });

  it.each([[[]], [['add']], [['rm', 'nobody']], [['ls', 'd1']], [['add', 'd1', 'd2']],
    [['add', 'd1', '--reason', 'x'.repeat(256)]]])('refuses %j', async (args) => {
    expect(await quarantine(...args)).toMatchObject({ exitCode: 2 });
    expect(log.appended).toEqual([]);
  });
});
