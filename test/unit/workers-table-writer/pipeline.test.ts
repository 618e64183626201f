import { describe, expect, it } from 'vitest';
import {
  createWorld, NOW_MS, OF_EVENTS, post, posts, share, startWorker, unreachable, unreadable,
} from './fixtures.ts';

const at = (partition: number, nextOffset: number) => (
  { topic: 'rtt.locations.v1', partition, nextOffset: BigInt(nextOffset) }
);

describe('the table writer, call by call', () => {
  it('stores what is pending, inserts, hands back positions, and clears only afterwards', async () => {
    const world = createWorld();
    const worker = startWorker(world);
    await worker.onAssigned(share(0, 1));

    const first = await worker.onRecords([...posts(1, 5, 6), ...posts(0, 1, 3)]);
    world.timeline.push('committed');
    await worker.onRecords(posts(0, 4, 4));

    expect(first).toEqual([at(0, 4), at(1, 7)]);
    expect(world.timeline).toEqual([
      'stored t1:0:1-3,t1:1:5-6',
      'inserted t1:0:1-3,t1:1:5-6#0-5',
      'committed',
      'cleared t1:0:1-3,t1:1:5-6',
      'stored t1:0:4-4',
      'inserted t1:0:4-4#0-1',
    ]);
  });

  it('commits nothing and repeats the same insert when the store is out of reach', async () => {
    const world = createWorld();
    const worker = startWorker(world);
    await worker.onAssigned(share(0));
    world.refuse = () => { throw unreachable(); };
    await expect(worker.onRecords(posts(0, 1, 2))).rejects.toMatchObject({ retryable: true });

    world.refuse = () => undefined;
    expect(await worker.onRecords(posts(0, 1, 2))).toEqual([at(0, 3)]);
    expect(world.timeline).toEqual([
      'stored t1:0:1-2', 'stored t1:0:1-2', 'inserted t1:0:1-2#0-2',
    ]);
  });

  it('forms the interrupted batch again, waiting until all of its partitions are complete', async () => {
    const world = createWorld();
    const dying = startWorker(world);
    await dying.onAssigned(share(0, 1));
    await dying.onRecords([...posts(0, 1, 3), ...posts(1, 5, 6)]); // and dies before the commit

    const next = startWorker(world);
    await next.onAssigned(share(0, 1, 2));
    expect(await next.onRecords([...posts(0, 1, 2), ...posts(2, 1, 1)])).toEqual([at(2, 2)]);
    expect(await next.onRecords([...posts(0, 3, 4), ...posts(1, 5, 5)])).toEqual([]);
    expect(await next.onRecords(posts(1, 6, 7))).toEqual([at(0, 5), at(1, 8)]);

    expect(world.timeline.filter((line) => line.startsWith('inserted'))).toEqual([
      'inserted t1:0:1-3,t1:1:5-6#0-5',
      'inserted t1:2:1-1#0-1',
      'inserted t1:0:1-3,t1:1:5-6#0-5',
      'inserted t1:0:4-4,t1:1:7-7#0-2',
    ]);
    expect([...world.rows.values()].every((times) => times === 1)).toBe(true);
  });

  it('remembers a batch formed again together with what came after it', async () => {
    const world = createWorld();
    const dying = startWorker(world);
    await dying.onAssigned(share(0));
    await dying.onRecords(posts(0, 1, 2));
    const second = startWorker(world);
    await second.onAssigned(share(0));
    await second.onRecords(posts(0, 1, 4)); // dies too, before the commit

    const third = startWorker(world);
    await third.onAssigned(share(0));
    await third.onRecords(posts(0, 1, 9));
    expect(world.timeline.slice(-4)).toEqual([
      'stored t1:0:1-2,t1:0:3-4,t1:0:5-9',
      'inserted t1:0:1-2#0-2', 'inserted t1:0:3-4#0-2', 'inserted t1:0:5-9#0-5',
    ]);
    expect([...world.rows.values()]).toEqual(Array(9).fill(1));
  });

  it('leaves a batch alone that was committed before the worker died', async () => {
    const world = createWorld();
    const first = startWorker(world);
    await first.onAssigned(share(0, 1));
    await first.onRecords([...posts(0, 1, 3), ...posts(1, 1, 1)]);
    const next = startWorker(world);
    await next.onAssigned(share(0, 1));
    expect(await next.onRecords(posts(0, 4, 4))).toEqual([at(0, 5)]);
    expect(world.counted.some((line) => line.includes('passed'))).toBe(true);
  });

  it('does not wait for a batch of which another worker owns a part', async () => {
    const world = createWorld();
    const dying = startWorker(world);
    await dying.onAssigned(share(0, 1));
    await dying.onRecords([...posts(0, 1, 3), ...posts(1, 1, 1)]);
    const next = startWorker(world);
    await next.onAssigned(share(0));
    expect(await next.onRecords(posts(0, 1, 2))).toEqual([at(0, 3)]);
  });

  it('waits for an interrupted batch only for so long', async () => {
    const world = createWorld();
    const dying = startWorker(world);
    await dying.onAssigned(share(0, 1));
    await dying.onRecords([...posts(0, 1, 3), ...posts(1, 1, 1)]);
    const next = startWorker(world, { reformMsMax: 1_000 });
    await next.onAssigned(share(0, 1));
    expect(await next.onRecords(posts(0, 1, 3))).toEqual([]);
    world.nowMs = NOW_MS + 1_001;
    expect(await next.onRecords(posts(0, 4, 4))).toEqual([at(0, 5)]);
  });

  it('drops what it holds back when the partition is taken away', async () => {
    const world = createWorld();
    const dying = startWorker(world);
    await dying.onAssigned(share(0, 1));
    await dying.onRecords([...posts(0, 1, 3), ...posts(1, 1, 1)]);
    const next = startWorker(world);
    await next.onAssigned(share(0, 1));
    await next.onRecords(posts(0, 1, 2));
    await next.onRevoked(share(0, 1));
    await next.onAssigned(share(1));
    expect(await next.onRecords(posts(1, 1, 1))).toEqual([at(1, 2)]);
  });

  it('splits an insert at the limit of locations, under tokens that name the piece', async () => {
    const world = createWorld();
    const worker = startWorker(world, { itemsMax: 500 });
    await worker.onAssigned(share(0));
    const records = [1, 2, 3].map((offset) => (
      post(0, offset, { headers: { ...post(0, offset).headers, n: '250' } })
    ));
    await worker.onRecords(records);
    expect(world.timeline).toEqual([
      'stored t1:0:1-3', 'inserted t1:0:1-3#0-2', 'inserted t1:0:1-3#2-3',
    ]);
  });
});

describe('several topics at once', () => {
  const eventsShare = (partition: number) => [{ ...OF_EVENTS, partition }];

  it('[LOC-17] makes one insert per table, each under the ranges of its own', async () => {
    const world = createWorld();
    const worker = startWorker(world);
    await worker.onAssigned([...share(0, 1), ...eventsShare(0)]);
    const positions = await worker.onRecords([
      ...posts(0, 1, 3), post(0, 7, OF_EVENTS), post(1, 2), post(0, 8, OF_EVENTS),
    ]);
    expect(world.timeline).toEqual([
      'stored t1:0:1-3,t1:1:2-2,t2:0:7-8',
      'inserted t1:0:1-3,t1:1:2-2#0-4',
      'inserted t2:0:7-8#0-2',
    ]);
    expect(world.tables).toEqual(['in_locations', 'in_telemetry_events']);
    expect(positions).toContainEqual({ topic: OF_EVENTS.topic, partition: 0, nextOffset: 9n });
  });

  it('fills the tables in the order of the configuration, locations before the rest', async () => {
    const world = createWorld();
    const worker = startWorker(world);
    const deliveries = { topic: 'delivery.locations.v1', topicId: 't0' };
    await worker.onAssigned([...share(0), { ...deliveries, partition: 0 }]);
    await worker.onRecords([post(0, 4, deliveries), post(0, 1)]);
    expect(world.tables).toEqual(['in_locations', 'in_delivery_locations']);
  });

  it('inserts both tables again under the same tokens after a death between them', async () => {
    const world = createWorld();
    const dying = startWorker(world);
    await dying.onAssigned([...share(0), ...eventsShare(0)]);
    world.refuse = (_places, token) => {
      if (token.startsWith('t2')) throw unreachable();
      return undefined;
    };
    const records = [post(0, 1), post(0, 1, OF_EVENTS)];
    await expect(dying.onRecords(records)).rejects.toMatchObject({ code: 'sink_unavailable' });

    world.refuse = () => undefined;
    const next = startWorker(world);
    await next.onAssigned([...share(0), ...eventsShare(0)]);
    await next.onRecords([...records, post(0, 2), post(0, 2, OF_EVENTS)]);
    expect(world.timeline.filter((line) => line.startsWith('inserted'))).toEqual([
      'inserted t1:0:1-1#0-1',
      'inserted t1:0:1-1#0-1', 'inserted t2:0:1-1#0-1',
      'inserted t1:0:2-2#0-1', 'inserted t2:0:2-2#0-1',
    ]);
  });

  it('dead-letters the bad record of one table and stores the other whole', async () => {
    const world = createWorld();
    const worker = startWorker(world);
    await worker.onAssigned([...share(0), ...eventsShare(0)]);
    world.refuse = (_places, token) => (token.startsWith('t2:0:7-8#0')
      ? { kind: 'rejected', line: 0, detail: 'bad' } : undefined);
    await worker.onRecords([post(0, 1), post(0, 7, OF_EVENTS), post(0, 8, OF_EVENTS)]);
    expect(world.letters).toEqual(['0:7 insert sink_rejected']);
    expect([...world.rows.keys()]).toEqual(['0:1', '0:8']);
  });

  it('stops at a topic without a table', async () => {
    const world = createWorld();
    const worker = startWorker(world);
    await worker.onAssigned(share(0));
    await expect(worker.onRecords([post(0, 1, { topic: 'other.v1' })])).rejects.toThrow('other.v1');
  });
});

describe('bad records', () => {
  it('dead-letters exactly the record that the store blames and inserts the rest', async () => {
    const world = createWorld();
    const worker = startWorker(world);
    await worker.onAssigned(share(0));
    world.refuse = (places) => (places.includes('0:3')
      ? { kind: 'rejected', line: places.indexOf('0:3'), detail: 'bad' } : undefined);
    expect(await worker.onRecords(posts(0, 1, 5))).toEqual([at(0, 6)]);
    expect(world.letters).toEqual(['0:3 insert sink_rejected']);
    expect([...world.rows.keys()]).toEqual(['0:1', '0:2', '0:4', '0:5']);
    expect(world.timeline).toEqual([
      'stored t1:0:1-5', 'refused t1:0:1-5#0-5', 'inserted t1:0:1-5#0-2', 'refused t1:0:1-5#2-3',
      'inserted t1:0:1-5#3-5', 'dead-lettered 0:3',
    ]);
  });

  it('finds the bad record by halves when the store blames none', async () => {
    const world = createWorld();
    const worker = startWorker(world);
    await worker.onAssigned(share(0));
    world.refuse = (places) => (places.includes('0:6')
      ? { kind: 'rejected', line: undefined, detail: 'bad' } : undefined);
    await worker.onRecords(posts(0, 1, 8));
    expect(world.letters).toEqual(['0:6 insert sink_rejected']);
    expect(world.rows.size).toBe(7);
  });

  it('does not believe a blame that a message was made to say', async () => {
    const world = createWorld();
    const worker = startWorker(world);
    await worker.onAssigned(share(0));
    world.refuse = (places) => (places.includes('0:4')
      ? { kind: 'rejected', line: 0, detail: 'bad' } : undefined);
    await worker.onRecords(posts(0, 1, 5));
    expect(world.letters).toEqual(['0:4 insert sink_rejected']);
    expect(world.rows.size).toBe(4);
  });

  it('dead-letters records without a frame and values that are no object', async () => {
    const world = createWorld();
    const worker = startWorker(world);
    await worker.onAssigned(share(0));
    const empty = ['{}', '{ \n}', '[1]', '', '7'].map((text, i) => (
      post(0, 2 + i, { value: Buffer.from(text) })
    ));
    expect(await worker.onRecords([unreadable(0, 1), ...empty, post(0, 7)])).toEqual([at(0, 8)]);
    expect(world.letters).toEqual([
      '0:1 consume undecodable',
      ...[2, 3, 4, 5, 6].map((offset) => `0:${offset} consume record_invalid`),
    ]);
    expect([...world.rows.keys()]).toEqual(['0:7']);
  });

  it('stops instead of dead-lettering everything', async () => {
    const world = createWorld();
    const worker = startWorker(world, { rejectedMin: 3, rejectedShareMax: 0.1 });
    await worker.onAssigned(share(0));
    world.refuse = () => ({ kind: 'rejected', line: 0, detail: 'bad' });
    await worker.onRecords(posts(0, 1, 3));
    await expect(worker.onRecords(posts(0, 4, 4))).rejects.toMatchObject({
      code: 'sink_rejected', retryable: false,
    });
    expect(world.letters).toHaveLength(3);
  });

  it('goes on with few bad records among many good ones', async () => {
    const world = createWorld();
    const worker = startWorker(world, { rejectedMin: 1, rejectedShareMax: 0.1 });
    await worker.onAssigned(share(0));
    world.refuse = (places) => (places.some((place) => place === '0:3' || place === '0:30')
      ? { kind: 'rejected', line: undefined, detail: 'bad' } : undefined);
    await worker.onRecords(posts(0, 1, 40));
    expect(world.letters).toHaveLength(2);
  });
});
