import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { AddressExamination } from '../../../services/kernel/examinations.ts';
import { openExaminerEnv, type ExaminerEnv, type ExaminerWishes } from '../../support/examiner-env.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => { for (const close of closers.splice(0).toReversed()) await close(); });

async function serve(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  closers.push(() => server.close(), () => { server.closeAllConnections(); });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function open(wishes: ExaminerWishes = {}): ExaminerEnv {
  const env = openExaminerEnv(wishes);
  closers.push(() => env.stop());
  return env;
}

/** The end of the examination of a party at this address. */
async function endOf(env: ExaminerEnv, base_url: string, kind: 'provider' | 'carrier' = 'provider') {
  const { party_id } = await env.party({
    base_url, kind, authentication: { kind: 'static', sealed_token: env.vault.seal('t0') },
  });
  await env.ask(party_id);
  await env.poll();
  expect(env.crashes).toEqual([]);
  const ended = await env.newest(party_id);
  expect(ended.endedAtMs).toBeDefined();
  return ended;
}

const failed = ({ checks }: AddressExamination): number => (
  checks.filter(({ outcome }) => outcome === 'failed').length);

describe('an address', () => {
  it('that never answers ends the run at its first call, with one sentence', async () => {
    let calls = 0;
    const url = await serve(() => { calls += 1; });
    const ended = await endOf(open({ outbound: { timeoutMs: 200 } }), url);
    expect(ended.stopped).toBe(`${url} gave no answer (timeout)`);
    expect(ended.checks.every(({ outcome }) => outcome === 'skipped')).toBe(true);
    expect(calls).toBe(1);
  });

  it('that answers once and then never is over with the time of the run, within a call', async () => {
    let calls = 0;
    const url = await serve((_request, response) => {
      calls += 1;
      if (calls === 1) response.end('{}');
    });
    // The call in progress alone would take ten times as long.
    const ended = await endOf(open({ runMsMax: 1_000, outbound: { timeoutMs: 10_000 } }), url);
    expect(ended.stopped).toBe('the time of an examination was over');
    expect((ended.endedAtMs ?? 0) - (ended.startedAtMs ?? 0)).toBeLessThan(9_000);
  });

  it('that wants to be waited for is not, beyond the time of the run', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(429, { 'retry-after': '86400' }).end();
    });
    const ended = await endOf(open(), url);
    expect(ended.stopped).toMatch(/answered 429: 86400 s to wait, beyond the deadline of 120 s/);
  });

  it('that sends without end is cut, and the answers of a run together are bounded', async () => {
    const url = await serve((_request, response) => {
      const drip = setInterval(() => response.write('x'.repeat(65_536)), 1);
      response.on('close', () => { clearInterval(drip); });
    });
    const ended = await endOf(open(), url);
    expect(failed(ended)).toBeGreaterThan(0);
    expect(JSON.stringify(ended).length).toBeLessThan(20_000);

    let sent = 0;
    const large = await serve((_request, response) => {
      sent += 65_000;
      response.end(JSON.stringify({ a: 'x'.repeat(65_000) }));
    });
    const bounded = await endOf(open(), large, 'carrier');
    expect(bounded.stopped).toBe('the answers together are over 4194304 bytes');
    expect(sent).toBeLessThan(5_000_000);
  });

  it('that resets lines after the first answer fails its checks, and ends nothing else', async () => {
    let calls = 0;
    const url = await serve((request, response) => {
      calls += 1;
      if (calls === 1) response.end('{}');
      else request.socket.destroy();
    });
    const ended = await endOf(open(), url);
    expect(ended.stopped).toBeUndefined();
    // Every must; of a should it is advice.
    expect(failed(ended)).toBe(8);
    expect(JSON.stringify(ended)).toContain(`got no answer from ${url} (network)`);
  });

  it('that redirects is not followed, wherever it leads', async () => {
    let reached = 0;
    const inside = await serve((_request, response) => {
      reached += 1;
      response.end('{"status":200,"message":"success"}');
    });
    const url = await serve((request, response) => {
      response.writeHead(307, { location: inside + (request.url ?? '') }).end();
    });
    const ended = await endOf(open(), url);
    expect(reached).toBe(0);
    expect(JSON.stringify(ended)).toContain('answered 307, not 200');
  });

  it.each([
    ['levels without end', '['.repeat(30_000) + ']'.repeat(30_000)],
    ['no text', '\u0000\uFFFD'.repeat(10_000)], ['names of the prototype', '{"__proto__":{"status":200}}'],
  ])('that answers with %s fails its checks, and the process goes on', async (_what, body) => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
    for (const kind of ['provider', 'carrier'] as const) {
      expect(failed(await endOf(open(), url, kind))).toBeGreaterThan(5);
    }
  });

  it('that hangs takes no other party its examination', async () => {
    const url = await serve(() => undefined);
    const right = await serve((_request, response) => { response.end('{}'); });
    const env = open({ outbound: { timeoutMs: 60_000 } });
    const sealed_token = env.vault.seal('t0');
    const [slow, other] = [
      await env.party({ base_url: url, authentication: { kind: 'static', sealed_token } }),
      await env.party({ base_url: right, authentication: { kind: 'static', sealed_token } }),
    ];
    await env.ask(slow.party_id);
    await env.ask(other.party_id);
    env.start();
    await expect.poll(async () => (await env.newest(other.party_id)).endedAtMs, { timeout: 20_000 })
      .toBeDefined();
    expect((await env.newest(slow.party_id)).endedAtMs).toBeUndefined();
  });
});
