import { describe, expect, it } from 'vitest';
import { REPLAYED_FROM } from '../../../services/kernel/record-id.ts';
import { createOverflowEnv, firsts } from './env.ts';

const by = (env: ReturnType<typeof createOverflowEnv>, way: string) => env.applied
  .filter((each) => each.by === way).map(({ key, offset }) => `${key}${offset}`);

describe('A key that overflows', () => {
  it('goes to the overflow topic with key, headers and original record id, alone', async () => {
    const env = createOverflowEnv(['hot', 'a', 'hot', 'b']);
    env.decide('hot', 'in');
    await env.start();
    await env.take(4);
    expect(by(env, 'worker')).toEqual(['a1', 'b3']);
    expect(env.overflow).toMatchObject([0, 2].map((offset) => ({
      key: 'hot', headers: { client: 'c1', [REPLAYED_FROM]: `origin:0:${offset}` },
    })));
    expect([...env.entered]).toEqual([0, 2]);
    expect(env.committed.origin).toBe(4);
  });

  it('keeps the first place that a record had before, which was put back after repair', async () => {
    const env = createOverflowEnv(['hot']);
    env.decide('hot', 'in');
    await env.start();
    await env.take(1);
    expect(env.overflow[0]?.headers[REPLAYED_FROM]).toBe('origin:0:0');
  });

  it('is committed past when only its records came', async () => {
    const env = createOverflowEnv(['a', 'hot', 'hot']);
    env.decide('hot', 'in');
    await env.start();
    await env.take(1);
    await env.take(2);
    expect(env.committed.origin).toBe(3);
  });

  it('is not committed past what the worker behind holds back', async () => {
    const env = createOverflowEnv(['a', 'hot', 'b']);
    env.decide('hot', 'in');
    env.failing.holds = 1;
    await env.start();
    await env.take(2);
    expect(env.committed.origin).toBe(0);
    await env.take(1);
    expect(env.committed.origin).toBe(3);
  });

  it('waits with going aside until the worker behind holds none of its records back', async () => {
    const env = createOverflowEnv(['hot', 'hot', 'hot', 'hot']);
    env.failing.holds = 1;
    await env.start();
    await env.take(1);
    env.decide('hot', 'in');
    await env.take(1);
    expect(env.overflow).toEqual([]);
    await env.take(2);
    env.applyOverflow(9);
    expect(firsts(env.applied, 'hot')).toEqual([0, 1, 2, 3]);
    expect(env.overflow).toHaveLength(2);
  });

  it('is not put into the lane twice by the same worker when that behind must try again', async () => {
    const env = createOverflowEnv(['hot', 'a']);
    env.decide('hot', 'in');
    await env.start();
    env.failing.inner = 2;
    await env.take(2);
    expect(env.overflow).toHaveLength(1);
  });

  it('goes again from the first of its burst that the log did not take', async () => {
    const env = createOverflowEnv(['hot', 'hot', 'hot', 'hot'], { burstRecordsMax: 2 });
    env.decide('hot', 'in');
    await env.start();
    env.failing.appends = 3;
    await env.take(4);
    const offsets = env.overflow.map(({ headers }) => headers[REPLAYED_FROM]?.split(':')[2]);
    expect(offsets).toEqual(['0', '1', '2', '2', '3']);
  });
});

describe('A key that leaves the overflow topic', () => {
  it('waits until all of it is applied from there, then goes with the others again', async () => {
    const env = createOverflowEnv(['hot', 'hot', 'hot', 'a']);
    env.decide('hot', 'in');
    await env.start();
    await env.take(2);
    env.decide('hot', 'out');
    await env.take(2);
    expect(by(env, 'overflow')).toEqual(['hot0', 'hot1']);
    expect(by(env, 'worker')).toEqual(['hot2', 'a3']);
  });

  it('stays in the lane when that is too far behind, and asks again later only', async () => {
    const env = createOverflowEnv(Array<string>(60).fill('hot'), { leaveMsMax: 1_000 });
    env.decide('hot', 'in');
    await env.start();
    await env.take(50);
    env.decide('hot', 'out');
    await env.take(1);
    expect(env.overflow).toHaveLength(51);
    const overflowWas = env.committed.overflow;
    await env.take(1);
    expect(env.committed.overflow).toBe(overflowWas);
    env.applyOverflow(99);
    env.pass(env.config.leaveAgainMs);
    await env.take(8);
    expect(env.overflow).toHaveLength(52);
    expect(firsts(env.applied, 'hot')).toEqual(Array.from({ length: 60 }, (_, at) => at));
  });

  it('is diverted by the next owner too, which cannot know its progress', async () => {
    const env = createOverflowEnv(['hot', 'hot', 'hot']);
    env.decide('hot', 'in');
    await env.start();
    await env.take(2);
    env.decide('hot', 'out');
    await env.start();
    await env.take(1);
    expect(firsts(env.applied, 'hot')).toEqual([0, 1, 2]);
    expect(by(env, 'worker')).toEqual(['hot2']);
  });

  it('is decided for all its records of one call alike, so that none overtakes another', async () => {
    const env = createOverflowEnv(
      ['hot', 'hot', 'hot', 'hot'], { leaveMsMax: 100, leaveAgainMs: 0 },
    );
    env.decide('hot', 'in');
    await env.start();
    await env.take(2);
    env.decide('hot', 'out');
    // The overflow worker applies one record during the first decision; the second would end it.
    await env.take(2);
    env.applyOverflow(9);
    expect(firsts(env.applied, 'hot')).toEqual([0, 1, 2, 3]);
  });
});

describe('Without a key that overflows', () => {
  it('the worker behind gets every record as it came, and its commits stand', async () => {
    const env = createOverflowEnv(['a', 'b', 'a']);
    await env.start();
    await env.take(3);
    expect(by(env, 'worker')).toEqual(['a0', 'b1', 'a2']);
    expect(env).toMatchObject({ overflow: [], committed: { origin: 3 } });
    expect(env.entered.size).toBe(0);
  });
});
