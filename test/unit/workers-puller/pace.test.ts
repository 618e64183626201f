import { beforeEach, describe, expect, it } from 'vitest';
import { aNotification } from '../../support/notifications.ts';
import { aCarrier, createPullerWorld, NAME, START_MS, type PullerWorld } from './world.ts';

const RST1 = NAME.tracking_number;
let world: PullerWorld;
beforeEach(async () => {
  world = createPullerWorld();
  await world.feeds.open(NAME, START_MS);
});

const told = (minute: number, code = 'EX-HUB') =>
  aNotification(code, { date: `2026-11-20T10:${String(minute).padStart(2, '0')}:00-03:00` });
const codes = () => world.records()
  .map(({ value }) => (value as { notification: { code: string } }).notification.code);
const polls = () => world.counted.filter((each) => each.startsWith('rastro_puller_polls_total'))
  .map((each) => each.split(' ')[1]);

describe('A feed that fails', () => {
  it('[PULL-08] is asked less and less, up to an hour, and as before when it is well', async () => {
    world.carrier.twist = () => ({ status: 500 });
    expect(await world.polls(7)).toEqual([300, 600, 1_200, 2_400, 3_600, 3_600]);
    world.carrier.twist = () => undefined;
    world.carrier.publish(RST1, told(1));
    await world.polls(1);
    expect(await world.polls(2)).toEqual([300]);
    expect(codes()).toHaveLength(1);
  });

  it.each([[0, 240, 480], [1, 360, 720]])('[PULL-08] spreads its waits: %d', async (...row) => {
    const [random, first, second] = row;
    world.random = random;
    world.carrier.twist = () => ({ status: 503 });
    const look = () => world.worker({ jitterRatio: 0.2 }).poll();
    const wait = () => ((world.feeds.feedsDue('p-carrier').get(RST1) ?? 0) - world.nowMs) / 1_000;
    await look();
    expect(wait()).toBe(first);
    world.nowMs += first * 1_000;
    await look();
    expect(wait()).toBe(second);
  });

  it.each([
    [{ status: 302, headers: { location: 'https://evil.example/' } }, 'failed'],
    [{ status: 400 }, 'refused'], [{ status: 502 }, 'failed'], [{ status: 0, hangs: true }, 'timeout'],
  ] as const)('[PULL-08] says how: %o', async (answer, outcome) => {
    world.carrier.twist = () => answer;
    await world.worker().poll();
    expect(polls()).toEqual([outcome]);
    expect(world.carrier.asked).toHaveLength(1);
  });

  it('[PULL-08] waits as long as a 429 says, with every feed of that carrier', async () => {
    const more = { ...NAME, tracking_number: 'RST2' };
    world.carrier.twist = () => ({ status: 429, headers: { 'retry-after': '1000' } });
    const puller = world.worker();
    await puller.poll();
    await world.feeds.open(more, START_MS);
    world.nowMs += 999_000;
    await puller.poll();
    expect(world.carrier.asked).toHaveLength(1);
    world.nowMs += 1_000;
    await puller.poll();
    expect(world.carrier.asked).toHaveLength(2);
    world.parties = [aCarrier(), aCarrier({ party_id: 'p-other' })];
    await world.feeds.open({ ...more, carrier: 'p-other' }, world.nowMs);
    world.carrier.publish('RST2', told(1));
    world.carrier.twist = () => undefined;
    await puller.poll();
    expect(world.carrier.asked.length).toBeGreaterThan(2);
  });

  it('takes a new token once after a 401', async () => {
    world.carrier.publish(RST1, told(1));
    world.carrier.twist = ({ authorization }) =>
      (authorization === 'Bearer t0' ? { status: 401 } : undefined);
    await world.worker().poll();
    expect(world.discarded).toEqual(['t0']);
    expect(codes()).toHaveLength(1);
    world.nowMs += 300_000;
    world.carrier.twist = () => ({ status: 401 });
    await world.worker().poll();
    expect(world.discarded).toEqual(['t0', 't1']);
    expect(polls().at(-1)).toBe('refused');
  });

  it('is not failing while its carrier does not know the number yet', async () => {
    expect(await world.polls(4)).toEqual([900, 900, 900]);
    expect(polls()).toEqual(['unknown', 'unknown', 'unknown', 'unknown']);
  });

  it('delays no other carrier, however many of its feeds hang', async () => {
    world.parties = [aCarrier({ base_url: 'https://sick.example' }),
      aCarrier({ party_id: 'p-well', base_url: 'https://well.example' })];
    for (let at = 0; at < 50; at += 1) {
      await world.feeds.open({ ...NAME, tracking_number: `S${at}` }, START_MS);
    }
    await world.feeds.open({ carrier: 'p-well', tracking_number: 'W' }, START_MS + 1);
    world.carrier.publish('W', { ...told(1), tracking_number: 'W' });
    const ask = world.outbound;
    const { promise, resolve } = Promise.withResolvers<void>();
    let hanging = 0;
    world.outbound = async (request) => {
      if (!request.url.includes('sick')) return ask(request);
      hanging += 1;
      await promise;
      return { kind: 'lost', reason: 'timeout' };
    };
    world.nowMs += 1;
    const looking = world.worker().poll();
    await expect.poll(() => world.records().length).toBe(1);
    expect(hanging).toBe(4);
    resolve();
    await looking;
  });

  it('ends the process over a defect, and not over a fault', async () => {
    world.feeds.wipe();
    await expect(world.worker().poll()).rejects.toMatchObject({ code: 'state_not_ready' });
    world.feeds.markReady();
    await world.feeds.open(NAME, START_MS);
    world.outbound = () => { throw new TypeError('a defect'); };
    await world.worker().poll();
    expect(world.crashes).toHaveLength(1);
  });
});

describe('A feed ends', () => {
  const FINAL = {
    carrier: 'p-carrier', contents: [], position: { topic_id: 't', partition: 0, offset: 1 },
    state: {
      status: 'delivered', code: 'D', carrier_code: 'd', final: true, occurred_at_ms: START_MS,
    },
  };

  it('[PULL-09] at the final status of its shipment', async () => {
    world.carrier.publish(RST1, told(1, 'EX-DELIVERED'));
    await world.worker().poll();
    await world.shipments.putJourneys(new Map([[RST1, FINAL]]));
    world.nowMs += 300_000;
    await world.worker().poll();
    expect(world.carrier.asked).toHaveLength(1);
    expect(world.feeds.feedsDue('p-carrier').size).toBe(0);
    expect(world.counted).toContain('rastro_puller_feeds_ended_total final');
  });

  it('[PULL-09] 90 days after its authorization, and not before', async () => {
    await world.worker().poll();
    world.nowMs = START_MS + 90 * 86_400_000 - 1;
    await world.worker().poll();
    expect(world.carrier.asked).toHaveLength(2);
    world.nowMs += 901_000;
    await world.worker().poll();
    expect(world.carrier.asked).toHaveLength(2);
    expect(world.feeds.feedsDue('p-carrier').size).toBe(0);
    expect(world.counted).toContain('rastro_puller_feeds_ended_total expired');
  });

  it('[PULL-09] when the shipment is cancelled, until it is authorized again', async () => {
    await world.feeds.cancel(RST1, START_MS + 1);
    await world.worker().poll();
    expect(world.carrier.asked).toEqual([]);
    expect(world.feeds.feedsDue('p-carrier').size).toBe(0);
    await world.feeds.open(NAME, START_MS + 2);
    world.nowMs += 2;
    await world.worker().poll();
    expect(world.carrier.asked).toHaveLength(1);
  });

  it('and is not begun at a carrier that has none', async () => {
    world.parties = [aCarrier({ feed: false }), aCarrier({ party_id: 'p-2', status: 'disabled' })];
    await world.worker().poll();
    expect(world.carrier.asked).toEqual([]);
    expect(world.feeds.feedsDue('p-carrier').size).toBe(1);
  });
});
