import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBatchLoop, type BatchLoopLimits } from
  '../../../services/adapters/kafka/consume/batch-loop.ts';
import type { AnyRecord } from '../../../services/adapters/kafka/frame.ts';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import type { CommitOffset } from '../../../services/kernel/record-log.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => { vi.useRealTimers(); });

const LIMITS: BatchLoopLimits = {
  batchRecordsMax: 3, batchBytesMax: 10_000, lingerMs: 10, prefetchBytesMax: 200,
  backoffMsMin: 100, backoffMsMax: 100,
};
const ASSIGNMENT = [{ topic: 't', topicId: 'id', partition: 0 }];

const record = (offset: number, partition = 0): AnyRecord => ({
  topic: 't', topicId: 'id', partition, offset: BigInt(offset), key: 'k', value: Buffer.from('1'),
  schemaId: 1, headers: {}, timestampMs: 0,
});

type Answer = readonly CommitOffset[] | Error;

/** A batch loop whose handler and commits wait for the test. */
function open() {
  const story: string[] = [];
  let answers: ((answer: Answer) => void)[] = [];
  const crashes: unknown[] = [];
  /** Outages that assignments meet. */
  const assigning = { outages: 0 };
  const batchLoop = createBatchLoop(LIMITS, {
    signals: silentSignals,
    group: 'g',
    random: () => 0,
    commit: async (offsets) => {
      story.push(`commit ${offsets.map(({ nextOffset }) => nextOffset).join()}`);
    },
    crashed: (error) => { crashes.push(error); },
    handler: {
      onAssigned: async () => {
        const isAway = assigning.outages > 0;
        assigning.outages -= 1;
        story.push(isAway ? 'not assigned' : 'assigned');
        if (isAway) throw new Unavailable('state_unavailable', 'apply', 'as asked');
      },
      onRevoked: async () => { story.push('revoked'); },
      onRecords: (records) => {
        story.push(`records ${records.map(({ offset }) => offset).join()}`);
        return new Promise((resolve, reject) => {
          answers.push((answer) => {
            if (answer instanceof Error) reject(answer);
            else resolve(answer);
          });
        });
      },
    },
  });
  const answer = async (given: Answer): Promise<void> => {
    const all = answers;
    answers = [];
    for (const complete of all) complete(given);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { batchLoop, story, answer, crashes, assigning };
}

const upTo = (nextOffset: number): readonly CommitOffset[] => (
  [{ topic: 't', partition: 0, nextOffset: BigInt(nextOffset) }]
);
const sinkDown = new Unavailable('sink_unavailable', 'insert', 'as asked');

describe('the batch loop of a consumer', () => {
  it('gathers records for a moment, or until a batch is full', async () => {
    const { batchLoop, story, answer } = open();
    await batchLoop.assign(ASSIGNMENT);
    batchLoop.offer([record(0)]);
    await vi.advanceTimersByTimeAsync(9);
    batchLoop.offer([record(1)]);
    expect(story).toEqual(['assigned']);
    await vi.advanceTimersByTimeAsync(1);
    batchLoop.offer([record(2), record(3), record(4), record(5)]);
    await answer(upTo(2));
    await answer(upTo(5));
    expect(story).toEqual([
      'assigned', 'records 0,1', 'commit 2', 'records 2,3,4', 'commit 5',
    ]);
  });

  it('lets no record linger longer because a batch was in progress', async () => {
    const { batchLoop, story, answer } = open();
    await batchLoop.assign(ASSIGNMENT);
    batchLoop.offer([record(0)]);
    await vi.advanceTimersByTimeAsync(10);
    batchLoop.offer([record(1)]);
    await vi.advanceTimersByTimeAsync(8);
    await answer(upTo(1));
    await vi.advanceTimersByTimeAsync(1);
    expect(story.at(-1)).toBe('commit 1');
    await vi.advanceTimersByTimeAsync(1);
    expect(story.at(-1)).toBe('records 1');
    batchLoop.offer([record(2)]);
    await vi.advanceTimersByTimeAsync(30);
    await answer(upTo(2));
    expect(story.slice(-2)).toEqual(['commit 2', 'records 2']);
  });

  it('commits the furthest position of a partition, in whatever order they come', async () => {
    const { batchLoop, story, answer } = open();
    await batchLoop.assign(ASSIGNMENT);
    batchLoop.offer([record(0), record(1), record(2)]);
    await vi.advanceTimersByTimeAsync(10);
    await answer([...upTo(1), ...upTo(3), ...upTo(2)]);
    expect(story).toEqual(['assigned', 'records 0,1,2', 'commit 3']);
  });

  it('ignores records of partitions that are not its own', async () => {
    const { batchLoop, story } = open();
    await batchLoop.assign(ASSIGNMENT);
    batchLoop.offer([record(0, 1), record(0)]);
    await vi.advanceTimersByTimeAsync(10);
    expect(story).toEqual(['assigned', 'records 0']);
  });

  it('lets a revocation wait for the batch in progress and its commit, and drops the rest',
    async () => {
      const { batchLoop, story, answer } = open();
      await batchLoop.assign(ASSIGNMENT);
      batchLoop.offer([0, 1, 2, 3].map((offset) => record(offset)));
      await vi.advanceTimersByTimeAsync(0);
      const revoked = batchLoop.revoke();
      await vi.advanceTimersByTimeAsync(500);
      expect(story).toEqual(['assigned', 'records 0,1,2']);
      await answer(upTo(3));
      await revoked;
      await batchLoop.handled();
      expect(story).toEqual(['assigned', 'records 0,1,2', 'commit 3', 'revoked']);
    });

  it('repeats the same records while the sink is away, but not once they are taken away',
    async () => {
      const { batchLoop, story, answer } = open();
      await batchLoop.assign(ASSIGNMENT);
      batchLoop.offer([record(0)]);
      await vi.advanceTimersByTimeAsync(10);
      await answer(sinkDown);
      await vi.advanceTimersByTimeAsync(100);
      await answer(sinkDown);
      const revoked = batchLoop.revoke();
      await vi.advanceTimersByTimeAsync(200);
      await revoked;
      expect(story).toEqual(['assigned', 'records 0', 'records 0', 'revoked']);
    });

  it('waits for an outage that an assignment meets, before any record of it', async () => {
    const { batchLoop, story, answer, crashes, assigning } = open();
    assigning.outages = 2;
    const assigned = batchLoop.assign(ASSIGNMENT);
    await vi.advanceTimersByTimeAsync(1);
    expect(story).toEqual(['not assigned']);
    batchLoop.offer([record(0)]);
    await vi.advanceTimersByTimeAsync(200);
    await assigned;
    await vi.advanceTimersByTimeAsync(10);
    expect(story).toEqual(['not assigned', 'not assigned', 'assigned', 'records 0']);
    await answer(upTo(1));
    expect(crashes).toEqual([]);
  });

  it('leaves an assignment that is taken away while an outage lasts', async () => {
    const { batchLoop, story, assigning } = open();
    assigning.outages = Infinity;
    const assigned = batchLoop.assign(ASSIGNMENT);
    batchLoop.offer([record(0)]);
    await vi.advanceTimersByTimeAsync(50);
    const revoked = batchLoop.revoke();
    await vi.advanceTimersByTimeAsync(0);
    await Promise.all([assigned, revoked]);
    expect(story).toEqual(['not assigned', 'revoked']);
    assigning.outages = 0;
    await batchLoop.assign(ASSIGNMENT);
    expect(story.at(-1)).toBe('assigned');
  });

  it('crashes once at a bug, and touches the handler no more', async () => {
    const { batchLoop, story, answer, crashes } = open();
    await batchLoop.assign(ASSIGNMENT);
    batchLoop.offer([record(0), record(1)]);
    await vi.advanceTimersByTimeAsync(10);
    await answer(new TypeError('a bug'));
    batchLoop.offer([record(2)]);
    await batchLoop.revoke();
    await vi.advanceTimersByTimeAsync(100);
    expect(crashes).toHaveLength(1);
    expect(story).toEqual(['assigned', 'records 0,1']);
  });

  it('has room only while little waits', async () => {
    const { batchLoop, answer } = open();
    await batchLoop.assign(ASSIGNMENT);
    batchLoop.offer([0, 1, 2, 3, 4, 5, 6].map((offset) => record(offset)));
    await vi.advanceTimersByTimeAsync(0);
    let room = false;
    void batchLoop.room().then(() => { room = true; });
    await vi.advanceTimersByTimeAsync(0);
    expect(room).toBe(false);
    await answer(upTo(3));
    await answer(upTo(6));
    expect(room).toBe(true);
  });
});
