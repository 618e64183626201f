import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ProviderCommandIssued } from '../../../services/kernel/commands.ts';
import { REPLAYED_FROM } from '../../../services/kernel/record-id.ts';
import { aCommand, aResult, placedCommands } from '../../support/command-facts.ts';
import { aLogRecord } from '../../support/fake-log-reader.ts';
import { tinyProvider, type AnswerScript, type TinyProvider } from '../../support/tiny-provider.ts';
import { createSenderEnv, type SenderEnv } from './sender-env.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => { for (const close of closers.splice(0).toReversed()) await close(); });

async function envWith(script?: AnswerScript): Promise<{
  env: SenderEnv; provider: TinyProvider;
}> {
  const provider = await tinyProvider(script);
  closers.push(provider.close);
  const env = await createSenderEnv(provider.url);
  closers.push(() => env.close());
  return { env, provider };
}

const outcomes = (env: SenderEnv, command: ProviderCommandIssued) =>
  env.resultsOf(command).map(({ outcome }) => outcome);
const PARTITION = { topic: 'provider.commands.v1', topicId: 'id', partition: 0 };
const start = (transport: number) => aCommand('start_tracking', transport);

describe('the right to send', () => {
  it('two command senders never send at once, and the second rises above the first', async () => {
    const { env, provider } = await envWith();
    const first = await env.start();
    env.issue(start(1));
    await expect.poll(() => env.results.length).toBe(1);
    const second = await env.start();
    env.issue(start(2));
    await expect.poll(() => env.results.length).toBe(2);
    expect(provider.calls).toHaveLength(2);
    await first.stop();
    env.issue(start(3));
    await expect.poll(() => env.results.length, { timeout: 5_000 }).toBe(3);
    expect(env.results.map(({ fence }) => fence)).toEqual([1, 1, 2]);
    await second.stop();
  });

  it('sends nothing while another process has the right, and begins again from the log', async () => {
    const { env, provider } = await envWith();
    const { owner } = await env.start({ renewMs: 5 });
    env.issue(start(1));
    await expect.poll(() => env.results.length).toBe(1);
    const renewed = vi.spyOn(env.states.leases, 'renew');
    await env.states.leases.release('commands:0', owner);
    const until = Date.now() + 300;
    expect(await env.states.leases.claim('commands:0', 'thief', 300, 0)).toBe(2);
    await expect.poll(() => renewed.mock.settledResults).toContainEqual(
      { type: 'fulfilled', value: false },
    );
    env.issue(start(2));
    await expect.poll(() => env.results.length, { timeout: 5_000 }).toBe(2);
    expect(env.results[1]).toMatchObject({ fence: 3, attempt: 1 });
    expect(env.results[1]!.at_ms).toBeGreaterThanOrEqual(until);
    expect(provider.calls).toHaveLength(2);
  });

  it('waits while the state store is away, and sends after', async () => {
    const { env, provider } = await envWith();
    await env.start();
    env.issue(start(1));
    await expect.poll(() => env.results.length).toBe(1);
    const asked = vi.spyOn(env.states.commands, 'find');
    env.states.failWith('state_unavailable');
    env.issue(start(2));
    await expect.poll(() => asked.mock.settledResults.map(({ type }) => type))
      .toContain('rejected');
    expect(provider.calls).toHaveLength(1);
    env.states.failWith();
    await expect.poll(() => env.results.length, { timeout: 5_000 }).toBe(2);
  });

  it('rises above the fences of the log when the state store forgot them', async () => {
    const { env } = await envWith();
    const old = start(1);
    env.issue(old);
    env.results.push(aResult(old, { fence: 41, outcome: 'retry', attempt: 3 }));
    await env.start();
    await expect.poll(() => outcomes(env, old)).toEqual(['retry', 'done']);
    expect(env.results[1]).toMatchObject({ fence: 42, attempt: 4 });
  });

  it('takes a partition that went and came back while its log was being read', async () => {
    const { env, provider } = await envWith();
    const gate = Promise.withResolvers<void>();
    env.readGate = gate.promise;
    const { sender } = await env.start();
    const old = start(1);
    env.issue(old);
    await sender.onRevoked([PARTITION]);
    // Another process has the partition meanwhile, and sends the command.
    env.results.push(aResult(old, { fence: 2 }));
    await sender.onAssigned([PARTITION]);
    env.readGate = Promise.resolve();
    gate.resolve();
    const next = start(2);
    env.issue(next);
    await expect.poll(() => outcomes(env, next), { timeout: 5_000 }).toEqual(['done']);
    expect(provider.calls.map(({ body }) => body.transport?.id)).toEqual([2]);
  });

  it.each([
    ['and gave it back', 'release'], ['and still has it', 'hold'],
  ] as const)('sends nothing of a log that it read before another took the right %s', async (_, ends) => {
    const { env, provider } = await envWith();
    const gate = Promise.withResolvers<void>();
    env.readGate = gate.promise;
    const old = start(1);
    env.issue(old);
    const { owner } = await env.start();
    const { leases } = env.states;
    await expect.poll(() => leases.claim('commands:0', 'thief', 60_000, 0)).toBeUndefined();
    // The state store loses the right, as after a wipe; another takes it and sends the command.
    await leases.release('commands:0', owner);
    expect(await leases.claim('commands:0', 'thief', 60_000, 0)).toBe(2);
    env.results.push(aResult(old, { fence: 2 }));
    if (ends === 'release') await leases.release('commands:0', 'thief');
    env.readGate = Promise.resolve();
    const renewed = vi.spyOn(leases, 'renew');
    gate.resolve();
    await expect.poll(() => renewed.mock.settledResults).toContainEqual(
      { type: 'fulfilled', value: false },
    );
    await leases.release('commands:0', 'thief');
    const next = start(2);
    env.issue(next);
    await expect.poll(() => outcomes(env, next), { timeout: 5_000 }).toEqual(['done']);
    expect(env.resultsOf(next)).toMatchObject([{ fence: 3 }]);
    expect(provider.calls.map(({ body }) => body.transport?.id)).toEqual([2]);
  });

  it('gives a partition back only when nothing of it is in flight', async () => {
    const [first, second] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
    const { env, provider } = await envWith(({ body }) =>
      (body.transport?.id === 1 ? first.promise : second.promise));
    const { sender } = await env.start({ backoffMsMax: 1 });
    env.issue(start(1), start(2));
    await expect.poll(() => provider.calls.length).toBe(2);
    let isBack = false;
    const revoking = sender.onRevoked([PARTITION]).then(() => { isBack = true; });
    second.resolve(500);
    await expect.poll(() => env.results.length).toBe(1);
    // Longer than the wait after a 500: another try would have gone out by now.
    await new Promise((resolve) => { setTimeout(resolve, 250); });
    expect(isBack).toBe(false);
    expect(await env.states.leases.claim('commands:0', 'other', 1_000, 0)).toBeUndefined();
    first.resolve(200);
    await revoking;
    expect(provider.calls).toHaveLength(2);
    expect(await env.states.leases.claim('commands:0', 'other', 60_000, 0)).toBe(2);
  });

  it('begins again from the log after the right was lost, without what others ended', async () => {
    const first = Promise.withResolvers<number>();
    const { env, provider } = await envWith((_call, count) =>
      (count === 1 ? first.promise : 200));
    const { owner } = await env.start({ renewMs: 5 });
    const command = start(1);
    env.issue(command);
    await expect.poll(() => provider.calls.length).toBe(1);
    await env.states.leases.release('commands:0', owner);
    expect(await env.states.leases.claim('commands:0', 'thief', 60_000, 0)).toBe(2);
    // Its lease is noticed to be gone before the answer comes, and the other one sends it.
    await expect.poll(() => env.states.leases.renew('commands:0', owner, 1)).toBe(false);
    await new Promise((resolve) => { setTimeout(resolve, 30); });
    env.results.push(aResult(command, { fence: 2 }));
    first.resolve(500);
    await env.states.leases.release('commands:0', 'thief');
    const next = start(2);
    env.issue(next);
    await expect.poll(() => outcomes(env, next), { timeout: 5_000 }).toEqual(['done']);
    await new Promise((resolve) => { setTimeout(resolve, 250); });
    expect(provider.calls.filter(({ body }) => body.transport?.id === 1)).toHaveLength(1);
  });
});

describe('a command that a gateway appended twice', () => {
  it('[CMD-37] goes out once, also behind a later command', async () => {
    const { env, provider } = await envWith();
    await env.start();
    const [first, stop] = [start(1), aCommand('stop_tracking', 1)];
    env.issue(first, first, stop, first, start(2));
    await expect.poll(() => env.results.length).toBe(3);
    env.issue(first, start(3));
    await expect.poll(() => env.results.length).toBe(4);
    expect(outcomes(env, first)).toHaveLength(1);
    expect(provider.calls.filter(({ body }) => (
      body.command === 'start_tracking' && body.transport?.id === 1
    )).length).toBeLessThanOrEqual(1);
  });

  it('[CMD-37] goes out once when another sender takes over, whatever it had brought', async () => {
    const gate = Promise.withResolvers<number>();
    const { env, provider } = await envWith((_call, count) => (count === 1 ? gate.promise : 200));
    const sender = await env.start();
    const [first, waiting] = [start(1), aCommand('stop_tracking', 1)];
    env.issue(first);
    await expect.poll(() => provider.calls.length).toBe(1);
    env.issue(waiting, first, waiting);
    gate.resolve(200);
    await expect.poll(() => env.results.length).toBe(2);
    await sender.stop();
    await env.start();
    env.issue(start(2));
    await expect.poll(() => env.results.length, { timeout: 5_000 }).toBe(3);
    expect(provider.calls.map(({ body }) => `${body.command} ${String(body.transport?.id)}`))
      .toEqual(['start_tracking 1', 'stop_tracking 1', 'start_tracking 2']);
  });
});

describe('a command that an operator put back', () => {
  const replayed = (env: SenderEnv, command: ReturnType<typeof start>): void => {
    env.commands.push(aLogRecord('provider.commands.v1', env.commands.length, command, {
      key: command.command_key, headers: { [REPLAYED_FROM]: 'provider.commands.v1-id:0:0' },
    }));
  };

  it('[CMD-37] does not go out once more when it has ended', async () => {
    const { env, provider } = await envWith();
    const sender = await env.start();
    const first = start(1);
    env.issue(first);
    await expect.poll(() => env.results.length).toBe(1);
    await env.states.commands.applyResults(env.results);
    await sender.stop();
    await env.start();
    env.issue(start(2));
    await expect.poll(() => env.results.length, { timeout: 5_000 }).toBe(2);
    replayed(env, first);
    env.issue(start(1));
    await expect.poll(() => env.results.length, { timeout: 5_000 }).toBe(3);
    expect(provider.calls).toHaveLength(3);
    expect(outcomes(env, first)).toEqual(['done']);
  });

  it('[CMD-37] goes out when no sender could read it before', async () => {
    const { env } = await envWith();
    const first = start(1);
    env.commands.push(aLogRecord('provider.commands.v1', 0, 'not of this release'));
    await env.states.commands.applyCommands(placedCommands([first], 0, 'provider.commands.v1-id'));
    replayed(env, first);
    await env.start();
    await expect.poll(() => outcomes(env, first)).toEqual(['done']);
  });
});

describe('a command with a deadline', () => {
  const until = (transport: number, ms: number) =>
    aCommand('start_tracking', transport, { expires_at_ms: Date.now() + ms });

  it('[CMD-39] that is over is not sent, is expired, and makes way for the next', async () => {
    const { env, provider } = await envWith();
    await env.start();
    const [late, next] = [until(1, -1), aCommand('stop_tracking', 1)];
    env.issue(late);
    await expect.poll(() => outcomes(env, late)).toEqual(['expired']);
    env.issue(next, until(2, 60_000));
    await expect.poll(() => env.results.length).toBe(3);
    expect(env.resultsOf(late)).toMatchObject([{ attempt: 0, reason: 'expired' }]);
    expect(provider.calls.map(({ body }) => body.command)).toEqual(['stop_tracking', 'start_tracking']);
  });

  it('[CMD-39] is repeated until then and no longer', async () => {
    const { env, provider } = await envWith(() => 500);
    await env.start({ backoffFirstMs: 300, backoffMsMax: 60_000 });
    const command = until(1, 1_000);
    env.issue(command);
    await expect.poll(() => outcomes(env, command).at(-1), { timeout: 5_000 }).toBe('expired');
    const [end] = env.resultsOf(command).slice(-1);
    expect(end!.attempt).toBe(provider.calls.length);
    expect(end!.at_ms).toBeLessThan(command.expires_at_ms! + 1_000);
  });
});
