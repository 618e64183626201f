import { beforeEach, describe, expect, it } from 'vitest';
import { aNotification } from '../../support/notifications.ts';
import { aCarrier, createPullerEnv, NAME, START_MS, type PullerEnv } from './puller-env.ts';

const RST1 = NAME.tracking_number;
let env: PullerEnv;
beforeEach(async () => {
  env = createPullerEnv();
  await env.feeds.open(NAME, START_MS, NAME.tracking_number);
});

const notice = (minute: number, code = 'EX-HUB') =>
  aNotification(code, { date: `2026-11-20T10:${String(minute).padStart(2, '0')}:00-03:00` });
const codes = () => env.records()
  .map(({ value }) => (value as { notification: { code: string } }).notification.code);
const polls = () => env.counted.filter((each) => each.startsWith('rastro_puller_polls_total'))
  .map((each) => each.split(' ')[1]);

describe('A feed that fails', () => {
  it('[PULL-08] is asked less and less, up to an hour, and as before when it is well', async () => {
    env.carrier.twist = () => ({ status: 500 });
    expect(await env.polls(7)).toEqual([300, 600, 1_200, 2_400, 3_600, 3_600]);
    env.carrier.twist = () => undefined;
    env.carrier.publish(RST1, notice(1));
    await env.polls(1);
    expect(await env.polls(2)).toEqual([300]);
    expect(codes()).toHaveLength(1);
  });

  it.each([[0, 240, 480], [1, 360, 720]])('[PULL-08] spreads its waits: %d', async (...row) => {
    const [random, first, second] = row;
    env.random = random;
    env.carrier.twist = () => ({ status: 503 });
    const poll = () => env.worker({ jitterRatio: 0.2 }).poll();
    const wait = () => ((env.feeds.feedsDue('p-carrier').get(RST1) ?? 0) - env.nowMs) / 1_000;
    await poll();
    expect(wait()).toBe(first);
    env.nowMs += first * 1_000;
    await poll();
    expect(wait()).toBe(second);
  });

  it.each([
    [{ status: 302, headers: { location: 'https://evil.example/' } }, 'failed'],
    [{ status: 400 }, 'refused'], [{ status: 502 }, 'failed'], [{ status: 0, hangs: true }, 'timeout'],
  ] as const)('[PULL-08] says how: %o', async (answer, outcome) => {
    env.carrier.twist = () => answer;
    await env.worker().poll();
    expect(polls()).toEqual([outcome]);
    expect(env.carrier.asked).toHaveLength(1);
  });

  it('[PULL-08] waits as long as a 429 says, with every feed of that carrier', async () => {
    const more = { ...NAME, tracking_number: 'RST2' };
    env.carrier.twist = () => ({ status: 429, headers: { 'retry-after': '1000' } });
    const puller = env.worker();
    await puller.poll();
    await env.feeds.open(more, START_MS, more.tracking_number);
    env.nowMs += 999_000;
    await puller.poll();
    expect(env.carrier.asked).toHaveLength(1);
    env.nowMs += 1_000;
    await puller.poll();
    expect(env.carrier.asked).toHaveLength(2);
    env.parties = [aCarrier(), aCarrier({ party_id: 'p-other' })];
    await env.feeds.open({ ...more, carrier: 'p-other' }, env.nowMs, more.tracking_number);
    env.carrier.publish('RST2', notice(1));
    env.carrier.twist = () => undefined;
    await puller.poll();
    expect(env.carrier.asked.length).toBeGreaterThan(2);
  });

  it('takes a new token once after a 401', async () => {
    env.carrier.publish(RST1, notice(1));
    env.carrier.twist = ({ authorization }) =>
      (authorization === 'Bearer t0' ? { status: 401 } : undefined);
    await env.worker().poll();
    expect(env.discarded).toEqual(['t0']);
    expect(codes()).toHaveLength(1);
    env.nowMs += 300_000;
    env.carrier.twist = () => ({ status: 401 });
    await env.worker().poll();
    expect(env.discarded).toEqual(['t0', 't1']);
    expect(polls().at(-1)).toBe('refused');
  });

  it('is not failing while its carrier does not know the number yet', async () => {
    expect(await env.polls(4)).toEqual([900, 900, 900]);
    expect(polls()).toEqual(['unknown', 'unknown', 'unknown', 'unknown']);
  });

  it('delays no other carrier, however many of its feeds hang', async () => {
    env.parties = [aCarrier({ base_url: 'https://sick.example' }),
      aCarrier({ party_id: 'p-well', base_url: 'https://well.example' })];
    for (let at = 0; at < 50; at += 1) {
      await env.feeds.open({ ...NAME, tracking_number: `S${at}` }, START_MS, `S${at}`);
    }
    await env.feeds.open({ carrier: 'p-well', tracking_number: 'W' }, START_MS + 1, 'W');
    env.carrier.publish('W', { ...notice(1), tracking_number: 'W' });
    const ask = env.outbound;
    const { promise, resolve } = Promise.withResolvers<void>();
    let hanging = 0;
    env.outbound = async (request) => {
      if (!request.url.includes('sick')) return ask(request);
      hanging += 1;
      await promise;
      return { kind: 'lost', reason: 'timeout' };
    };
    env.nowMs += 1;
    const looking = env.worker().poll();
    await expect.poll(() => env.records().length).toBe(1);
    expect(hanging).toBe(4);
    resolve();
    await looking;
  });

  it('ends the process over a defect, and not over a fault', async () => {
    env.feeds.wipe();
    await expect(env.worker().poll()).rejects.toMatchObject({ code: 'state_not_ready' });
    env.feeds.markReady();
    await env.feeds.open(NAME, START_MS, NAME.tracking_number);
    env.outbound = () => { throw new TypeError('a defect'); };
    await env.worker().poll();
    expect(env.crashes).toHaveLength(1);
  });
});

describe('A feed ends', () => {
  const FINAL = {
    carrier: 'p-carrier', contents: [], last_notification: { topic_id: 't', partition: 0, offset: 1 },
    received_at_ms: START_MS,
    state: {
      status: 'delivered', code: 'D', carrier_code: 'd', final: true, occurred_at_ms: START_MS,
    },
  };

  it('[PULL-09] at the final status of its shipment', async () => {
    env.carrier.publish(RST1, notice(1, 'EX-DELIVERED'));
    await env.worker().poll();
    await env.shipments.putJourneys(new Map([[RST1, FINAL]]));
    env.nowMs += 300_000;
    await env.worker().poll();
    expect(env.carrier.asked).toHaveLength(1);
    expect(env.feeds.feedsDue('p-carrier').size).toBe(0);
    expect(env.counted).toContain('rastro_puller_feeds_ended_total final');
  });

  it('[PULL-09] 90 days after its authorization, and not before', async () => {
    await env.worker().poll();
    env.nowMs = START_MS + 90 * 86_400_000 - 1;
    await env.worker().poll();
    expect(env.carrier.asked).toHaveLength(2);
    env.nowMs += 901_000;
    await env.worker().poll();
    expect(env.carrier.asked).toHaveLength(2);
    expect(env.feeds.feedsDue('p-carrier').size).toBe(0);
    expect(env.counted).toContain('rastro_puller_feeds_ended_total expired');
  });

  it('[PULL-09] when the shipment is cancelled, until it is authorized again', async () => {
    await env.feeds.cancel(RST1, START_MS + 1);
    await env.worker().poll();
    expect(env.carrier.asked).toEqual([]);
    expect(env.feeds.feedsDue('p-carrier').size).toBe(0);
    await env.feeds.open(NAME, START_MS + 2, NAME.tracking_number);
    env.nowMs += 2;
    await env.worker().poll();
    expect(env.carrier.asked).toHaveLength(1);
  });

  it('and is not begun at a carrier that has none', async () => {
    env.parties = [aCarrier({ feed: false }), aCarrier({ party_id: 'p-2', status: 'disabled' })];
    await env.worker().poll();
    expect(env.carrier.asked).toEqual([]);
    expect(env.feeds.feedsDue('p-carrier').size).toBe(1);
  });
});
