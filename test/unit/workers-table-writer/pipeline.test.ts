import { describe, expect, it } from 'vitest';
import {
  assignmentOf, createTableWriterEnv, NOW_MS, OF_EVENTS, post, posts, startWorker, unreachable,
  unreadable,
} from './fixtures.ts';

const at = (partition: number, nextOffset: number) => (
  { topic: 'rtt.locations.v1', partition, nextOffset: BigInt(nextOffset) }
);

describe('the table writer, call by call', () => {
  it('stores what is pending, inserts, hands back positions, and clears only afterwards', async () => {
    const env = createTableWriterEnv();
    const worker = startWorker(env);
    await worker.onAssigned(assignmentOf(0, 1));

    const first = await worker.onRecords([...posts(1, 5, 6), ...posts(0, 1, 3)]);
    env.timeline.push('committed');
    await worker.onRecords(posts(0, 4, 4));

    expect(first).toEqual([at(0, 4), at(1, 7)]);
    expect(env.timeline).toEqual([
      'stored t1:0:1-3,t1:1:5-6',
      'inserted t1:0:1-3,t1:1:5-6#0-5',
      'committed',
      'cleared t1:0:1-3,t1:1:5-6',
      'stored t1:0:4-4',
      'inserted t1:0:4-4#0-1',
    ]);
  });

  it('commits nothing and repeats the same insert when the store is out of reach', async () => {
    const env = createTableWriterEnv();
    const worker = startWorker(env);
    await worker.onAssigned(assignmentOf(0));
    env.refuse = () => { throw unreachable(); };
    await expect(worker.onRecords(posts(0, 1, 2))).rejects.toMatchObject({ retryable: true });

    env.refuse = () => undefined;
    expect(await worker.onRecords(posts(0, 1, 2))).toEqual([at(0, 3)]);
    expect(env.timeline).toEqual([
      'stored t1:0:1-2', 'stored t1:0:1-2', 'inserted t1:0:1-2#0-2',
    ]);
  });

  it('forms the interrupted batch again, waiting until all of its partitions are complete', async () => {
    const env = createTableWriterEnv();
    const dying = startWorker(env);
    await dying.onAssigned(assignmentOf(0, 1));
    await dying.onRecords([...posts(0, 1, 3), ...posts(1, 5, 6)]); // and dies before the commit

    const next = startWorker(env);
    await next.onAssigned(assignmentOf(0, 1, 2));
    expect(await next.onRecords([...posts(0, 1, 2), ...posts(2, 1, 1)])).toEqual([at(2, 2)]);
    expect(await next.onRecords([...posts(0, 3, 4), ...posts(1, 5, 5)])).toEqual([]);
    expect(await next.onRecords(posts(1, 6, 7))).toEqual([at(0, 5), at(1, 8)]);

    expect(env.timeline.filter((line) => line.startsWith('inserted'))).toEqual([
      'inserted t1:0:1-3,t1:1:5-6#0-5',
      'inserted t1:2:1-1#0-1',
      'inserted t1:0:1-3,t1:1:5-6#0-5',
      'inserted t1:0:4-4,t1:1:7-7#0-2',
    ]);
    expect([...env.rows.values()].every((times) => times === 1)).toBe(true);
  });

  it('remembers a batch formed again together with what came after it', async () => {
    const env = createTableWriterEnv();
    const dying = startWorker(env);
    await dying.onAssigned(assignmentOf(0));
    await dying.onRecords(posts(0, 1, 2));
    const second = startWorker(env);
    await second.onAssigned(assignmentOf(0));
    await second.onRecords(posts(0, 1, 4)); // dies too, before the commit

    const third = startWorker(env);
    await third.onAssigned(assignmentOf(0));
    await third.onRecords(posts(0, 1, 9));
    expect(env.timeline.slice(-4)).toEqual([
      'stored t1:0:1-2,t1:0:3-4,t1:0:5-9',
      'inserted t1:0:1-2#0-2', 'inserted t1:0:3-4#0-2', 'inserted t1:0:5-9#0-5',
    ]);
    expect([...env.rows.values()]).toEqual(Array(9).fill(1));
  });

  it('leaves a batch alone that was committed before the worker died', async () => {
    const env = createTableWriterEnv();
    const first = startWorker(env);
    await first.onAssigned(assignmentOf(0, 1));
    await first.onRecords([...posts(0, 1, 3), ...posts(1, 1, 1)]);
    const next = startWorker(env);
    await next.onAssigned(assignmentOf(0, 1));
    expect(await next.onRecords(posts(0, 4, 4))).toEqual([at(0, 5)]);
    expect(env.counted.some((line) => line.includes('passed'))).toBe(true);
  });

  it('does not wait for a batch of which another worker owns a part', async () => {
    const env = createTableWriterEnv();
    const dying = startWorker(env);
    await dying.onAssigned(assignmentOf(0, 1));
    await dying.onRecords([...posts(0, 1, 3), ...posts(1, 1, 1)]);
    const next = startWorker(env);
    await next.onAssigned(assignmentOf(0));
    expect(await next.onRecords(posts(0, 1, 2))).toEqual([at(0, 3)]);
  });

  it('waits for an interrupted batch only for so long', async () => {
    const env = createTableWriterEnv();
    const dying = startWorker(env);
    await dying.onAssigned(assignmentOf(0, 1));
    await dying.onRecords([...posts(0, 1, 3), ...posts(1, 1, 1)]);
    const next = startWorker(env, { reformMsMax: 1_000 });
    await next.onAssigned(assignmentOf(0, 1));
    expect(await next.onRecords(posts(0, 1, 3))).toEqual([]);
    env.nowMs = NOW_MS + 1_001;
    expect(await next.onRecords(posts(0, 4, 4))).toEqual([at(0, 5)]);
  });

  it('drops what it holds back when the partition is taken away', async () => {
    const env = createTableWriterEnv();
    const dying = startWorker(env);
    await dying.onAssigned(assignmentOf(0, 1));
    await dying.onRecords([...posts(0, 1, 3), ...posts(1, 1, 1)]);
    const next = startWorker(env);
    await next.onAssigned(assignmentOf(0, 1));
    await next.onRecords(posts(0, 1, 2));
    await next.onRevoked(assignmentOf(0, 1));
    await next.onAssigned(assignmentOf(1));
    expect(await next.onRecords(posts(1, 1, 1))).toEqual([at(1, 2)]);
  });

  it('splits an insert at the limit of locations, under tokens that name the piece', async () => {
    const env = createTableWriterEnv();
    const worker = startWorker(env, { itemsMax: 500 });
    await worker.onAssigned(assignmentOf(0));
    const records = [1, 2, 3].map((offset) => (
      post(0, offset, { headers: { ...post(0, offset).headers, n: '250' } })
    ));
    await worker.onRecords(records);
    expect(env.timeline).toEqual([
      'stored t1:0:1-3', 'inserted t1:0:1-3#0-2', 'inserted t1:0:1-3#2-3',
    ]);
  });
});

describe('several topics at once', () => {
  const eventsAssignment = (partition: number) => [{ ...OF_EVENTS, partition }];

  it('[LOC-17] makes one insert per table, each under the ranges of its own', async () => {
    const env = createTableWriterEnv();
    const worker = startWorker(env);
    await worker.onAssigned([...assignmentOf(0, 1), ...eventsAssignment(0)]);
    const offsets = await worker.onRecords([
      ...posts(0, 1, 3), post(0, 7, OF_EVENTS), post(1, 2), post(0, 8, OF_EVENTS),
    ]);
    expect(env.timeline).toEqual([
      'stored t1:0:1-3,t1:1:2-2,t2:0:7-8',
      'inserted t1:0:1-3,t1:1:2-2#0-4',
      'inserted t2:0:7-8#0-2',
    ]);
    expect(env.tables).toEqual(['in_locations', 'in_telemetry_events']);
    expect(offsets).toContainEqual({ topic: OF_EVENTS.topic, partition: 0, nextOffset: 9n });
  });

  it('fills the tables in the order of the configuration, locations before the rest', async () => {
    const env = createTableWriterEnv();
    const worker = startWorker(env);
    const deliveries = { topic: 'delivery.locations.v1', topicId: 't0' };
    await worker.onAssigned([...assignmentOf(0), { ...deliveries, partition: 0 }]);
    await worker.onRecords([post(0, 4, deliveries), post(0, 1)]);
    expect(env.tables).toEqual(['in_locations', 'in_delivery_locations']);
  });

  it('inserts both tables again under the same tokens after a death between them', async () => {
    const env = createTableWriterEnv();
    const dying = startWorker(env);
    await dying.onAssigned([...assignmentOf(0), ...eventsAssignment(0)]);
    env.refuse = (_places, token) => {
      if (token.startsWith('t2')) throw unreachable();
      return undefined;
    };
    const records = [post(0, 1), post(0, 1, OF_EVENTS)];
    await expect(dying.onRecords(records)).rejects.toMatchObject({ code: 'sink_unavailable' });

    env.refuse = () => undefined;
    const next = startWorker(env);
    await next.onAssigned([...assignmentOf(0), ...eventsAssignment(0)]);
    await next.onRecords([...records, post(0, 2), post(0, 2, OF_EVENTS)]);
    expect(env.timeline.filter((line) => line.startsWith('inserted'))).toEqual([
      'inserted t1:0:1-1#0-1',
      'inserted t1:0:1-1#0-1', 'inserted t2:0:1-1#0-1',
      'inserted t1:0:2-2#0-1', 'inserted t2:0:2-2#0-1',
    ]);
  });

  it('dead-letters the bad record of one table and stores the other whole', async () => {
    const env = createTableWriterEnv();
    const worker = startWorker(env);
    await worker.onAssigned([...assignmentOf(0), ...eventsAssignment(0)]);
    env.refuse = (_places, token) => (token.startsWith('t2:0:7-8#0')
      ? { kind: 'rejected', line: 0, detail: 'bad' } : undefined);
    await worker.onRecords([post(0, 1), post(0, 7, OF_EVENTS), post(0, 8, OF_EVENTS)]);
    expect(env.deadLetters).toEqual(['0:7 insert sink_rejected']);
    expect([...env.rows.keys()]).toEqual(['0:1', '0:8']);
  });

  it('stops at a topic without a table', async () => {
    const env = createTableWriterEnv();
    const worker = startWorker(env);
    await worker.onAssigned(assignmentOf(0));
    await expect(worker.onRecords([post(0, 1, { topic: 'other.v1' })])).rejects.toThrow('other.v1');
  });
});

describe('bad records', () => {
  it('dead-letters exactly the record that the store blames and inserts the rest', async () => {
    const env = createTableWriterEnv();
    const worker = startWorker(env);
    await worker.onAssigned(assignmentOf(0));
    env.refuse = (places) => (places.includes('0:3')
      ? { kind: 'rejected', line: places.indexOf('0:3'), detail: 'bad' } : undefined);
    expect(await worker.onRecords(posts(0, 1, 5))).toEqual([at(0, 6)]);
    expect(env.deadLetters).toEqual(['0:3 insert sink_rejected']);
    expect([...env.rows.keys()]).toEqual(['0:1', '0:2', '0:4', '0:5']);
    expect(env.timeline).toEqual([
      'stored t1:0:1-5', 'refused t1:0:1-5#0-5', 'inserted t1:0:1-5#0-2', 'refused t1:0:1-5#2-3',
      'inserted t1:0:1-5#3-5', 'dead-lettered 0:3',
    ]);
  });

  it('finds the bad record by halves when the store blames none', async () => {
    const env = createTableWriterEnv();
    const worker = startWorker(env);
    await worker.onAssigned(assignmentOf(0));
    env.refuse = (places) => (places.includes('0:6')
      ? { kind: 'rejected', line: undefined, detail: 'bad' } : undefined);
    await worker.onRecords(posts(0, 1, 8));
    expect(env.deadLetters).toEqual(['0:6 insert sink_rejected']);
    expect(env.rows.size).toBe(7);
  });

  it('does not believe a blame that a message was made to say', async () => {
    const env = createTableWriterEnv();
    const worker = startWorker(env);
    await worker.onAssigned(assignmentOf(0));
    env.refuse = (places) => (places.includes('0:4')
      ? { kind: 'rejected', line: 0, detail: 'bad' } : undefined);
    await worker.onRecords(posts(0, 1, 5));
    expect(env.deadLetters).toEqual(['0:4 insert sink_rejected']);
    expect(env.rows.size).toBe(4);
  });

  it('dead-letters records without a frame and values that are no object', async () => {
    const env = createTableWriterEnv();
    const worker = startWorker(env);
    await worker.onAssigned(assignmentOf(0));
    const empty = ['{}', '{ \n}', '[1]', '', '7'].map((text, i) => (
      post(0, 2 + i, { value: Buffer.from(text) })
    ));
    expect(await worker.onRecords([unreadable(0, 1), ...empty, post(0, 7)])).toEqual([at(0, 8)]);
    expect(env.deadLetters).toEqual([
      '0:1 consume undecodable',
      ...[2, 3, 4, 5, 6].map((offset) => `0:${offset} consume record_invalid`),
    ]);
    expect([...env.rows.keys()]).toEqual(['0:7']);
  });

  it('stops instead of writing only dead letters', async () => {
    const env = createTableWriterEnv();
    const worker = startWorker(env, { rejectedMin: 3, rejectedRatioMax: 0.1 });
    await worker.onAssigned(assignmentOf(0));
    env.refuse = () => ({ kind: 'rejected', line: 0, detail: 'bad' });
    await worker.onRecords(posts(0, 1, 3));
    await expect(worker.onRecords(posts(0, 4, 4))).rejects.toMatchObject({
      code: 'sink_rejected', retryable: false,
    });
    expect(env.deadLetters).toHaveLength(3);
  });

  it('goes on with few bad records among many good ones', async () => {
    const env = createTableWriterEnv();
    const worker = startWorker(env, { rejectedMin: 1, rejectedRatioMax: 0.1 });
    await worker.onAssigned(assignmentOf(0));
    env.refuse = (places) => (places.some((place) => place === '0:3' || place === '0:30')
      ? { kind: 'rejected', line: undefined, detail: 'bad' } : undefined);
    await worker.onRecords(posts(0, 1, 40));
    expect(env.deadLetters).toHaveLength(2);
  });
});
