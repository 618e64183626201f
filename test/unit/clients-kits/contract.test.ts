import { describe, expect, it } from 'vitest';
import { CallRefused, SenderClosed, TokenRefused } from
  '../../../services/clients/typescript/src/index.ts';
import { accepted, fix, problem, scene, timestampsOf, tokenAnswer } from './fake-gateway.ts';

const SECONDS = 1_000;

describe('a gateway behind a proxy', () => {
  it.each(['http://proxy.test/rastro', 'http://proxy.test/rastro/'])(
    'is called below the path of %s, for tokens too', async (url) => {
      const { open, calls } = scene();
      const asked: string[] = [];
      const client = await open({
        url, ports: {
          fetch: async (input) => {
            const { pathname } = new URL((input as Request).url);
            asked.push(pathname);
            return pathname.endsWith('/oauth/token') ? tokenAnswer(1) : accepted();
          },
        },
      });
      await client.sendLocations('d1', [fix(1)]);
      await client.flush();
      await client.close();
      expect(calls).toEqual([]);
      expect(asked).toEqual([
        '/rastro/oauth/token', '/rastro/shipping/rtt/georeceiver/acme/locations',
      ]);
    },
  );
});

describe('a batch that is not accepted', () => {
  it('is sent again after 500, with the same bytes, until it is accepted', async () => {
    const { open, calls, refused } = scene((_call, nth) => nth <= 40 ? problem(500, 'internal') : accepted());
    const client = await open();
    await client.sendLocations('d1', [fix(1), fix(2)]);
    await client.flush();
    expect(calls).toHaveLength(41);
    expect(new Set(calls.map(({ text }) => text)).size).toBe(1);
    expect(refused).toEqual([]);
    await client.close();
  });

  it('waits longer after each 500, up to a minute', async () => {
    const { open, calls } = scene((_call, nth) => nth <= 12 ? problem(500, 'internal') : accepted());
    const client = await open();
    await client.sendLocations('d1', [fix(1)]);
    await client.flush();
    const gaps = calls.slice(1).map(({ atMs }, index) => atMs - (calls[index]?.atMs ?? 0));
    expect(gaps[0]).toBe(250);
    expect(gaps[1]).toBe(500);
    expect(Math.max(...gaps)).toBe(30 * SECONDS);
    await client.close();
  });

  it('is sent again when the line breaks', async () => {
    const { open, calls } = scene((_call, nth) => {
      if (nth < 4) throw new TypeError('fetch failed');
      return accepted();
    });
    const client = await open();
    await client.sendLocations('d1', [fix(1)]);
    await client.flush();
    expect(calls).toHaveLength(4);
    await client.close();
  });

  it.each([200, 302, 503, 504, 408])('is sent again after %i, which is no answer of the operation', async (status) => {
    const { open, calls, refused } = scene((_call, nth) => (
      nth === 1 ? new Response('hello', { status }) : accepted()
    ));
    const client = await open();
    await client.sendLocations('d1', [fix(1)]);
    await client.flush();
    expect(calls).toHaveLength(2);
    expect(refused).toEqual([]);
    await client.close();
  });

  it.each([400, 403, 404, 413])('is given to onRefused after %i, and never sent again', async (status) => {
    const { open, calls, refused } = scene((_call, nth) => nth === 1 ? problem(status, 'no_good') : accepted());
    const client = await open();
    await client.sendLocations('d1', [fix(1), fix(2)]);
    await client.sendLocations('d1', [fix(3)]);
    await client.flush();
    expect(calls).toHaveLength(2);
    expect(refused).toMatchObject([{
      call: 'locations', key: 'd1', status, items: [fix(1), fix(2)],
      problem: { code: 'no_good', detail: 'because of no_good' }, body: calls[0]?.text,
    }]);
    expect(timestampsOf(calls, 'd1')).toEqual([1, 2, 3]);
    await client.close();
  });

  it('has the text of a proxy as its problem', async () => {
    const { open, refused } = scene(() => new Response('<h1>no</h1>', { status: 413 }));
    const client = await open();
    await client.sendLocations('d1', [fix(1)]);
    await client.flush();
    expect(refused[0]?.problem).toEqual({ status: 413, code: 'http_413', detail: '<h1>no</h1>', errors: [] });
    await client.close();
  });

  it('ends the sender when onRefused fails, and is not forgotten', async () => {
    const { open } = scene(() => problem(400, 'no_good'));
    const client = await open({ onRefused: () => { throw new Error('disk full'); } });
    await client.sendLocations('d1', [fix(1)]);
    await expect(client.flush()).rejects.toThrow('disk full');
    await expect(client.sendLocations('d1', [fix(2)])).rejects.toThrow(SenderClosed);
    await expect(client.close()).rejects.toThrow(SenderClosed);
  });
});

describe('a limit', () => {
  it.each([
    ['300', 300 * SECONDS], ['7200', 7_200 * SECONDS],
    [new Date(Date.UTC(2026, 0, 1, 0, 10)).toUTCString(), 599 * SECONDS],
  ])('holds every device back for the whole Retry-After: %s', async (header, leastMs) => {
    const { open, calls } = scene((_call, nth) => nth === 1
      ? problem(429, 'rate_limited', { 'retry-after': header, 'ratelimit': '"client";r=0;t=300' }) : accepted());
    const client = await open({ callsMax: 1 });
    await Promise.all(['d1', 'd2', 'd3'].map((device) => client.sendLocations(device, [fix(1)])));
    await client.flush();
    expect(calls).toHaveLength(4);
    const [first = 0, ...others] = calls.map(({ atMs }) => atMs);
    expect(Math.min(...others) - first).toBeGreaterThanOrEqual(leastMs);
    expect(Math.min(...others) - first).toBeLessThan(leastMs + 2 * SECONDS);
    await client.close();
  });

  it('without Retry-After is waited for five minutes', async () => {
    const { open, calls } = scene((_call, nth) => nth === 1 ? problem(429, 'rate_limited') : accepted());
    const client = await open();
    await client.sendLocations('d1', [fix(1)]);
    await client.flush();
    expect((calls[1]?.atMs ?? 0) - (calls[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(300 * SECONDS);
    await client.close();
  });

  it('of one device holds back no other', async () => {
    const { open, calls } = scene(({ body }, nth) => body.device_id === 'd1' && nth < 3
      ? problem(429, 'rate_limited', { 'retry-after': '300', 'ratelimit': '"device";r=0;t=300' }) : accepted());
    const client = await open({ callsMax: 1 });
    await client.sendLocations('d1', [fix(1)]);
    await client.sendLocations('d2', [fix(1)]);
    await client.flush();
    expect(calls.map(({ body }) => body.device_id)).toEqual(['d1', 'd2', 'd1']);
    expect(calls[1]?.atMs).toBeLessThan(SECONDS);
    expect(calls[2]?.atMs).toBeGreaterThanOrEqual(300 * SECONDS);
    await client.close();
  });

  it('of 500 with Retry-After is honoured in full too', async () => {
    const { open, calls } = scene((_call, nth) => nth === 1
      ? problem(500, 'internal', { 'retry-after': '900' }) : accepted());
    const client = await open();
    await client.sendLocations('d1', [fix(1)]);
    await client.flush();
    expect((calls[1]?.atMs ?? 0) - (calls[0]?.atMs ?? 0)).toBe(900 * SECONDS);
    await client.close();
  });
});

describe('the token', () => {
  const badToken = (): Response => problem(403, 'invalid_token', { 'www-authenticate': 'Bearer error="invalid_token"' });

  it('is asked for once by all that wait for it, as Basic and with the audience', async () => {
    const { open, tokens, calls } = scene();
    const client = await open();
    await Promise.all(Array.from({ length: 20 }, (_, nth) => client.sendLocations(`d${nth}`, [fix(1)])));
    await client.flush();
    expect(calls).toHaveLength(20);
    expect(tokens).toHaveLength(1);
    await client.close();
  });

  it.each([['401', () => problem(401, 'unauthorized')], ['403 invalid_token', badToken]])(
    'is renewed once after %s, however many calls had the old one', async (_name, refuse) => {
      const { open, tokens, calls, refused } = scene(({ token }) => token === 'token-1' ? refuse() : accepted());
      const client = await open();
      await Promise.all(Array.from({ length: 8 }, (_, nth) => client.sendLocations(`d${nth}`, [fix(1)])));
      await client.flush();
      expect(tokens).toHaveLength(2);
      expect(calls).toHaveLength(16);
      expect(refused).toEqual([]);
      await client.close();
    });

  it('that is new and refused refuses the batch: 403 is never repeated', async () => {
    const { open, tokens, refused } = scene(badToken);
    const client = await open();
    await client.sendLocations('d1', [fix(1)]);
    await client.flush();
    expect(tokens).toHaveLength(2);
    expect(refused).toMatchObject([{ status: 403 }]);
    await client.close();
  });

  it('is renewed before it ends', async () => {
    const { open, tokens, calls, clock } = scene(accepted, (nth) => tokenAnswer(nth, 100));
    const client = await open();
    await client.sendLocations('d1', [fix(1)]);
    await client.flush();
    await clock.wait(94 * SECONDS, new AbortController().signal);
    await client.sendLocations('d1', [fix(2)]);
    await client.flush();
    expect(tokens).toHaveLength(1);
    await clock.wait(2 * SECONDS, new AbortController().signal);
    await client.sendLocations('d1', [fix(3)]);
    await client.flush();
    expect(calls.map(({ token }) => token)).toEqual(['token-1', 'token-1', 'token-2']);
    await client.close();
  });

  it('is asked for again after 500, and after 429 as late as Retry-After says', async () => {
    const { open, tokens } = scene(accepted, (nth) => {
      if (nth === 1) return problem(500, 'server_error');
      return nth === 2 ? problem(429, 'temporarily_unavailable', { 'retry-after': '400' }) : tokenAnswer(nth);
    });
    const client = await open();
    await client.sendLocations('d1', [fix(1)]);
    await client.flush();
    expect((tokens[2] ?? 0) - (tokens[1] ?? 0)).toBe(400 * SECONDS);
    await client.close();
  });

  it('that is refused ends the sender with the reason, and no batch is refused', async () => {
    const { open, tokens, refused } = scene(accepted, () => problem(401, 'invalid_client'));
    const client = await open();
    await client.sendLocations('d1', [fix(1)]);
    await expect(client.flush()).rejects.toThrow(TokenRefused);
    expect(tokens).toHaveLength(1);
    expect(refused).toEqual([]);
    await expect(client.close()).rejects.toThrow(SenderClosed);
  });
});

describe('another call', () => {
  it('has the same token and repeats, and ends with the answer', async () => {
    const { open, calls } = scene((_call, nth) => nth === 1
      ? problem(500, 'internal') : Response.json({ id: 'd1' }, { status: 208 }));
    const client = await open();
    const reply = await client.call({
      method: 'POST', path: '/shipping/rtt/devices', query: { country_id: 'BR' }, body: { transport: { id: 1 } },
    });
    expect(reply).toEqual({ status: 208, body: { id: 'd1' } });
    expect(calls.map(({ path }) => path)).toEqual(Array(2).fill('/shipping/rtt/devices?country_id=BR'));
    await client.close();
  });

  it('rejects with the problem of a refusal', async () => {
    const { open } = scene(() => problem(404, 'device_not_found'));
    const client = await open();
    const asked = client.call({ method: 'GET', path: '/shipping/rtt/devices/none' });
    await expect(asked).rejects.toMatchObject({ name: 'CallRefused', status: 404, problem: { code: 'device_not_found' } });
    await expect(asked).rejects.toThrow(CallRefused);
    await client.close();
  });

  it('waits for a receipt until it is settled; a 404 at first is no fault', async () => {
    const { open, calls } = scene((_call, nth) => nth === 1
      ? problem(404, 'ingest_not_found') : Response.json({ ingest_id: 'i1', settled: nth > 3 }));
    const client = await open();
    expect(await client.receipt('i1')).toMatchObject({ settled: true });
    expect(calls).toHaveLength(4);
    expect(calls[0]?.path).toBe('/shipping/rtt/ingest/i1?country_id=BR');
    await client.close();
  });

  it('reports a receipt that is still unknown after a minute', async () => {
    const { open } = scene(() => problem(404, 'ingest_not_found'));
    const client = await open();
    await expect(client.receipt('i1')).rejects.toThrow('ingest_not_found');
    await client.close();
  });
});
