import { describe, expect, it } from 'vitest';
import { REPLAYED_FROM } from '../../../services/kernel/record-id.ts';
import { createQuarantineWorld, firsts } from './world.ts';

const by = (world: ReturnType<typeof createQuarantineWorld>, way: string) => world.applied
  .filter((each) => each.by === way).map(({ key, offset }) => `${key}${offset}`);

describe('A key in quarantine', () => {
  it('goes by the lane with key, headers and first place, and its neighbours do not', async () => {
    const world = createQuarantineWorld(['hot', 'a', 'hot', 'b']);
    world.decide('hot', 'in');
    await world.start();
    await world.take(4);
    expect(by(world, 'worker')).toEqual(['a1', 'b3']);
    expect(world.lane).toMatchObject([0, 2].map((offset) => ({
      key: 'hot', headers: { client: 'c1', [REPLAYED_FROM]: `origin:0:${offset}` },
    })));
    expect([...world.entered]).toEqual([0, 2]);
    expect(world.committed.origin).toBe(4);
  });

  it('keeps the first place that a record had before, which was put back after repair', async () => {
    const world = createQuarantineWorld(['hot']);
    world.decide('hot', 'in');
    await world.start();
    await world.take(1);
    expect(world.lane[0]?.headers[REPLAYED_FROM]).toBe('origin:0:0');
  });

  it('is committed past when only its records came', async () => {
    const world = createQuarantineWorld(['a', 'hot', 'hot']);
    world.decide('hot', 'in');
    await world.start();
    await world.take(1);
    await world.take(2);
    expect(world.committed.origin).toBe(3);
  });

  it('is not committed past what the worker behind holds back', async () => {
    const world = createQuarantineWorld(['a', 'hot', 'b']);
    world.decide('hot', 'in');
    world.failing.holds = 1;
    await world.start();
    await world.take(2);
    expect(world.committed.origin).toBe(0);
    await world.take(1);
    expect(world.committed.origin).toBe(3);
  });

  it('waits with going aside until the worker behind holds none of its records back', async () => {
    const world = createQuarantineWorld(['hot', 'hot', 'hot', 'hot']);
    world.failing.holds = 1;
    await world.start();
    await world.take(1);
    world.decide('hot', 'in');
    await world.take(1);
    expect(world.lane).toEqual([]);
    await world.take(2);
    world.applyLane(9);
    expect(firsts(world.applied, 'hot')).toEqual([0, 1, 2, 3]);
    expect(world.lane).toHaveLength(2);
  });

  it('is not put into the lane twice by the same worker when that behind must try again', async () => {
    const world = createQuarantineWorld(['hot', 'a']);
    world.decide('hot', 'in');
    await world.start();
    world.failing.inner = 2;
    await world.take(2);
    expect(world.lane).toHaveLength(1);
  });

  it('goes again from the first of its burst that the log did not take', async () => {
    const world = createQuarantineWorld(['hot', 'hot', 'hot', 'hot'], { burstRecordsMax: 2 });
    world.decide('hot', 'in');
    await world.start();
    world.failing.appends = 3;
    await world.take(4);
    const offsets = world.lane.map(({ headers }) => headers[REPLAYED_FROM]?.split(':')[2]);
    expect(offsets).toEqual(['0', '1', '2', '2', '3']);
  });
});

describe('A key that leaves quarantine', () => {
  it('waits until the lane has applied all of it, then goes with the others again', async () => {
    const world = createQuarantineWorld(['hot', 'hot', 'hot', 'a']);
    world.decide('hot', 'in');
    await world.start();
    await world.take(2);
    world.decide('hot', 'out');
    await world.take(2);
    expect(by(world, 'lane')).toEqual(['hot0', 'hot1']);
    expect(by(world, 'worker')).toEqual(['hot2', 'a3']);
  });

  it('stays in the lane when that is too far behind, and asks again later only', async () => {
    const world = createQuarantineWorld(Array<string>(60).fill('hot'), { leaveMsMax: 1_000 });
    world.decide('hot', 'in');
    await world.start();
    await world.take(50);
    world.decide('hot', 'out');
    await world.take(1);
    expect(world.lane).toHaveLength(51);
    const laneWas = world.committed.lane;
    await world.take(1);
    expect(world.committed.lane).toBe(laneWas);
    world.applyLane(99);
    world.pass(world.config.leaveAgainMs);
    await world.take(8);
    expect(world.lane).toHaveLength(52);
    expect(firsts(world.applied, 'hot')).toEqual(Array.from({ length: 60 }, (_, at) => at));
  });

  it('is asked for by the next owner too, who cannot know how far it was', async () => {
    const world = createQuarantineWorld(['hot', 'hot', 'hot']);
    world.decide('hot', 'in');
    await world.start();
    await world.take(2);
    world.decide('hot', 'out');
    await world.start();
    await world.take(1);
    expect(firsts(world.applied, 'hot')).toEqual([0, 1, 2]);
    expect(by(world, 'worker')).toEqual(['hot2']);
  });

  it('is decided for all its records of one call alike, so that none overtakes another', async () => {
    const world = createQuarantineWorld(
      ['hot', 'hot', 'hot', 'hot'], { leaveMsMax: 100, leaveAgainMs: 0 },
    );
    world.decide('hot', 'in');
    await world.start();
    await world.take(2);
    world.decide('hot', 'out');
    // The lane applies one record while the first is judged, and would be done at the second.
    await world.take(2);
    world.applyLane(9);
    expect(firsts(world.applied, 'hot')).toEqual([0, 1, 2, 3]);
  });
});

describe('Without any quarantine', () => {
  it('the worker behind gets every record as it came, and its commits stand', async () => {
    const world = createQuarantineWorld(['a', 'b', 'a']);
    await world.start();
    await world.take(3);
    expect(by(world, 'worker')).toEqual(['a0', 'b1', 'a2']);
    expect(world).toMatchObject({ lane: [], committed: { origin: 3 } });
    expect(world.entered.size).toBe(0);
  });
});
