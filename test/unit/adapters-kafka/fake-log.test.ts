import { describe, expect, it } from 'vitest';
import { fakeRecordLog } from '../../support/fake-log.ts';
import { describeRecordLog } from '../../support/record-log.suite.ts';

describeRecordLog('the fake log', async () => {
  const log = fakeRecordLog();
  return { log, topic: 'topic.v1', kept: async () => log.of('topic.v1') };
});

describe('the failures of the fake log', () => {
  const record = { topic: 't', key: 'k', value: Buffer.from('{}'), headers: {} };

  it('refuses as often as asked and writes nothing meanwhile', async () => {
    const log = fakeRecordLog();
    log.failWith('log_unavailable', 1);
    await expect(log.append(record, 0)).rejects.toMatchObject({ code: 'log_unavailable' });
    expect(log.appended).toEqual([]);
    await log.append(record, 0);
    expect(log.appended).toHaveLength(1);
  });

  it('writes although the answer is lost', async () => {
    const log = fakeRecordLog();
    log.loseAnswers(1);
    await expect(log.append(record, 0)).rejects.toMatchObject({ code: 'log_timeout' });
    expect(log.appended).toHaveLength(1);
  });

  it('holds appends back until they are released', async () => {
    const log = fakeRecordLog();
    log.hold();
    const appending = log.append(record, 0);
    expect(log.held()).toBe(1);
    expect(log.appended).toEqual([]);
    log.release();
    await appending;
    expect(log.appended).toHaveLength(1);
  });
});
