import { afterEach, describe, expect, it } from 'vitest';
import type { ProviderCommandIssued } from '../../../services/kernel/commands.ts';
import { aCommand, aResult } from '../../support/command-facts.ts';
import { createWorld, tinyProvider, type World } from './world.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => { for (const close of closers.splice(0).toReversed()) await close(); });

async function worldWith(): Promise<{
  world: World; provider: Awaited<ReturnType<typeof tinyProvider>>;
}> {
  const provider = await tinyProvider();
  closers.push(provider.close);
  const world = await createWorld(provider.url);
  closers.push(() => world.close());
  return { world, provider };
}

const outcomes = (world: World, command: ProviderCommandIssued) =>
  world.resultsOf(command).map(({ outcome }) => outcome);
const start = (transport: number) => aCommand('start_tracking', transport);

describe('the right to send', () => {
  it('two dispatchers never send at once, and the second rises above the first', async () => {
    const { world, provider } = await worldWith();
    const first = await world.start();
    world.issue(start(1));
    await expect.poll(() => world.results.length).toBe(1);
    const second = await world.start();
    world.issue(start(2));
    await expect.poll(() => world.results.length).toBe(2);
    expect(provider.calls).toHaveLength(2);
    await first.stop();
    world.issue(start(3));
    await expect.poll(() => world.results.length, { timeout: 5_000 }).toBe(3);
    expect(world.results.map(({ fence }) => fence)).toEqual([1, 1, 2]);
    await second.stop();
  });

  it('sends nothing while another process has the right, and begins again from the log', async () => {
    const { world, provider } = await worldWith();
    const { owner } = await world.start({ renewMs: 5 });
    world.issue(start(1));
    await expect.poll(() => world.results.length).toBe(1);
    await world.states.leases.release('dispatcher:0', owner);
    const until = Date.now() + 300;
    expect(await world.states.leases.claim('dispatcher:0', 'thief', 300, 0)).toBe(2);
    await expect.poll(async () => (await world.states.leases.renew('dispatcher:0', owner, 1)))
      .toBe(false);
    await new Promise((resolve) => { setTimeout(resolve, 50); });
    world.issue(start(2));
    await expect.poll(() => world.results.length, { timeout: 5_000 }).toBe(2);
    expect(world.results[1]).toMatchObject({ fence: 3, attempt: 1 });
    expect(world.results[1]!.at_ms).toBeGreaterThanOrEqual(until);
    expect(provider.calls).toHaveLength(2);
  });

  it('waits while the state store is away, and sends after', async () => {
    const { world, provider } = await worldWith();
    await world.start();
    world.issue(start(1));
    await expect.poll(() => world.results.length).toBe(1);
    world.states.failWith('state_unavailable');
    world.issue(start(2));
    await new Promise((resolve) => { setTimeout(resolve, 50); });
    expect(provider.calls).toHaveLength(1);
    world.states.failWith();
    await expect.poll(() => world.results.length, { timeout: 5_000 }).toBe(2);
  });

  it('rises above the fences of the log when the state store forgot them', async () => {
    const { world } = await worldWith();
    const old = start(1);
    world.issue(old);
    world.results.push(aResult(old, { fence: 41, outcome: 'retry', attempt: 3 }));
    await world.start();
    await expect.poll(() => outcomes(world, old)).toEqual(['retry', 'done']);
    expect(world.results[1]).toMatchObject({ fence: 42, attempt: 4 });
  });
});
