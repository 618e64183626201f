import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { basic, type PlatformReply } from '../../support/platform-calls.ts';
import { eventually, startTestEnv, type TestEnv } from '../../support/platform.ts';
import {
  aFix, deviceBody, DEVICES_PATH, locationsBody, locationsPath, movePath, newActor, type Actor,
} from '../../support/platform-actor.ts';
import { caughtUp, EXACTLY_ONCE, startSender } from '../../support/platform-sender.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const WAITING_BYTES_MAX = 4_194_304;
const DEADLINE_MS = 3_000;
/** What a busy machine may add to a deadline. */
const GRACE_MS = 3_000;

// Each part of the infrastructure is taken away in turn and given back.
let platform: TestEnv;
let actor: Actor;
let header: string;
let device: string;
beforeAll(async () => {
  platform = await startTestEnv({
    gatewayEnv: {
      RASTRO_APPEND_WAITING_BYTES_MAX: String(WAITING_BYTES_MAX),
      RASTRO_HTTP_REQUEST_DEADLINE_MS: String(DEADLINE_MS),
    },
  });
  actor = await newActor(platform, '--audience', 'rtt', '--audience', 'revoke');
  header = await platform.token(actor.client, 'revoke');
  device = await actor.startedDevice();
}, 150_000);
afterAll(() => platform.close());

/** A test that fails halfway leaves nothing away; what runs already is left as it is. */
afterEach(async () => {
  const { redis, kafka, projectors, clickhouse, registry } = platform;
  await Promise.all([redis.start(), kafka.start(), clickhouse.mend(), registry.mend()]);
  await projectors.start();
});

interface TimedReply extends PlatformReply {
  readonly tookMs: number;
}

async function timed(calling: () => Promise<PlatformReply>): Promise<TimedReply> {
  const begunAt = performance.now();
  const reply = await calling();
  return { ...reply, tookMs: performance.now() - begunAt };
}

const askToken = (): Promise<PlatformReply> => platform.call('/oauth/token', {
  body: { audience: 'rtt', grant_type: 'client_credentials' },
  headers: { authorization: basic(actor.client.client_id, actor.client.client_secret) },
});
/** The token of the form may be good or not. */
const revoke = (token: string): Promise<PlatformReply> =>
  platform.call('/oauth/revoke', { token: header, body: `token=${token}`, headers: FORM });

/** Every operation at least once on both gateways; the last one with an unknown token. */
function everyCall(): Promise<readonly TimedReply[]> {
  return Promise.all([
    askToken,
    () => revoke(`00${'a'.repeat(43)}`),
    () => actor.register(),
    () => actor.register('unknown-to-nobody', {}, 1),
    () => actor.start(device, 1),
    () => actor.stop('no-such-device'),
    () => actor.send(device),
    () => actor.send(device, [aFix()], 1),
    () => platform.call(DEVICES_PATH, { token: `00${'a'.repeat(43)}`, body: deviceBody() }, 1),
  ].map(timed));
}

function expectFault(reply: TimedReply, msMax: number): void {
  expect(reply.status).toBe(500);
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(reply.headers.get('retry-after'))).toBeLessThan(60);
  expect(reply.tookMs).toBeLessThan(msMax);
}

/** Memory that a process holds, in bytes. */
function residentBytes(pid = 0): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1_024;
}

describe('ClickHouse or the registry away', () => {
  it('[GEN-05] [GEN-07] what is accepted meanwhile arrives afterwards, exactly once', async () => {
    const sender = await startSender(platform, actor, 3);
    await platform.clickhouse.cut();
    await eventually('Posts without ClickHouse', () => sender.accepted() >= 60);
    await sender.stop();
    expect([...sender.others]).toEqual([]);
    await platform.clickhouse.mend();
    await eventually('The catching up', () => caughtUp(platform));
    expect(await sender.balance()).toMatchObject(EXACTLY_ONCE);
  }, 90_000);

  it('[GEN-05] the registry is needed at boot only', async () => {
    await platform.registry.cut();
    const other = await newActor(platform);
    expect((await other.send(await other.startedDevice())).status).toBe(202);
    await platform.registry.mend();
  });
});

describe('the state store away', () => {
  it('[GEN-02] [GEN-03] [TOK-11] [TOK-22] every call is 500 at once, and later as before', async () => {
    await platform.redis.stop();
    for (const reply of await everyCall()) expectFault(reply, GRACE_MS);
    const [token, revoked] = [await askToken(), await revoke(actor.token)];
    expect(token.body).toMatchObject({ error: 'server_error', status: 500 });
    expect(revoked.body).toEqual({ status: 'ERROR', message: expect.any(String) as string });
    await platform.redis.start();
    await eventually('Calls as before', async () => (await actor.send(device)).status === 202);
    expect((await askToken()).status).toBe(200);
  }, 60_000);

  it('[TOK-17] [GEN-02] [GEN-03] a wipe is 500 until the log has given everything back', async () => {
    const revoked = await platform.token(actor.client);
    expect((await revoke(revoked)).status).toBe(200);
    const stopped = await actor.startedDevice();
    await actor.stop(stopped);
    const registered = String((await actor.register('kept')).body['id']);
    await platform.projectors.stop();
    await platform.raw.flushall();
    for (const reply of await everyCall()) expectFault(reply, GRACE_MS);
    const withRevoked = (): Promise<PlatformReply> =>
      platform.call(movePath(device, 'start'), { token: revoked }, 1);
    expect((await withRevoked()).status).toBe(500);
    const seen = new Set<number>();
    const starting = platform.projectors.start();
    await eventually('The rebuild', async () => {
      const { status } = await actor.send(device, [aFix()], 1);
      seen.add(status);
      return status === 202;
    });
    await starting;
    expect([...seen]).toEqual([500, 202]);
    expect((await withRevoked()).status).toBe(403);
    expect((await actor.send(stopped)).body).toMatchObject({ code: 'tracking_stopped' });
    expect((await actor.register('kept')).body).toMatchObject({ id: registered });
    expect((await actor.start(registered, 1)).status).toBe(200);
    expect((await askToken()).status).toBe(200);
  }, 90_000);
});

describe('the log away', () => {
  it('[GEN-03] [GEN-04] [GEN-05] a frozen broker is 500 in time and in bounded memory', async () => {
    const sender = await startSender(platform, actor, 3);
    await eventually('Some posts', () => sender.accepted() >= 20);
    const { gateways, kafka } = platform;
    const before = gateways.map((part) => residentBytes(part.pid()));
    const pid = kafka.pid() ?? 0;
    process.kill(pid, 'SIGSTOP');
    try {
      const fixes = Array.from({ length: 900 }, (_, i) => aFix({ altitude: i }));
      const large = locationsBody(device, fixes);
      const replies = await Promise.all(Array.from({ length: 120 }, (_, i) => timed(() =>
        platform.call(locationsPath(), { token: actor.token, body: large }, i % 2 === 0 ? 0 : 1))));
      for (const { status, tookMs } of replies) {
        expect([429, 500]).toContain(status);
        expect(tookMs).toBeLessThan(DEADLINE_MS + GRACE_MS);
      }
      const writing = await Promise.all(
        [askToken, () => actor.register(), () => actor.send(device)].map(timed));
      for (const reply of writing) expectFault(reply, DEADLINE_MS + GRACE_MS);
      expectFault(await timed(() => actor.send(device)), GRACE_MS);
      gateways.forEach((part, i) => {
        expect(residentBytes(part.pid()) - (before[i] ?? 0)).toBeLessThan(200_000_000);
      });
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    const least = sender.accepted() + 20;
    await eventually('Posts afterwards', () => sender.accepted() >= least);
    await sender.stop();
    await eventually('The catching up', () => caughtUp(platform));
    expect(await sender.balance()).toMatchObject(EXACTLY_ONCE);
    expect((await askToken()).status).toBe(200);
  }, 120_000);

  it('[TOK-17] [DEV-16] [DEV-28] [LOC-14] what was in doubt is certain after a repeat', async () => {
    const both = async (): Promise<readonly string[]> => Promise.all(([0, 1] as const).map(
      async (which) => String((await actor.send(half, [aFix()], which)).body['code'])));
    const half = await actor.startedDevice();
    const waiting = String((await actor.register()).body['id']);
    const [other, token] = [await platform.token(actor.client), await platform.token(actor.client)];
    const doubtful = [
      () => actor.register('torn'), () => actor.register('torn', {}, 1), () => actor.start(waiting),
      () => actor.stop(half), () => revoke(token),
    ];
    await platform.kafka.stop();
    for (const reply of await Promise.all(doubtful.map(timed))) {
      expectFault(reply, DEADLINE_MS + GRACE_MS);
    }
    // Who stops or revokes is safe from the first try on; who starts has nothing yet.
    expect(await both()).toEqual(['tracking_stopped', 'tracking_stopped']);
    const spent = (): Promise<PlatformReply> => platform.call(movePath(half, 'start'), { token });
    expect((await spent()).status).toBe(403);
    expect((await actor.send(waiting)).body).toMatchObject({ code: 'tracking_not_started' });
    expect((await platform.call(locationsPath(), { token: other, body: locationsBody(half) })).body)
      .toMatchObject({ code: 'tracking_stopped' });
    await platform.kafka.start();
    const last = new Map<number, PlatformReply>();
    await eventually('Satisfactory answers', async () => {
      for (const [nth, call] of doubtful.entries()) {
        if ((last.get(nth)?.status ?? 500) >= 500) last.set(nth, await call());
      }
      return [...last.values()].every(({ status }) => status < 500);
    });
    expect([...last.values()].map(({ status }) => [200, 201, 208].includes(status)))
      .toEqual(doubtful.map(() => true));
    expect(last.get(0)?.body['id']).toBe(last.get(1)?.body['id']);
    expect(await both()).toEqual(['tracking_stopped', 'tracking_stopped']);
    expect((await spent()).status).toBe(403);
    expect((await actor.send(waiting, [aFix()], 1)).status).toBe(202);
  }, 120_000);
});
