import { describe, expect, it } from 'vitest';
import { formatRecordId, originalRecordId } from '../../../services/kernel/record-id.ts';
import { createDeadLetters } from '../../../services/workers/common/dead-letters.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { aLogRecord } from '../../support/fake-log-reader.ts';
import { fakeRecordLog } from '../../support/fake-log.ts';

const deadLetters = (log = fakeRecordLog()) => ({
  log,
  dead: createDeadLetters(
    { worker: 'journey', codeVersion: '9', appendMsMax: 1_000 },
    { log, clock: { nowMs: () => 1_764_000_000_000 }, signals: silentSignals },
  ),
});

describe('A dead letter', () => {
  it('names the worker, the topic by its id, and keeps the bytes with their frame', async () => {
    const { log, dead } = deadLetters();
    await dead.write(aLogRecord('t.v1', 4, '{"a":1}'), 'consume', 'record_invalid', 'no');
    expect(log.of('dead-letters.v1')[0]?.value).toMatchObject({
      worker: 'journey',
      origin: { topic: 't.v1', topic_id: 't.v1-id', partition: 0, offset: 4 },
      value: Buffer.from('\0\0\0\0\x07{"a":1}').toString('base64'),
    });
  });

  it('about a dead letter holds no value, since each would be larger than the one before', async () => {
    const { log, dead } = deadLetters();
    await dead.write(aLogRecord('dead-letters.v1', 4, '{"a":1}'), 'insert', 'sink_rejected', 'no');
    expect(log.of('dead-letters.v1')[0]?.value).toMatchObject({ value: null });
  });
});

describe('The first place of a record', () => {
  it.each([
    ['T:3:12345', 'T:3:12345'], ['a:b:1:2', 'a:b:1:2'], [undefined, 't.v1-id:0:9'],
    ['T:3', 't.v1-id:0:9'], ['T:-1:5', 't.v1-id:0:9'], ['', 't.v1-id:0:9'],
  ])('is read from the header %j as %s', (header, place) => {
    const headers = header === undefined ? {} : { 'replayed-from': header };
    expect(formatRecordId(originalRecordId(aLogRecord('t.v1', 9, '{}', { headers })))).toBe(place);
  });
});
