import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JourneyRecorded } from '../../../services/kernel/shipments.ts';
import { startCarrierFeed } from '../../support/carrier-feed.ts';
import { aNotification } from '../../support/notifications.ts';
import { eventually } from '../../support/platform.ts';
import { startPullPlatform, type PullPlatform } from '../../support/pull-platform.ts';

const NUMBER = 'CARRIER 0001';
const ITEMS = 250;

let platform: PullPlatform;
let carrier: Awaited<ReturnType<typeof startCarrierFeed>>;
beforeAll(async () => {
  carrier = await startCarrierFeed();
  carrier.twist = ({ method }) => (method !== 'POST' ? undefined : {
    status: 200, body: { status: 'AUTHORIZED', tracking_number: NUMBER },
  });
  platform = await startPullPlatform({
    RASTRO_PARTY_REQUEST_MS_MAX: '1000',
    RASTRO_PULLER_APPEND_MS_MAX: '10000',
    RASTRO_PULLER_POLL_MS: '50',
    RASTRO_PULLER_PERIOD_MS: '300',
    RASTRO_PULLER_UNKNOWN_MS: '300',
    RASTRO_PULLER_BACKOFF_FIRST_MS: '300',
    RASTRO_PULLER_PAGE_ITEMS_MAX: String(ITEMS),
    RASTRO_REBUILD_LEASE_MS: '3000',
  });
}, 150_000);
afterAll(async () => {
  await platform.close();
  await carrier.close();
});

const itemOf = (at: number, code = 'EX-HUB') => ({
  ...aNotification(code, { date: new Date(1_764_000_000_000 + at * 1_000).toISOString() }),
  tracking_number: NUMBER, at,
});
const feedAsks = () => carrier.asked.filter(({ method }) => method === 'GET');

async function journeys(): Promise<readonly JourneyRecorded[]> {
  const records = await platform.recordsOf('shipment.journey.v1');
  return records.map(({ value }) => JSON.parse(value.toString()) as JourneyRecorded);
}

async function applied(): Promise<number> {
  return (await journeys()).filter(({ outcome }) => outcome === 'applied').length;
}

async function openedAt(): Promise<number> {
  const [key = ''] = await platform.raw.keys('*:feed:*');
  return Number(await platform.raw.hget(key, 'opened_at_ms'));
}

async function queueIsEmpty(): Promise<boolean> {
  return (await platform.raw.keys('*:feeds-due:*')).length === 0;
}

// One story of one shipment: every test goes on where the one before it ended.
describe('the feed of a carrier', () => {
  it('[PULL-06] [PULL-07] is taken once, though a puller is killed in the middle of a page', async () => {
    for (let at = 0; at < ITEMS; at += 1) carrier.publish(NUMBER, itemOf(at));
    const party = await platform.addCarrier(`${carrier.url}/api`);
    await platform.authorize(party);
    await eventually('The middle of the page', async () => {
      const count = (await platform.recordsOf('shipment.notifications.v1')).length;
      return count >= 10;
    });
    await Promise.all(platform.pullers.map((puller) => puller.kill()));
    expect(await platform.recordsOf('shipment.feeds.v1')).toEqual([]);
    await eventually('Every item', async () => await applied() === ITEMS);

    const records = await platform.recordsOf('shipment.notifications.v1');
    const again = records.length - ITEMS;
    expect(again).toBeGreaterThanOrEqual(10);
    expect(again).toBeLessThan(ITEMS);
    const ids = new Set(records.map(({ headers }) => headers['ingest-id']));
    expect(ids.size).toBe(ITEMS);
    expect(records.every(({ headers }) =>
      headers['source'] === 'pull' && headers['client'] === party)).toBe(true);
    const outcomes = await journeys();
    expect(outcomes.filter(({ outcome }) => outcome === 'duplicate')).toHaveLength(again);
    expect(outcomes.map(({ source }) => source)).not.toContain('push');
  }, 120_000);

  it('[PULL-07] is followed from its cursor after the state store is wiped', async () => {
    await eventually('The cursor', async () =>
      (await platform.recordsOf('shipment.feeds.v1')).length > 0);
    const count = (await platform.recordsOf('shipment.notifications.v1')).length;
    await platform.raw.flushall();
    const asked = feedAsks().length;
    carrier.publish(NUMBER, itemOf(ITEMS));
    await eventually('The new item', async () => await applied() === ITEMS + 1);
    expect(await platform.recordsOf('shipment.notifications.v1')).toHaveLength(count + 1);
    const cursors = feedAsks().slice(asked).map(({ query }) => query['cursor']);
    expect(cursors).not.toContain(undefined);
  }, 90_000);

  it('[PULL-08] [PULL-06] that fails and holds rubbish is taken when it is well, but the rubbish', async () => {
    const { twist } = carrier;
    const asked = feedAsks().length;
    carrier.twist = () => ({ status: 503 });
    carrier.publish(NUMBER, '{"code":1,"code":2}', itemOf(ITEMS + 1));
    await eventually('Failing polls', () => feedAsks().length >= asked + 3);
    carrier.twist = twist;
    await eventually('The good item', async () => await applied() === ITEMS + 2);
    const [deadLetter] = await platform.recordsOf('dead-letters.v1');
    expect(JSON.parse(String(deadLetter?.value))).toMatchObject({
      stage: 'puller', code: 'duplicate_key', origin: { offset: ITEMS + 1 },
    });
  }, 60_000);

  it('[PULL-09] is left at the final status of its shipment', async () => {
    carrier.publish(NUMBER, itemOf(ITEMS + 2, 'EX-DELIVERED'));
    await eventually('The end of the feed', queueIsEmpty);
    const [last] = (await journeys()).slice(-1);
    expect(last?.state).toMatchObject({ status: 'delivered', final: true });
    const [asked, opened] = [feedAsks().length, await openedAt()];
    carrier.publish(NUMBER, itemOf(ITEMS + 3));
    await platform.authorize((await platform.recordsOf('platform.parties.v1'))[0]?.key ?? '');
    await eventually('Another authorization', async () => await openedAt() > opened);
    await eventually('The end of the feed again', queueIsEmpty);
    expect(feedAsks()).toHaveLength(asked);
  }, 60_000);
});
