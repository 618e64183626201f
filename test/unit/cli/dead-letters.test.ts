import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import type { LogRecord } from '../../../services/kernel/record-log.ts';
import { dlqCommand } from '../../../services/cli/dead-letters/command.ts';
import { createOpenDeadLetterLog } from '../../../services/operator/dead-letters/open-log.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { HINTED_CODES, hintOf } from '../../../services/operator/dead-letters/hints.ts';
import { fakeRecordLog, type FakeRecordLog } from '../../support/fake-log.ts';
import { aLogRecord } from '../../support/fake-log-reader.ts';
import { memoryFolds } from '../../support/fake-log-tail.ts';
import { fakeWatchedLog } from '../../support/fake-watched-log.ts';

const VIEW = readFileSync('infra/clickhouse/0010_dead_letters.sql', 'utf8');
const FRAMED = Buffer.from('\0\0\0\0\x07{"a":1}');
let log: FakeRecordLog;
let records: LogRecord[];
let nowMs: number;
beforeEach(() => {
  log = fakeRecordLog();
  records = [];
  nowMs = 1_764_000_000_000;
});

function aDeadLetter(topic: string, offset: number, change: object = {}): string {
  records.push(aLogRecord('dead-letters.v1', records.length, {
    origin: { topic, topic_id: 'T', partition: 1, offset, key: Buffer.from('k').toString('base64') },
    worker: 'projector.commands', stage: 'consume', code: 'record_invalid',
    detail: `field 7 of ${offset}x`,
    headers: { client: 'c' }, value: FRAMED.toString('base64'), code_version: '1',
    at_ms: nowMs += 1, ...change,
  }));
  return `T:1:${offset}`;
}

function dlq(...args: string[]) {
  const written = log.appended.map(
    ({ topic, key, value }, at) => aLogRecord(topic, at, value, { key }),
  );
  const { reader, watch, rangeReader } = fakeWatchedLog([...records, ...written], 2);
  const source = {
    watch, rangeReader, digest: (text: string) => createHash('sha256').update(text).digest('hex'),
    topicIds: async (topics: readonly string[]) => new Map(topics.map((topic) => [topic, 'T'])),
  };
  return dlqCommand({
    ...source, log, reader, clock: { nowMs: () => nowMs += 1 },
    pause: () => Promise.resolve(), codeVersion: '9',
    open: createOpenDeadLetterLog({ ...source, signals: silentSignals, folds: memoryFolds() }),
  }, args);
}

describe('rastro dlq', () => {
  it('ls groups dead letters by their signature, with a sample and a hint', async () => {
    aDeadLetter('rtt.locations.v1', 5);
    const newest = aDeadLetter('rtt.locations.v1', 61);
    aDeadLetter('rtt.locations.v1', 7, { code: 'undecodable' });
    expect((await dlq('ls')).value).toMatchObject([
      { dead_letters: 2, open: 2, sample: newest, hint: hintOf('record_invalid') }, { dead_letters: 1 },
    ]);
    expect((await dlq('ls', '--topic', 'other')).lines).toEqual(['No dead letters.']);
    expect((await dlq('ls', '--each')).value).toHaveLength(3);
  });

  it('[GEN-57] show gives no value of what was erased since, and the value of all else', async () => {
    const key = (text: string) => Buffer.from(text).toString('base64');
    const origin = (offset: number, device: string) => ({
      origin: { topic: 'rtt.locations.v1', topic_id: 'T', partition: 1, offset, key: key(device) },
      headers: { 'received-at': '5', client: 'c' },
    });
    const gone = aDeadLetter('rtt.locations.v1', 5, origin(5, 'gone'));
    const stays = aDeadLetter('rtt.locations.v1', 6, origin(6, 'stays'));
    expect((await dlq('show', gone)).value).toMatchObject({ value: '{"a":1}' });
    records.push(aLogRecord('personal.erased-tracks.v1', 0, {
      type: 'TrackErased', device_id: 'gone', client_id: 'c', received_until_ms: 5,
    }));
    expect((await dlq('show', gone)).value).toMatchObject({ value: null, erased: true });
    expect((await dlq('show', stays)).value).toMatchObject({ value: '{"a":1}' });
  });

  it('[GEN-38] replay keeps the schema that wrote a record, unless the record does not follow it', async () => {
    aDeadLetter('rtt.telemetry-events.v1', 1, { code: 'schema_unknown' });
    aDeadLetter('rtt.telemetry-events.v1', 2, { code: 'sink_rejected' });
    aDeadLetter('rtt.telemetry-events.v1', 3);
    expect(await dlq('replay', '--all')).toMatchObject({ exitCode: 0 });
    expect(log.of('rtt.telemetry-events.v1').map(({ schemaId }) => schemaId))
      .toEqual([7, 7, undefined]);
  });

  it('replay keeps key, headers, value and order, and does nothing the second time', async () => {
    const ids = [aDeadLetter('rtt.telemetry-events.v1', 9), aDeadLetter('rtt.telemetry-events.v1', 3)];
    expect(await dlq('replay', '--all')).toMatchObject({ exitCode: 0 });
    expect(log.of('rtt.telemetry-events.v1')).toMatchObject([3, 9].map((offset) => ({
      key: 'k', value: { a: 1 }, headers: { client: 'c', 'replayed-from': `T:1:${offset}` },
    })));
    expect((await dlq('replay', ids[0] ?? '')).value).toMatchObject({ replayed: [] });
    expect((await dlq('show', ids[0] ?? '')).value).toMatchObject({ state: 'replayed', value: '{"a":1}' });
    expect(log.of('rtt.telemetry-events.v1')).toHaveLength(2);
  });

  it('replay keeps the first record id of a record that failed again, and puts it back once', async () => {
    const headers = { 'replayed-from': 'T:1:3' };
    aDeadLetter('rtt.telemetry-events.v1', 9, { headers });
    aDeadLetter('rtt.telemetry-events.v1', 11, { headers });
    await dlq('replay', '--all');
    expect(log.of('rtt.telemetry-events.v1')).toMatchObject([{ headers }]);
    expect((await dlq('ls')).value).toEqual([]);
  });

  it.each([
    ['a fact of a compacted topic', 'oauth.clients.v1', {}, 'an old one would replace it'],
    ['an item of a feed', 'feed:p-carrier', {}, 'is no topic of the log'],
    ['a dead letter about a dead letter', 'dead-letters.v1', {}, 'a dead letter about a dead letter'],
    ['what is in no frame', 'rtt.locations.v1', { value: 'bm8=' }, 'in no frame'],
    ['a tombstone', 'rtt.locations.v1', { value: null }, 'in no frame'],
  ])('replay refuses %s', async (_what, topic, change, why) => {
    const id = aDeadLetter(topic, 4, change);
    const { value, exitCode } = await dlq('replay', id);
    expect(exitCode).toBe(1);
    expect(value).toMatchObject({ refused: [{ id, why: expect.stringContaining(why) }] });
    expect(log.appended).toEqual([]);
    expect((await dlq('discard', id)).exitCode).toBe(0);
    expect((await dlq('ls')).value).toEqual([]);
  });

  it('replay refuses a command with a newer one of its key', async () => {
    const id = aDeadLetter('provider.commands.v1', 4);
    records.push(aLogRecord('provider.commands.v1', 3, '{}', { key: 'k', partition: 1 }));
    expect((await dlq('replay', id, '--dry-run')).exitCode).toBe(0);
    records.push(aLogRecord('provider.commands.v1', 5, '{}', { key: 'k', partition: 1 }));
    expect((await dlq('replay', id)).exitCode).toBe(1);
    expect(log.appended).toEqual([]);
  });

  it('stops when the log is unavailable; what is left stays open', async () => {
    aDeadLetter('rtt.telemetry-events.v1', 3);
    log.failWith('log_unavailable');
    expect(await dlq('replay', '--all')).toMatchObject({ exitCode: 1, value: { replayed: [] } });
    log.heal();
    expect((await dlq('ls')).value).toMatchObject([{ open: 1 }]);
  });

  it.each([
    [[]], [['fix']], [['replay']], [['show']], [['release']],
    [['ls', '--wait', 'x']], [['ls', 'a', 'b']],
  ])('answers wrong use %j with 2', async (args) => {
    expect((await dlq(...args)).exitCode).toBe(2);
  });

  it.each([
    [['replay', 'T:1:99']], [['discard', 'T:1:99']], [['show', 'T:1:99']], [['release', 'none']],
  ])('ends %j with 3: there is none', async (args) => {
    expect((await dlq(...args)).exitCode).toBe(3);
  });

  it('gives the hints that the view of analysts gives', () => {
    expect(VIEW).toContain(`[${HINTED_CODES.map((code) => `'${code}'`).join(', ')}]`);
    for (const code of [...HINTED_CODES, 'another']) expect(VIEW).toContain(`'${hintOf(code)}'`);
  });
});
