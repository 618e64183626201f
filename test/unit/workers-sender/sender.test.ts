import { afterEach, describe, expect, it } from 'vitest';
import type { ProviderCommandIssued } from '../../../services/kernel/commands.ts';
import { aCommand, aParty, aTelemetryRequest } from '../../support/command-facts.ts';
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

const routes = {
  command: 'check_planned_routes',
  planned_routes: [{
    route_id: 5, rostering_id: 7, country_id: 'BR', carrier: { id: 17, name: 'Acme Cargo' },
    estimated_start_date: '2025-11-24T13:00:00-03:00',
    estimated_end_date: '2025-11-24T15:00:00-03:00',
    estimated_start_monitoring_date: '2025-11-24T12:00:00-03:00',
    estimated_end_monitoring_date: '2025-11-24T16:00:00-03:00',
    vehicles: [], stops: [],
  }],
} as const satisfies ProviderCommandIssued['body'];
const outcomes = (env: SenderEnv, command: ProviderCommandIssued) =>
  env.resultsOf(command).map(({ outcome }) => outcome);
const start = (transport = 42) => aCommand('start_tracking', transport);
const stop = (transport = 42) => aCommand('stop_tracking', transport);

describe('the command sender', () => {
  it('[CMD-22] sends each of the five commands to {provider_url}/rtt/commands with a bearer token',
    async () => {
      const { env, provider } = await envWith();
      await env.start();
      const issued = [
        start(1), stop(2), aTelemetryRequest('aWQ=', 3),
        aCommand('start_tracking', 4, { command_key: 'route:5', body: routes }),
        aCommand('start_tracking', 5, {
          command_key: 'route:6',
          body: { ...routes, command: 'cancel_planned_routes' },
        }),
      ];
      env.issue(...issued);
      await expect.poll(() => env.results.length).toBe(5);
      expect(provider.calls.every(({ path, token }) => path === '/rtt/commands' && token === 't0'))
        .toBe(true);
      const bodies = provider.calls.map(({ body }) => body).sort(byCommand);
      expect(bodies).toEqual(issued.map(({ body }) => body).sort(byCommand));
    });

  it('[GEN-49] ends a command at which a defect ended three processes, and sends the others',
    async () => {
      const { env, provider } = await envWith();
      const [bad, good] = [start(1), start(2)];
      env.defects.set(bad.command_id, 3);
      await env.start();
      env.issue(bad, good);
      await expect.poll(() => env.results.length).toBe(2);
      expect(env.resultsOf(bad)).toMatchObject([{ outcome: 'ended', reason: 'defect', attempt: 0 }]);
      expect(outcomes(env, good)).toEqual(['done']);
      expect(provider.calls).toHaveLength(1);
    });

  it('[CMD-23] does not send again after 200', async () => {
    const { env, provider } = await envWith();
    await env.start();
    const command = start();
    env.issue(command);
    await expect.poll(() => outcomes(env, command)).toEqual(['done']);
    const second = await env.start();
    env.issue(start(43));
    await expect.poll(() => env.results.length).toBe(2);
    await second.stop();
    expect(provider.calls).toHaveLength(2);
    expect(env.results[0]).toMatchObject({ status: 200, attempt: 1, reason: 'answered' });
  });

  it.each([
    ['[CMD-24]', 400, 'refused'], ['[CMD-35]', 404, 'refused'], ['[CMD-25]', 403, 'ended'],
  ] as const)('%s sends a command that got %i once, and goes on with its lane',
    async (_row, status, outcome) => {
      const { env, provider } = await envWith(({ body }) =>
        (body.command === 'start_tracking' ? status : 200));
      await env.start();
      const [first, second] = [start(), stop(43)];
      env.issue(first, second, { ...stop(), command_key: '42' });
      await expect.poll(() => env.results.length).toBe(3);
      expect(outcomes(env, first)).toContain(
        outcomes(env, first).includes('cancelled') ? 'cancelled' : outcome);
      const alone = start(77);
      env.issue(alone);
      await expect.poll(() => outcomes(env, alone)).toEqual([outcome]);
      expect(provider.calls.filter(({ body }) => body.transport?.id === 77)).toHaveLength(1);
    });

  it('[CMD-26] [CMD-28] sends again after 500 until the provider is satisfied', async () => {
    const { env, provider } = await envWith((_call, count) => (count < 6 ? 500 : 200));
    await env.start();
    const command = start();
    env.issue(command);
    await expect.poll(() => outcomes(env, command), { timeout: 5_000 })
      .toEqual(['retry', 'retry', 'retry', 'retry', 'retry', 'done']);
    const waits = env.results.slice(0, 5)
      .map(({ next_attempt_at_ms = 0, at_ms }) => next_attempt_at_ms - at_ms);
    expect(waits.map((wait) => Math.round(wait / 5) * 5)).toEqual([100, 100, 100, 100, 100]);
    expect(provider.calls).toHaveLength(6);
  });

  it.each([
    ['a timeout', () => 'hang' as const, 'timeout'],
    ['a cut line', () => 'cut' as const, 'network'],
    ['a redirect', () => ({ status: 307, headers: { location: '/other' } }), 'redirect'],
  ])('[CMD-27] treats %s like 500', async (_what, answer, reason) => {
    const { env, provider } = await envWith((_call, count) => (count === 1 ? answer() : 200));
    await env.start({ requestMsMax: 200 });
    const command = start();
    env.issue(command);
    await expect.poll(() => outcomes(env, command), { timeout: 5_000 })
      .toEqual(['retry', 'done']);
    expect(env.results[0]).toMatchObject({ reason });
    expect(provider.calls.every(({ path }) => path === '/rtt/commands')).toBe(true);
  });

  it('takes 200 with an answer of any size for done', async () => {
    const { env } = await envWith(() => ({ status: 200, body: 'x'.repeat(200_000) }));
    await env.start();
    const command = start();
    env.issue(command);
    await expect.poll(() => outcomes(env, command)).toEqual(['done']);
  });

  it('[CMD-29] goes on after a restart where it was, and knows the attempts', async () => {
    let status = 500;
    const { env } = await envWith(() => status);
    const first = await env.start();
    const command = start();
    env.issue(command);
    await expect.poll(() => env.results.length).toBeGreaterThan(1);
    await first.stop();
    const attempts = env.results.length;
    status = 200;
    await env.start();
    await expect.poll(() => outcomes(env, command).at(-1), { timeout: 5_000 }).toBe('done');
    expect(env.results.at(-1)).toMatchObject({ attempt: attempts + 1, fence: 2 });
  });

  it('[CMD-31] waits after 429 as long as it is set, and sends again', async () => {
    const { env } = await envWith((_call, count) => (count === 1 ? 429 : 200));
    await env.start({ throttledMs: 70 });
    const command = start();
    env.issue(command);
    await expect.poll(() => outcomes(env, command)).toEqual(['retry', 'done']);
    const [first, second] = env.results;
    expect(first).toMatchObject({ reason: 'throttled', status: 429 });
    expect(second!.at_ms - first!.at_ms).toBeGreaterThanOrEqual(70);
  });

  it('[CMD-32] delivers the commands of a transport strictly in order', async () => {
    const { env, provider } = await envWith((call, count) =>
      (call.body.id === 'bbbb' && count < 5 ? 500 : 200));
    await env.start();
    const requests = ['aaaa', 'bbbb', 'cccc', 'dddd'].map((id) => aTelemetryRequest(id, 42));
    env.issue(...requests);
    await expect.poll(() => outcomes(env, requests[3]!), { timeout: 5_000 }).toEqual(['done']);
    expect(provider.calls.map(({ body }) => body.id)).toEqual(['aaaa', 'bbbb', 'bbbb', 'bbbb', 'bbbb', 'cccc', 'dddd']);
  });

  it('[CMD-33] lets a provider that hangs delay no other', async () => {
    const sick = await tinyProvider(() => 'hang');
    closers.push(sick.close);
    const { env } = await envWith();
    await env.states.parties.apply(aParty({ provider: 'sick', base_url: sick.url }));
    await env.start({ requestMsMax: 1_500 });
    env.issue(...Array.from({ length: 50 }, (_, at) =>
      aCommand('start_tracking', at + 1, { provider: 'sick' })));
    const healthy = Array.from({ length: 20 }, (_, at) => start(100 + at));
    env.issue(...healthy);
    await expect.poll(() => env.results.length, { timeout: 1_200 }).toBe(20);
    expect(sick.calls.length).toBeLessThanOrEqual(8);
  });

  it('[CMD-34] a stop cancels a start that is still queued, and goes out after that is known',
    async () => {
      const { env, provider } = await envWith((call) =>
        (call.body.id === 'aaaa' ? 500 : 200));
      await env.start();
      const [ahead, first, second] = [aTelemetryRequest('aaaa', 42), start(), stop()];
      env.issue(ahead, first);
      await expect.poll(() => env.results.length).toBeGreaterThan(0);
      env.issue(second);
      await expect.poll(() => env.resultsOf(first)).toMatchObject([
        { outcome: 'cancelled', reason: 'stopped', cancelled_by: second.command_id },
      ]);
      expect(provider.calls.some(({ body }) => body.command === 'start_tracking')).toBe(false);
    });

  it('[CMD-34] a stop ends a start that would be sent again', async () => {
    const { env, provider } = await envWith(({ body }) =>
      (body.command === 'start_tracking' ? 503 : 200));
    await env.start();
    const [first, second] = [start(), stop()];
    env.issue(first);
    await expect.poll(() => provider.calls.length).toBe(1);
    env.issue(second);
    await expect.poll(() => outcomes(env, second)).toEqual(['done']);
    expect(outcomes(env, first).at(-1)).toBe('cancelled');
    const calls = provider.calls.map(({ body }) => body.command);
    expect(calls.indexOf('stop_tracking')).toBe(calls.length - 1);
  });

  it('sends the stop only once the log knows of the cancellation', async () => {
    const { env, provider } = await envWith((call) => (call.body.id === 'aaaa' ? 400 : 200));
    env.issue(aTelemetryRequest('aaaa', 42), start());
    await env.start();
    await expect.poll(() => env.results.map(({ outcome }) => outcome)).toEqual(['refused', 'done']);
    const [again, halt] = [start(), stop()];
    env.isLogDown = true;
    env.issue(again, halt);
    await expect.poll(() => provider.calls.length).toBeGreaterThanOrEqual(2);
    const before = provider.calls.length;
    await new Promise((resolve) => { setTimeout(resolve, 60); });
    expect(provider.calls.length).toBe(before);
    env.isLogDown = false;
    await expect.poll(() => outcomes(env, halt)).toEqual(['done']);
  });

  it('sends a result into the log before anything follows from it', async () => {
    const { env, provider } = await envWith();
    const [first, second] = [aTelemetryRequest('aaaa', 42), aTelemetryRequest('bbbb', 42)];
    await env.start();
    env.isLogDown = true;
    env.issue(first, second);
    await expect.poll(() => provider.calls.length).toBe(1);
    await new Promise((resolve) => { setTimeout(resolve, 60); });
    expect(provider.calls).toHaveLength(1);
    env.isLogDown = false;
    await expect.poll(() => outcomes(env, second)).toEqual(['done']);
    expect(outcomes(env, first)).toEqual(['done']);
  });

  it('keeps commands for a provider without a party until there is one', async () => {
    const { env, provider } = await envWith();
    await env.start();
    const command = aCommand('start_tracking', 42, { provider: 'later' });
    env.issue(command);
    await new Promise((resolve) => { setTimeout(resolve, 40); });
    expect(env.results).toEqual([]);
    await env.states.parties.apply(aParty({ provider: 'later', base_url: provider.url }));
    await expect.poll(() => outcomes(env, command)).toEqual(['done']);
  });

  it('shows a start as monitored, and a request as asked, before the provider can know',
    async () => {
      const seen: unknown[] = [];
      const { env } = await envWith((call) => {
        void env.states.monitoring.find('acme', 42).then((found) => seen.push(found?.command));
        void env.states.telemetryRequests.find('acme', 'aWQ=')
          .then((found) => { if (call.body.id !== undefined) seen.push(found?.transport_id); });
        return 200;
      });
      await env.start();
      env.issue(start(), aTelemetryRequest('aWQ=', 42));
      await expect.poll(() => env.results.length).toBe(2);
      expect(seen).toContain('start_tracking');
      expect(seen).toContain(42);
    });

  it('reads from the log what did not fit into memory', async () => {
    const { env, provider } = await envWith();
    const requests = Array.from({ length: 40 }, (_, at) => aTelemetryRequest(`r${String(at).padStart(3, '0')}`, 42));
    env.issue(...requests);
    await env.start({ pendingMaxPerProvider: 5 });
    await expect.poll(() => env.results.length, { timeout: 10_000 }).toBe(40);
    expect(provider.calls.map(({ body }) => body.id)).toEqual(requests.map((each) =>
      (each.body as { id: string }).id));
  });

  it('records the first retries of a provider that is away, and then a twelfth of them', async () => {
    const { env } = await envWith((_call, count) => (count < 30 ? 500 : 200));
    await env.start({ recordedAttempts: 12, backoffMsMax: 1 });
    const command = start();
    env.issue(command);
    await expect.poll(() => outcomes(env, command).at(-1), { timeout: 10_000 }).toBe('done');
    expect(env.results.map(({ attempt }) => attempt))
      .toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 24, 30]);
  });
});

function byCommand(a: { command: string }, b: { command: string }): number {
  return a.command < b.command ? -1 : 1;
}
