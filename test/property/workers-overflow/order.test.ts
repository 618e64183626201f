import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOverflowEnv, firsts } from '../../unit/workers-overflow/env.ts';

const KEYS = ['hot', 'warm', 'cold'];
/** Devices, some of which two providers send. */
const SENT = ['hot@p', 'hot@q', 'warm@p', 'cold@q'];

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('take' as const), count: fc.nat(4), commits: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('overflow' as const), count: fc.nat(4), commits: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({
    kind: fc.constant('decide' as const), key: fc.constantFrom(...KEYS),
    state: fc.constantFrom('in' as const, 'out' as const),
  }) },
  { weight: 2, arbitrary: fc.record({
    kind: fc.constant('provider' as const), provider: fc.constantFrom('p', 'q'),
    state: fc.constantFrom('in' as const, 'out' as const),
    spanMs: fc.option(fc.nat(40_000), { nil: undefined }),
  }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('crash' as const), holds: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refuse' as const), after: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fault' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.nat(40_000) }) },
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
type OverflowEnv = ReturnType<typeof createOverflowEnv>;

async function run(env: OverflowEnv, one: Step): Promise<void> {
  switch (one.kind) {
    case 'take': return env.take(one.count, one.commits);
    case 'overflow': return env.applyOverflow(one.count, one.commits);
    case 'decide': return env.decide(one.key, one.state);
    case 'provider': return env.decideProvider(one.provider, one.state, one.spanMs);
    case 'crash':
      env.failing.holds = one.holds;
      return env.start();
    case 'refuse':
      env.failing.appends = one.after;
      return;
    case 'fault':
      env.failing.inner = 1;
      return;
    case 'pass': return env.pass(one.ms);
  }
}

/** Ends what was begun: a worker that holds nothing back takes the rest, and so does the lane. */
async function finish(env: OverflowEnv): Promise<void> {
  env.failing.appends = Infinity;
  env.failing.inner = 0;
  env.failing.holds = 0;
  await env.start();
  for (let steps = 0; !env.isWhole() && steps < 200; steps += 1) {
    await env.take(5);
    env.applyOverflow(5);
  }
}

describe('[GEN-68] Whatever is decided, refused, repeated or killed', () => {
  it('each record is applied, and those of one key for the first time in their order', async () => {
    await fc.assert(fc.asyncProperty(
      fc.array(fc.constantFrom(...SENT), { minLength: 1, maxLength: 40 }),
      fc.array(step, { maxLength: 60 }),
      fc.record({
        burstRecordsMax: fc.constantFrom(1, 3, 1_000),
        leaveMsMax: fc.constantFrom(0, 100, 500),
        leaveAgainMs: fc.constantFrom(0, 30_000),
      }),
      async (keys, steps, limits) => {
        const env = createOverflowEnv(keys, limits);
        await env.start();
        for (const one of steps) await run(env, one);
        await finish(env);
        expect(env.isWhole()).toBe(true);
        for (const key of KEYS) {
          expect(firsts(env.applied, key))
            .toEqual(keys.flatMap((each, at) => (each.startsWith(`${key}@`) ? [at] : [])));
        }
      },
    ), { numRuns: 2_000 });
  });

  it('each record is applied once when nothing dies and nothing is refused', async () => {
    const calm = step.filter((one) => one.kind === 'decide' || one.kind === 'provider' || one.kind === 'pass'
      || ((one.kind === 'take' || one.kind === 'overflow') && one.commits));
    await fc.assert(fc.asyncProperty(
      fc.array(fc.constantFrom(...SENT), { minLength: 1, maxLength: 40 }),
      fc.array(calm, { maxLength: 60 }),
      async (keys, steps) => {
        const env = createOverflowEnv(keys, { leaveMsMax: 500 });
        await env.start();
        for (const one of steps) await run(env, one);
        for (let steps = 0; !env.isWhole() && steps < 200; steps += 1) {
          await env.take(5);
          env.applyOverflow(5);
        }
        expect(env.applied.map(({ offset }) => offset).toSorted((a, b) => a - b))
          .toEqual(keys.map((_, at) => at));
      },
    ), { numRuns: 1_000 });
  });
});
