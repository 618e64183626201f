import { beforeEach, describe, expect, it } from 'vitest';
import type { LogHandler } from '../../../services/kernel/record-log.ts';
import { createDeadLetters } from '../../../services/workers/common/dead-letters.ts';
import { createBatchHandler } from '../../../services/workers/common/batch-handler.ts';
import { createKeyOrder } from '../../../services/workers/common/key-order.ts';
import type { ConsumedRecord, Poison } from '../../../services/workers/common/outcomes.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { createTopicFold } from '../../../services/kernel/fold-topics.ts';
import { FOLD_LIMITS } from '../../../services/kernel/fold.ts';
import { parkingFold, PARKING_TOPICS } from '../../../services/workers/common/parked-keys.ts';
import { aLogRecord } from '../../support/fake-log-reader.ts';
import { fakeFoldSource, memoryFolds } from '../../support/fake-log-tail.ts';
import { fakeRecordLog, type FakeRecordLog } from '../../support/fake-log.ts';

const TOPIC = 'orders.v1';
const ASSIGNMENT = [{ topic: TOPIC, topicId: `${TOPIC}-id`, partition: 0 }];

describe('A worker that keeps the order within keys', () => {
  let log: FakeRecordLog;
  let applied: string[];
  let broken: Set<string>;
  let nowMs: number;
  const clock = { nowMs: () => (nowMs += 1) };
  let folds: ReturnType<typeof memoryFolds>;
  const tail = fakeFoldSource(() => log.appended.map((each, at) => (
    aLogRecord(each.topic, at, JSON.stringify(each.value), { key: each.key })
  )));
  const parkingOf = (worker: string) => createTopicFold(
    { ...FOLD_LIMITS, name: worker, topics: PARKING_TOPICS, form: 1, recordsMin: 1 },
    parkingFold({ worker, topic: TOPIC }, clock.nowMs), { ...tail, folds, signals: silentSignals },
  );

  function refuse(record: ConsumedRecord): Poison | undefined {
    const text = 'value' in record ? record.value.toString() : '';
    return broken.has(text)
      ? { stage: 'consume', code: 'record_invalid', detail: 'as the test asked' } : undefined;
  }

  function aWorker(worker = 'w'): LogHandler {
    const parts = { log, clock, signals: silentSignals };
    const limits = { worker, codeVersion: '9', appendMsMax: 1_000 };
    const order = createKeyOrder({ ...limits, topic: TOPIC, parkedMax: 6 }, {
      ...parts, parking: parkingOf(worker),
    });
    return createBatchHandler({ worker, poisonedMin: 20, poisonedRatioMax: 0.5 }, {
      ...parts,
      deadLetters: createDeadLetters(limits, parts),
      onAssigned: order.onAssigned,
      applyRecords: order.inOrder(refuse, async (records) => {
        applied.push(...records.map((record) => `${record.offset}`));
        return Promise.resolve(records.map((record) => ({ kind: 'applied' as const, record })));
      }),
    });
  }

  const sent = (offset: number, key: string, first?: number) => aLogRecord(TOPIC, offset, `v${first ?? offset}`, {
    key, headers: first === undefined ? {} : { 'replayed-from': `${TOPIC}-id:0:${first}` },
  });
  const deadLetters = () => log.of('dead-letters.v1').map(({ value }) => {
    const { origin, code } = value as { origin: { offset: number }; code: string };
    return `${origin.offset} ${code}`;
  });
  const discard = (offset: number) => log.append({
    topic: 'dead-letter-repairs.v1', key: 'a', headers: {},
    value: Buffer.from(JSON.stringify({
      type: 'DeadLetterDiscarded', code_version: '9', at_ms: clock.nowMs(),
      origin: { topic: TOPIC, topic_id: `${TOPIC}-id`, partition: 0, offset, key: 'YQ==' },
    })),
  }, 0);

  beforeEach(() => {
    log = fakeRecordLog();
    folds = memoryFolds();
    tail.read.length = 0;
    applied = [];
    nowMs = 0;
    broken = new Set(['v2']);
  });

  it('parks the key of a record that cannot be read, in the same batch and in the next', async () => {
    const worker = aWorker();
    await worker.onAssigned(ASSIGNMENT);
    await worker.onRecords([sent(1, 'a'), sent(2, 'a'), sent(3, 'b'), sent(4, 'a')]);
    await worker.onRecords([sent(5, 'a'), sent(6, 'b')]);
    expect(applied).toEqual(['1', '3', '6']);
    expect(deadLetters()).toEqual(['2 record_invalid', '4 key_parked', '5 key_parked']);
  });

  it('knows parked keys after a restart, and applies what is put back in its turn only', async () => {
    const first = aWorker();
    await first.onAssigned(ASSIGNMENT);
    await first.onRecords([sent(2, 'a'), sent(4, 'a')]);
    broken.clear();
    const second = aWorker();
    await second.onAssigned(ASSIGNMENT);
    await second.onRecords([sent(5, 'a'), sent(6, 'b'), sent(7, 'a', 4)]);
    expect(applied).toEqual(['6']);
    await second.onRecords([sent(8, 'a', 2), sent(9, 'a', 4), sent(10, 'a'), sent(11, 'a', 5)]);
    expect(applied).toEqual(['6', '8', '9', '11']);
    await second.onRecords([sent(12, 'a', 10), sent(13, 'a')]);
    expect(applied.slice(4)).toEqual(['12', '13']);
    const third = aWorker();
    await third.onAssigned(ASSIGNMENT);
    await third.onRecords([sent(14, 'a')]);
    expect(applied.at(-1)).toBe('14');
  });

  it('[GEN-69] reads only what came since, as it works and when it starts again', async () => {
    const worker = aWorker();
    await worker.onAssigned(ASSIGNMENT);
    await worker.onRecords([sent(2, 'a'), sent(4, 'a')]);
    await worker.onRecords([sent(5, 'a')]);
    expect(tail.read).toEqual(['dead-letters.v1:0', 'dead-letters.v1:1']);
    const again = aWorker();
    await again.onAssigned(ASSIGNMENT);
    await again.onRecords([sent(6, 'a'), sent(7, 'b')]);
    expect(tail.read.slice(2)).toEqual(['dead-letters.v1:2']);
    expect(applied).toEqual(['7']);
  });

  it('keeps the key parked while the record that was put back is still unreadable', async () => {
    const worker = aWorker();
    await worker.onAssigned(ASSIGNMENT);
    await worker.onRecords([sent(2, 'a'), sent(3, 'a'), sent(7, 'a', 2), sent(8, 'a', 3)]);
    expect(applied).toEqual([]);
    expect(deadLetters()).toEqual([
      '2 record_invalid', '3 key_parked', '7 record_invalid', '8 key_parked',
    ]);
  });

  it('lets go of what an operator gave up, and follows the rest in its turn', async () => {
    const worker = aWorker();
    await worker.onAssigned(ASSIGNMENT);
    await worker.onRecords([sent(2, 'a'), sent(3, 'a')]);
    await discard(2);
    await worker.onRecords([sent(9, 'a', 3), sent(10, 'a')]);
    expect(applied).toEqual(['9', '10']);
  });

  it('is not held up by dead letters of another worker or of a former topic', async () => {
    const other = aWorker('other');
    await other.onAssigned(ASSIGNMENT);
    await other.onRecords([sent(2, 'a')]);
    const worker = aWorker();
    await worker.onAssigned(ASSIGNMENT);
    await worker.onRecords([sent(3, 'a')]);
    const anew = aWorker('other');
    await anew.onAssigned([{ topic: TOPIC, topicId: 'new-id', partition: 0 }]);
    await anew.onRecords([{ ...sent(3, 'a'), topicId: 'new-id' }]);
    expect(applied).toEqual(['3', '3']);
  });

  it('applies a record again that a crash kept from being recorded as resumed', async () => {
    const worker = aWorker();
    await worker.onAssigned(ASSIGNMENT);
    await worker.onRecords([sent(2, 'a'), sent(3, 'a')]);
    broken.clear();
    log.failWith('log_unavailable', 1);
    await expect(worker.onRecords([sent(8, 'a', 2)])).rejects.toThrow('log_unavailable');
    await worker.onRecords([sent(8, 'a', 2), sent(9, 'a', 3)]);
    expect(applied).toEqual(['8', '8', '9']);
  });

  it('is not taken for a flood by records that wait, but stops when too many do', async () => {
    const worker = aWorker();
    await worker.onAssigned(ASSIGNMENT);
    await worker.onRecords([sent(2, 'a'), ...Array.from({ length: 5 }, (_, at) => sent(at + 3, 'a'))]);
    await expect(worker.onRecords([sent(9, 'a')])).rejects.toThrow('7 records wait');
  });
});
