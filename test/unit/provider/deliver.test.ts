import { afterEach, describe, expect, it } from 'vitest';
import { createDeliver } from '../../../services/provider/client/deliver.ts';
import { createGate } from '../../../services/provider/client/gate.ts';
import { createRequests } from '../../../services/provider/client/requests.ts';
import { createTokenSource } from '../../../services/provider/client/token.ts';
import { createSend } from '../../../services/provider/http/send.ts';
import { startFakePlatform, type FakeAnswer } from './fake-platform.ts';
import { createVirtualClock } from './virtual-clock.ts';

const REPEAT = { backoffFirstMs: 1_000, backoffMsMax: 8_000, throttledMs: 300_000 };
const fixes = [{ timestamp: 1_764_000_000, country_id: 'US', latitude: 1.5, longitude: 2.5 }];
const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A client before a platform that answers locations with the given answers, then well. */
async function clientBefore(answers: readonly FakeAnswer[], token?: readonly FakeAnswer[]) {
  const platform = await startFakePlatform((call, count) => {
    if (call.path.startsWith('/oauth/token')) return token?.[count - 1];
    return answers[count - 1];
  });
  const clock = createVirtualClock(1_764_000_000_000);
  const connection = createSend({
    baseUrl: platform.url, socketsMax: 4, timeoutMs: 2_000, answerBytesMax: 10_000,
  });
  closers.push(connection.close, platform.close);
  const send = clock.holding(connection.send);
  const leaving = new AbortController();
  const random = () => 1;
  const source = createTokenSource(
    { ...REPEAT, audience: 'rtt', clientId: 'id', clientSecret: 'secret', renewAtRatio: 0.9 },
    { send, clock, random, signal: leaving.signal },
  );
  const gate = createGate({ inFlightMax: 4, requestsPerSecondMax: 1e6 }, clock);
  let lost = 0;
  const deliver = createDeliver(REPEAT, {
    send, gate, token: source, clock, random, onLost: () => { lost += 1; },
  });
  const requests = createRequests({ provider: 'acme', country_id: 'US' });
  const request = requests.locations('device-1', fixes, clock.nowMs());
  return { platform, clock, deliver, request, lost: () => lost, source };
}

const never = new AbortController().signal;

describe('a delivery of the reference provider', () => {
  it('ends with the first 202', async () => {
    const { platform, deliver, request } = await clientBefore([]);
    expect(await deliver(request, never)).toMatchObject({ outcome: 'accepted', tries: 1 });
    const [call] = platform.callsTo('/locations');
    expect(call?.path).toBe('/shipping/rtt/georeceiver/acme/locations?country_id=US');
    expect(call?.authorization).toBe('Bearer token-1');
  });

  it.each([
    ['400', { status: 400, body: { code: 'validation_failed' } }],
    ['403 of a stopped device', { status: 403, body: { code: 'tracking_stopped' } }],
    ['403 of a missing scope', {
      status: 403, headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' },
    }],
  ])('[RTT-17] repeats nothing after %s', async (_name, answer) => {
    const { platform, clock, deliver, request } = await clientBefore([answer]);
    const delivery = await deliver(request, never);
    expect(delivery).toMatchObject({ outcome: 'refused', tries: 1, mayHaveBeenTaken: false });
    expect(platform.callsTo('/locations')).toHaveLength(1);
    expect(clock.waits).toEqual([]);
  });

  it('[RTT-18] repeats the very same body after 500 until the answer is satisfactory', async () => {
    const failures = Array.from({ length: 6 }, () => ({ status: 500 }));
    const { platform, clock, deliver, request } = await clientBefore(failures);
    expect(await deliver(request, never)).toMatchObject({
      outcome: 'accepted', tries: 7, mayHaveBeenTaken: true,
    });
    expect(new Set(platform.callsTo('/locations').map((call) => call.body)).size).toBe(1);
    expect(clock.waits).toEqual([1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  });

  it('[RTT-18] waits five minutes after 429, or what Retry-After says', async () => {
    const { clock, deliver, request } = await clientBefore([
      { status: 429 }, { status: 429, headers: { 'retry-after': '17' } },
    ]);
    expect(await deliver(request, never)).toMatchObject({
      outcome: 'accepted', tries: 3, mayHaveBeenTaken: false,
    });
    expect(clock.waits).toEqual([300_000, 17_000]);
  });

  it('repeats after a cut connection, since the outcome is unknown', async () => {
    const { platform, deliver, request, lost } = await clientBefore(['cut', 'cut']);
    expect(await deliver(request, never)).toMatchObject({ outcome: 'accepted', tries: 3 });
    expect(lost()).toBe(2);
    expect(new Set(platform.callsTo('/locations').map((call) => call.body)).size).toBe(1);
  });

  it('says that a refusal after a lost answer may hide an accepted try', async () => {
    const { deliver, request } = await clientBefore(['cut', { status: 403 }]);
    expect(await deliver(request, never)).toMatchObject({
      outcome: 'refused', tries: 2, mayHaveBeenTaken: true,
    });
  });

  it('takes one new token for a token that ran out, and no second one', async () => {
    const headers = { 'www-authenticate': 'Bearer error="invalid_token"' };
    const expired = { status: 403, headers };
    const healed = await clientBefore([expired]);
    expect(await healed.deliver(healed.request, never)).toMatchObject({ outcome: 'accepted' });
    expect(healed.platform.callsTo('/locations').map((call) => call.authorization))
      .toEqual(['Bearer token-1', 'Bearer token-2']);
    const sick = await clientBefore([expired, expired, expired]);
    expect(await sick.deliver(sick.request, never)).toMatchObject({ outcome: 'refused', tries: 2 });
  });

  it('gives up repeating when it is aborted, with an unknown outcome', async () => {
    const cut = new AbortController();
    const { platform, deliver, request } = await clientBefore(
      Array.from({ length: 1_000 }, () => ({ status: 500 })));
    const delivery = deliver(request, cut.signal);
    while (platform.callsTo('/locations').length < 3) await new Promise((go) => setImmediate(go));
    cut.abort();
    expect(await delivery).toMatchObject({ outcome: 'unknown', mayHaveBeenTaken: true });
  });
});

describe('the token of the reference provider', () => {
  it('is taken once for all devices, with Basic credentials and audience rtt', async () => {
    const { platform, source } = await clientBefore([]);
    expect(await Promise.all([source.current(), source.current()])).toEqual(['token-1', 'token-1']);
    const [call] = platform.callsTo('/oauth/token');
    expect(call?.authorization).toBe(`Basic ${btoa('id:secret')}`);
    expect(JSON.parse(call?.body ?? '')).toEqual({
      audience: 'rtt', grant_type: 'client_credentials',
    });
  });

  it('is asked for again after 500, and renewed before it runs out', async () => {
    const { platform, clock, source } = await clientBefore([], [{ status: 500 }]);
    expect(await source.current()).toBe('token-1');
    await clock.wait(21_600_000 * 0.9);
    expect(await source.current()).toBe('token-2');
    expect(platform.callsTo('/oauth/token')).toHaveLength(3);
  });

  it('is not asked for again when the credentials are refused', async () => {
    const { platform, source } = await clientBefore([], [{ status: 401 }]);
    expect(await source.current()).toBeUndefined();
    expect(platform.callsTo('/oauth/token')).toHaveLength(1);
  });
});
