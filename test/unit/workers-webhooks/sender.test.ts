import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import {
  answer, aWebhook, createWebhookEnv, SECRET, START_MS, trackingNumberOf, type WebhookEnv,
} from '../../support/webhook-env.ts';

let env: WebhookEnv;
beforeEach(() => { env = createWebhookEnv(); });
afterEach(() => { vi.useRealTimers(); });

describe('A webhook', () => {
  it('gets each fact of its kinds once, signed, as the feed shows it', async () => {
    const first = env.add('RST1');
    const second = env.add('RST2', 1);
    await env.begin();
    await env.untilQuiet();
    expect(env.ids().toSorted()).toEqual([first, second].toSorted());
    vi.useFakeTimers({ now: env.nowMs });
    const [post] = env.posts;
    const body = Buffer.from(post?.body ?? []).toString();
    const message = new Webhook(SECRET).verify(body, post?.headers ?? {});
    expect(message).toEqual({
      type: 'journey', timestamp: new Date(START_MS).toISOString(),
      data: {
        kind: 'journey', record_id: first, recorded_at_ms: START_MS,
        fact: { type: 'JourneyRecorded', tracking_number: 'RST1', client_id: env.client.client_id },
      },
    });
    expect(env.tried()).toMatchObject([
      { record_id: first, outcome: 'delivered', status: 204, attempt: 1, kind: 'journey' },
      { record_id: second, outcome: 'delivered' },
    ]);
    await env.untilQuiet();
    expect(env.posts).toHaveLength(2);
    expect(env.crashes).toEqual([]);
  });

  it('gets what comes later at once, without another sweep over all outboxes', async () => {
    await env.begin();
    const worker = env.worker();
    await env.untilQuiet(worker);
    env.nowMs += 10;
    const id = env.add('RST1');
    await env.untilQuiet(worker);
    expect(env.ids()).toEqual([id]);
  });

  it('gets what came into the log while its outbox was worked on', async () => {
    env.add('A');
    await env.begin();
    const worker = env.worker();
    let nested: Promise<void> | undefined;
    env.receive = async () => {
      if (nested === undefined) {
        env.add('B');
        nested = worker.poll();
        await new Promise(setImmediate);
      }
      return answer(200);
    };
    await worker.poll();
    await nested;
    await worker.poll();
    expect(env.posts.map(trackingNumberOf)).toEqual(['A', 'B']);
  });

  it('of a provider gets what is its own, and commands only with their scope', async () => {
    const kinds = ['device', 'command'] as const;
    const { deviceLifecycle, providerCommandResults } = TOPICS;
    const topics = [deviceLifecycle.name, providerCommandResults.name];
    const own = { ...env.client, audiences: ['rtt' as const], scopes: ['query:read' as const], providers: ['acme'] };
    const mine = env.add('d1', 0, deviceLifecycle.name, { client_id: own.client_id, type: 'DeviceRegistered' });
    env.add('d2', 0, deviceLifecycle.name, { client_id: '999999999999999', type: 'DeviceRegistered' });
    env.add('77', 0, providerCommandResults.name, { provider: 'acme' });
    await env.begin(aWebhook(own.client_id, { kinds: [...kinds] }, topics));
    await env.states.access.applyClient({ ...own, version: 2 });
    const worker = env.worker();
    await env.untilQuiet(worker);
    expect(env.ids()).toEqual([mine]);
    const more = { ...own, scopes: ['query:read' as const, 'rtt:commands' as const], version: 3 };
    await env.states.access.applyClient(more);
    const next = env.add('77', 0, providerCommandResults.name, { provider: 'acme' });
    await env.pass(60_000, 1_000, worker);
    expect(env.ids()).toEqual([mine, next]);
  });

  it('signs with the old secret too until it expires', async () => {
    env.add('A');
    const [old] = env.webhook.secrets;
    const both = createWebhookEnv().webhook.secrets;
    await env.begin({
      ...env.webhook,
      secrets: [...both, { ...old, sealed: old?.sealed ?? '', created_at_ms: 1, expires_at_ms: START_MS + 1_000 }],
    });
    const worker = env.worker();
    await env.untilQuiet(worker);
    env.nowMs += 1_000;
    env.add('A');
    await env.untilQuiet(worker);
    expect(env.posts.map(({ headers }) => headers['webhook-signature']?.split(' ').length)).toEqual([2, 1]);
  });

  it('says what the log lost before it was delivered', async () => {
    for (let at = 0; at < 5; at += 1) env.add('A');
    const last = env.add('B');
    env.starts.set(`${TOPICS.journey.name}:0`, 5);
    await env.begin();
    await env.untilQuiet();
    expect(env.tried()).toMatchObject([
      { outcome: 'removed', reason: 'retention', records: 5, attempt: 0 },
      { outcome: 'delivered', record_id: last },
    ]);
    expect(env.lines).toContain('error webhook_facts_removed');
  });

  it('begins with all of a topic that was made again', async () => {
    env.add('A');
    await env.begin();
    const worker = env.worker();
    await env.untilQuiet(worker);
    env.topicId = 'BBBBBBBBBBBBBBBBBBBBBB';
    env.nowMs += 60_000;
    env.add('A');
    await env.untilQuiet(worker);
    const ofOutbox = env.tried().filter(({ partition }) => partition === 0);
    expect(ofOutbox.map(({ outcome, reason }) => `${outcome} ${reason}`)).toEqual([
      'delivered answered', 'removed remade', 'delivered answered', 'delivered answered',
    ]);
  });

  it('gets a range once more beside what is new, with the same ids', async () => {
    const ids = [env.add('A'), env.add('A'), env.add('B')];
    await env.begin();
    const worker = env.worker();
    await env.untilQuiet(worker);
    const [live] = env.webhook.ranges;
    const replay = {
      range_id: 'r-000000000001',
      topics: (live?.topics ?? []).map((topic) => (
        { ...topic, starts: [1, 0, 0], ends: [3, 0, 0] }
      )),
    };
    const ranges = [...env.webhook.ranges, replay];
    await env.states.webhooks.apply({ ...env.webhook, version: 2, ranges });
    await env.untilQuiet(worker);
    expect(env.ids().slice(0, 3).toSorted()).toEqual(ids);
    expect(env.ids().slice(3)).toEqual([ids[1], ids[2]]);
    await env.pass(120_000, 30_000, worker);
    expect(env.posts).toHaveLength(5);
  });
});
