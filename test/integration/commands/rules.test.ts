import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../../services/adapters/secrets/secrets.ts';
import { createIds, systemClock, systemPause } from '../../../services/adapters/system/system.ts';
import { sendCommand } from '../../../services/gateways/platform/operations/send-command.ts';
import { showCommand } from '../../../services/gateways/platform/operations/show-command.ts';
import type { ProviderCommandResult } from '../../../services/kernel/commands.ts';
import { fakePlatformHistory } from '../../support/fake-platform-history.ts';
import {
  aCommand, aTelemetryRequest, aTransport, newTransportId,
} from '../../support/command-facts.ts';
import { EDGE_TOKEN, GOOD_FACTS, openEdge, type Edge } from '../../support/edge.ts';
import type { TinyAnswer } from '../../support/tiny-provider.ts';
import { openCommandsEnv, type CommandsEnv } from './commands-env.ts';

let env: CommandsEnv;
let edge: Edge;
beforeAll(async () => {
  env = await openCommandsEnv();
  await env.start();
  await env.startProjector();
  const { commands, commandKeys, parties } = env.states;
  const log = {
    append: (record: Parameters<typeof env.log.recordLog.append>[0], deadlineMs: number) =>
      env.log.recordLog.append({ ...record, topic: env.topics.commands.name }, deadlineMs),
  };
  edge = await openEdge({
    operations: [
      sendCommand({ raceWaitMsMax: 3_000, racePollMs: 10 }, {
        log, commands, commandKeys, parties, ids: createIds(systemClock), clock: systemClock,
        pause: systemPause, digest: sha256,
      }),
      showCommand({ commands, platformHistory: fakePlatformHistory() }),
    ],
  });
}, 60_000);
afterAll(async () => {
  await edge?.close();
  await env?.close();
});

/** Issues a command through the command API of the platform. */
async function issue(provider: string, body: object): Promise<string> {
  edge.admit({
    ...GOOD_FACTS, device: undefined,
    caller: {
      clientId: '100000000000042', userId: 'u', audience: 'rtt', scopes: ['rtt:commands'],
      providers: [provider],
    },
  });
  const answer = await edge.post(JSON.stringify(body), {
    path: `/platform/providers/${provider}/commands?country_id=BR`,
  });
  expect(answer.status).toBe(202);
  return (await answer.json() as { command_id: string }).command_id;
}

async function show(provider: string, id: string): Promise<Record<string, unknown>> {
  const path = `/platform/providers/${provider}/commands/${id}?country_id=BR`;
  const answer = await fetch(edge.url + path, {
    headers: { authorization: `Bearer ${EDGE_TOKEN}` },
  });
  expect(answer.status).toBe(200);
  return await answer.json() as Record<string, unknown>;
}

const startOf = (id = newTransportId()) =>
  ({ command: 'start_tracking', transport: aTransport(id) });
const big = 'x'.repeat(200_000);
const elsewhere = { status: 307, headers: { location: '/elsewhere' } };

describe('a command on the real log, state store and network', () => {
  it.each<[string, what: string, answers: TinyAnswer[], state: string, shown: object]>([
    ['[CMD-23]', '200', [200], 'done', { attempts: 1, last_status: 200 }],
    ['[CMD-23]', '200 of any size', [{ status: 200, body: big }], 'done', { attempts: 1 }],
    ['[CMD-24]', '400', [400], 'refused', { attempts: 1, last_status: 400 }],
    ['[CMD-35]', '404', [404], 'refused', { attempts: 1, last_status: 404 }],
    ['[CMD-25]', '403', [403], 'ended', { attempts: 1, last_status: 403 }],
    ['[CMD-30]', '401 twice', [401, 401], 'ended', { attempts: 1, last_status: 401 }],
    ['[CMD-30]', '401, then 200', [401, 200], 'done', { attempts: 1, last_status: 200 }],
    ['[CMD-26]', '500, then 200', [500, 500, 200], 'done', { attempts: 3 }],
    ['[CMD-26]', '500 of any size', [{ status: 500, body: big }, 200], 'done', { attempts: 2 }],
    ['[CMD-35]', '503, then 200', [503, 200], 'done', { attempts: 2 }],
    ['[CMD-27]', 'no answer in time', ['hang', 200], 'done', { attempts: 2 }],
    ['[CMD-27]', 'a cut line', ['cut', 200], 'done', { attempts: 2 }],
    ['[CMD-27]', 'a redirect', [elsewhere, 200], 'done', { attempts: 2 }],
    ['[CMD-31]', '429', [{ status: 429, headers: { 'retry-after': '0' } }, 200], 'done',
      { attempts: 2 }],
  ])('%s after %s ends as the rules say, and is shown so', async (_, what, answers, state, shown) => {
    const provider = `p${what.replaceAll(/\W+/g, '-')}`.toLowerCase();
    const server = await env.provider(provider, (_call, count) => answers[count - 1] ?? 200);
    const id = await issue(provider, startOf());
    await expect.poll(async () => (await show(provider, id))['state'], { timeout: 15_000 })
      .toBe(state);
    expect(await show(provider, id)).toMatchObject({ command_id: id, provider, ...shown });
    expect(server.calls).toHaveLength(answers.length);
    expect(server.calls.every(({ path, token }) => path === '/rtt/commands' && token === 't0'))
      .toBe(true);
  });

  it('[CMD-31] waits as long as it is set after 429, however soon the provider says', async () => {
    const seenAtMs: number[] = [];
    await env.provider('limited', (_call, count) => {
      seenAtMs.push(Date.now());
      return count === 1 ? { status: 429, headers: { 'retry-after': '0' } } : 200;
    });
    const id = await issue('limited', startOf());
    await expect.poll(async () => (await show('limited', id))['state']).toBe('done');
    expect(seenAtMs[1]! - seenAtMs[0]!).toBeGreaterThanOrEqual(400);
  });

  it('[CMD-32] goes out strictly in the order of its transport', async () => {
    const underWay = new Map<number, number>();
    let most = 0;
    const done: string[] = [];
    await env.provider('orderly', async ({ body }) => {
      const transport = body.transport?.id ?? 0;
      underWay.set(transport, (underWay.get(transport) ?? 0) + 1);
      most = Math.max(most, underWay.get(transport) ?? 0);
      await new Promise(setImmediate);
      underWay.set(transport, (underWay.get(transport) ?? 1) - 1);
      if (Math.random() < 0.4) return 500;
      done.push(`${transport} ${String(body.id)}`);
      return 200;
    });
    const transports = [newTransportId(), newTransportId(), newTransportId()];
    const requests = Array.from({ length: 24 }, (_, at) =>
      aTelemetryRequest(`r${String(at).padStart(3, '0')}`, transports[at % 3] ?? 0, { provider: 'orderly' }));
    await env.issue(...requests);
    await expect.poll(() => done.length, { timeout: 25_000 }).toBe(24);
    expect(most).toBe(1);
    for (const transport of transports) {
      const ofIt = (each: string) => each.startsWith(`${transport} `);
      const wanted = requests.map(({ command_key, body }) =>
        `${command_key} ${'id' in body ? body.id : ''}`);
      expect(done.filter(ofIt)).toEqual(wanted.filter(ofIt));
    }
  });

  it('[CMD-33] reaches its provider while another hangs on every call', async () => {
    let isReleased = false;
    const free = Promise.withResolvers<TinyAnswer>();
    const sick = await env.provider('sick', () => (isReleased ? 200 : free.promise));
    await env.provider('healthy');
    const hanging = Array.from({ length: 30 }, () =>
      aCommand('start_tracking', newTransportId(), { provider: 'sick' }));
    const swift = Array.from({ length: 20 }, () =>
      aCommand('start_tracking', newTransportId(), { provider: 'healthy' }));
    await env.issue(...hanging, ...swift);
    const ofSick = (all: readonly ProviderCommandResult[]) =>
      all.filter(({ provider }) => provider === 'sick');
    await expect.poll(async () => {
      const all = await env.results();
      expect(ofSick(all).every(({ outcome }) => outcome === 'retry')).toBe(true);
      return all.filter(({ provider }) => provider === 'healthy').length;
    }, { timeout: 15_000 }).toBe(20);
    expect(sick.calls.length).toBeGreaterThan(0);
    isReleased = true;
    free.resolve(200);
    await expect.poll(async () => new Set(ofSick(await env.results())
      .filter(({ outcome }) => outcome === 'done').map((each) => each.command_id)).size,
    { timeout: 25_000 }).toBe(30);
  });

  it('[CMD-34] is cancelled by a stop while it is queued, and never goes out', async () => {
    const ahead = Promise.withResolvers<TinyAnswer>();
    const server = await env.provider('queued', ({ body }) =>
      (body.id === 'YQ==' ? ahead.promise : 200));
    const transport = newTransportId();
    await issue('queued', {
      command: 'process_telemetry_events', id: 'YQ==', transport: aTransport(transport),
      travel: { init_date: '2025-11-24T13:00:00Z', end_date: '2025-11-24T14:00:00Z' },
    });
    await expect.poll(() => server.calls.length).toBe(1);
    const start = await issue('queued', startOf(transport));
    const stop = await issue('queued', { ...startOf(transport), command: 'stop_tracking' });
    await expect.poll(async () => (await show('queued', start))['state']).toBe('cancelled');
    expect(await show('queued', start)).toMatchObject({ cancelled_by: stop, attempts: 0 });
    ahead.resolve(200);
    await expect.poll(async () => (await show('queued', stop))['state'], { timeout: 10_000 })
      .toBe('done');
    expect(server.calls.map(({ body }) => body.command))
      .not.toContain('start_tracking');
    const ofStart = (await env.results()).filter(({ command_id }) => command_id === start);
    expect(ofStart.map(({ outcome }) => outcome)).toEqual(['cancelled']);
  });
});
