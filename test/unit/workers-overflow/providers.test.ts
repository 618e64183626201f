import { describe, expect, it } from 'vitest';
import { createOverflowEnv, firsts } from './env.ts';

const by = (env: ReturnType<typeof createOverflowEnv>, way: string) => env.applied
  .filter((each) => each.by === way).map(({ key, offset }) => `${key}${offset}`);

describe('A provider that is moved', () => {
  it('[GEN-68] goes to the overflow topic with all its devices, and no other provider does', async () => {
    const env = createOverflowEnv(['a@p', 'b@q', 'c@p', 'd@q']);
    env.decideProvider('p', 'in');
    await env.start();
    await env.take(4);
    expect(env.overflow.map(({ key }) => key)).toEqual(['a', 'c']);
    expect(by(env, 'worker')).toEqual(['b1', 'd3']);
    expect(env.committed.origin).toBe(4);
  });

  it('[GEN-68] comes back when the decision ends, each device after its own records', async () => {
    const env = createOverflowEnv(['a@p', 'b@p', 'a@p', 'b@p']);
    env.decideProvider('p', 'in', 60_000);
    await env.start();
    await env.take(2);
    env.pass(60_000);
    await env.take(2);
    expect(by(env, 'overflow')).toEqual(['a0', 'b1']);
    expect(by(env, 'worker')).toEqual(['a2', 'b3']);
  });

  it('[GEN-68] takes what another provider sends of the same device along, in its order', async () => {
    const env = createOverflowEnv(['a@p', 'a@q', 'a@p', 'b@q'], { leaveMsMax: 0 });
    env.decideProvider('p', 'in');
    await env.start();
    await env.take(1);
    await env.take(3);
    expect(by(env, 'worker')).toEqual(['b3']);
    env.applyOverflow(9);
    expect(firsts(env.applied, 'a')).toEqual([0, 1, 2]);
  });

  it('[GEN-68] is diverted by the next owner as long as records of it wait, and not longer', async () => {
    const env = createOverflowEnv(['a@p', 'b@p', 'a@p', 'b@p'], { leaveMsMax: 0 });
    env.decideProvider('p', 'in');
    await env.start();
    await env.take(2);
    env.applyOverflow(1);
    env.decideProvider('p', 'out');
    await env.start();
    await env.take(2);
    expect(by(env, 'worker')).toEqual(['a2']);
    expect(env.overflow.map(({ key }) => key)).toEqual(['a', 'b', 'b']);
  });
});

describe('A key that leaves beside one that goes to the overflow topic in the same call', () => {
  it('does not make the other one leave with it', async () => {
    const env = createOverflowEnv(['warm', 'hot', 'warm', 'hot'], { leaveMsMax: 100 });
    env.decide('warm', 'in');
    await env.start();
    await env.take(1);
    env.decide('warm', 'out');
    env.decide('hot', 'in');
    await env.take(2);
    expect(by(env, 'worker')).toEqual(['warm2']);
    env.decide('hot', 'out');
    await env.take(1);
    env.applyOverflow(9);
    expect(firsts(env.applied, 'hot')).toEqual([1, 3]);
  });
});
