import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { WebhookOutboxRead, WebhookTried } from '../../../services/kernel/webhooks.ts';
import { eachFact } from '../../../services/kernel/each-fact.ts';
import { openRedisStates, type OpenedRedis } from '../../support/open-redis-states.ts';
import { openOwnTopics, type OwnTopics } from '../../support/own-topics.ts';
import { JOURNEY, SECRET } from '../../support/webhook-env.ts';
import { webhookReceiver, type ReceivedPost, type WebhookReceiver } from '../../support/webhook-receiver.ts';
import { openWebhookRun, type WebhookRun } from '../../support/webhook-run.ts';

const HOUR_MS = 3_600_000;
const OUTBOXES = TOPICS.webhookOutboxes.name;
const TRIED = TOPICS.webhookDeliveries.name;
const LONG = { timeout: 60_000, interval: 100 };

const closers: (() => unknown)[] = [];
let states: OpenedRedis;
let topics: OwnTopics;
let run: WebhookRun;
let dead: WebhookReceiver;
let well: WebhookReceiver;

beforeEach(async () => {
  states = await openRedisStates();
  closers.push(() => states.close());
  topics = await openOwnTopics([JOURNEY, OUTBOXES, TRIED]);
  closers.push(() => topics.close());
  run = await openWebhookRun({
    ...topics, extents: (names) => topics.follower.extents(names), states,
  });
  [dead, well] = [await webhookReceiver(), await webhookReceiver()];
  closers.push(() => dead.close(), () => well.close());
});
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closers.splice(0).toReversed()) await close();
});

function start(): () => Promise<void> {
  const sender = run.start();
  const stop = (): Promise<void> => sender.stop();
  closers.push(stop);
  return stop;
}

const named = (count: number): string[] => Array.from({ length: count }, () => `RS-${randomUUID()}`);

/** The facts of each shipment as the log has them: what a receiver must get, in this order. */
async function inTheLog(): Promise<ReadonlyMap<string, readonly string[]>> {
  const ids = new Map<string, string[]>();
  await eachFact(topics.reader, [JOURNEY], (_, { key, topicId, partition, offset }) => {
    ids.set(key, [...ids.get(key) ?? [], `${topicId}:${partition}:${offset}`]);
  });
  return ids;
}

/** The ids of each shipment as they came first. */
function got(posts: readonly ReceivedPost[]): ReadonlyMap<string, readonly string[]> {
  const ids = new Map<string, string[]>();
  for (const { key, id } of posts) {
    const own = ids.get(key) ?? [];
    if (!own.includes(id)) ids.set(key, [...own, id]);
  }
  return ids;
}

async function triesOf(webhook: string): Promise<readonly WebhookTried[]> {
  const tries: WebhookTried[] = [];
  await eachFact<WebhookTried>(topics.reader, [TRIED], (fact) => {
    if (fact.webhook_id === webhook) tries.push(fact);
  });
  return tries;
}

describe('Webhooks on the real log and state store', () => {
  it('bring all to a receiver that was away for six hours, in order, and others at once', async () => {
    await run.add('w-00000000dead', dead.url);
    await run.add('w-00000000c0de', well.url);
    const shipments = named(100);
    dead.answer = 'cut';
    start();
    await run.append(shipments, 3_000);
    await expect.poll(() => well.taken.length, LONG).toBe(3_000);
    expect(dead.taken).toEqual([]);
    expect(dead.refused).toBeGreaterThan(0);

    run.aheadMs = 6 * HOUR_MS;
    dead.answer = 200;
    await expect.poll(() => new Set(dead.taken.map(({ id }) => id)).size, LONG).toBe(3_000);
    const wanted = await inTheLog();
    expect(got(dead.taken)).toEqual(wanted);
    expect(got(well.taken)).toEqual(wanted);

    const verifier = new Webhook(SECRET);
    for (const { headers, body } of [...dead.taken, ...well.taken]) {
      vi.useFakeTimers({ toFake: ['Date'], now: Number(headers['webhook-timestamp']) * 1_000 });
      expect(verifier.verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body));
    }
    vi.useRealTimers();
    const tries = await triesOf('w-00000000dead');
    const delivered = new Set(tries.filter(({ outcome }) => outcome === 'delivered').map(({ record_id }) => record_id));
    expect(delivered.size).toBe(3_000);
    expect(tries.some(({ outcome, reason }) => outcome === 'retry' && reason === 'network')).toBe(true);
  });

  it('go on where they were when the state store is lost, and two processes share the outboxes', async () => {
    const webhook = await run.add('w-00000000c0de', well.url);
    const shipments = named(20);
    const stop = start();
    start();
    await run.append(shipments, 200);
    await expect.poll(() => well.taken.length, LONG).toBe(200);
    await stop();

    const client = await states.access.findClient(run.clientId);
    await states.wipe();
    await states.readiness.claimRebuild('test', 5_000);
    if (client !== undefined) await states.access.applyClient(client);
    await states.webhooks.apply(webhook);
    const outboxes: WebhookOutboxRead[] = [];
    await eachFact<WebhookOutboxRead>(topics.reader, [OUTBOXES], (fact) => {
      outboxes.push(fact);
    });
    for (const outbox of outboxes) await states.webhooks.advance(outbox);
    await states.readiness.markReady('test');

    await run.append(shipments, 100);
    await expect.poll(() => well.taken.length, LONG).toBe(300);
    expect(got(well.taken)).toEqual(await inTheLog());
    expect(new Set(well.taken.map(({ id }) => id)).size).toBe(300);
  });

  it('do not follow a redirect, wherever it leads', async () => {
    await run.add('w-00000000dead', dead.url);
    dead.answer = 307;
    dead.location = well.url;
    start();
    await run.append(named(3), 3);
    await expect.poll(() => dead.refused, LONG).toBeGreaterThanOrEqual(3);
    expect(well.taken).toEqual([]);
    await expect.poll(async () => (await triesOf('w-00000000dead')).length, LONG).toBeGreaterThanOrEqual(3);
    expect((await triesOf('w-00000000dead'))[0]).toMatchObject({ outcome: 'retry', reason: 'answered', status: 307 });
  });
});
