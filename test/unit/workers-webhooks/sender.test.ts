import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { WEBHOOK_LIMITS } from '../../../services/workers/parties/webhooks/config.ts';
import {
  answer, aWebhook, createWebhookEnv, SECRET, START_MS, type WebhookEnv,
} from '../../support/webhook-env.ts';

const HOUR_MS = 3_600_000;
let env: WebhookEnv;
beforeEach(() => { env = createWebhookEnv(); });
afterEach(() => { vi.useRealTimers(); });

/** Lets time pass in steps, polling after each. */
async function pass(ms: number, stepMs = 60_000, worker = env.worker()): Promise<void> {
  for (const untilMs = env.nowMs + ms; env.nowMs < untilMs;) {
    env.nowMs += stepMs;
    await env.untilQuiet(worker);
  }
}

const keyOf = (request: { readonly body?: Uint8Array }): string => (
  (JSON.parse(Buffer.from(request.body ?? []).toString()) as { data: { fact: { tracking_number: string } } })
    .data.fact.tracking_number
);

describe('A webhook', () => {
  it('gets each fact of its kinds once, signed, as the feed shows it', async () => {
    const first = env.add('RST1');
    const second = env.add('RST2', 1);
    await env.begin();
    await env.untilQuiet();
    expect(env.ids().toSorted()).toEqual([first, second].toSorted());
    vi.useFakeTimers({ now: env.nowMs });
    const [post] = env.posts;
    const message = new Webhook(SECRET).verify(Buffer.from(post?.body ?? []).toString(), post?.headers ?? {});
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

  it('gets what comes later at once, without another look at all lanes', async () => {
    await env.begin();
    const worker = env.worker();
    await env.untilQuiet(worker);
    env.nowMs += 10;
    const id = env.add('RST1');
    await env.untilQuiet(worker);
    expect(env.ids()).toEqual([id]);
  });

  it('has the facts of a key wait behind one that fails, and those of no other', async () => {
    const ids = [env.add('A'), env.add('B'), env.add('A'), env.add('C')];
    env.receive = (request) => answer(keyOf(request) === 'A' ? 500 : 200);
    await env.begin();
    await env.untilQuiet();
    expect(env.ids()).toEqual([ids[0], ids[1], ids[3]]);
    env.receive = () => answer(200);
    const later = env.add('D');
    await pass(2_000, 1_000);
    expect(env.ids()[3]).toBe(later);
    await pass(10_000, 1_000);
    expect(env.ids().slice(4)).toEqual([ids[0], ids[2]]);
  });

  it('is tried again with waits that double up to an hour, and parked after 80 hours', async () => {
    env.add('A');
    env.receive = () => answer(500);
    await env.begin();
    const worker = env.worker();
    await env.untilQuiet(worker);
    await pass(100 * HOUR_MS, 600_000, worker);
    const tries = env.tried();
    const waits = tries.slice(0, 12).map(({ at_ms, next_attempt_at_ms = 0 }) => (next_attempt_at_ms - at_ms) / 1_000);
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600]);
    expect(tries.at(-1)).toMatchObject({ outcome: 'parked', reason: 'answered', status: 500 });
    const hours = ((tries.at(-1)?.at_ms ?? 0) - START_MS) / HOUR_MS;
    expect(hours).toBeGreaterThanOrEqual(80);
    expect(hours).toBeLessThan(82);
    expect(env.lines).toContain('error webhook_parked');
    env.nowMs += 60_000;
    await worker.poll();
    expect(env.gauges.get('rastro_webhook_parked_keys')).toBe(1);
  });

  it('keeps the order of a key that is parked, and sends all of it when it is resumed', async () => {
    const ids = [env.add('A')];
    env.receive = () => answer(410);
    await env.begin();
    const worker = env.worker();
    await env.untilQuiet(worker);
    expect(env.tried()).toMatchObject([{ outcome: 'parked', reason: 'gone', status: 410 }]);
    ids.push(env.add('A'), env.add('A'));
    await pass(10 * HOUR_MS, HOUR_MS, worker);
    expect(env.posts).toHaveLength(1);
    env.receive = () => answer(200);
    const { client_id } = env.client;
    await env.states.webhooks.apply(aWebhook(client_id, { version: 2, resumed_at_ms: env.nowMs }));
    await env.untilQuiet(worker);
    expect(env.ids().slice(1)).toEqual(ids);
  });

  it('sends nothing more to a receiver that is gone than one pass of each lane', async () => {
    for (let at = 0; at < 10; at += 1) env.add(`K${at}`);
    env.receive = () => answer(410);
    await env.begin();
    const worker = env.worker();
    await env.untilQuiet(worker);
    for (let at = 10; at < 20; at += 1) env.add(`K${at}`);
    await pass(HOUR_MS, 600_000, worker);
    expect(env.posts).toHaveLength(10);
  });

  it('gets what came into the log while its lane was worked on', async () => {
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
    expect(env.posts.map(keyOf)).toEqual(['A', 'B']);
  });

  it('stops reading while its receiver is away, and sends all when it is back', async () => {
    const ids = Array.from({ length: 400 }, (_, at) => env.add(`K${at % 200}`));
    env.receive = () => ({ kind: 'lost', reason: 'network' });
    await env.begin();
    let drawn = 0;
    const worker = env.worker({ retry: { ...WEBHOOK_LIMITS.retry, jitter: 0.9 } }, {
      random: () => {
        drawn = (drawn + 0.37) % 1;
        return drawn;
      },
    });
    await env.untilQuiet(worker);
    expect(new Set(env.posts.map(keyOf)).size).toBe(64);
    await pass(6 * HOUR_MS, 600_000, worker);
    expect(new Set(env.posts.map(keyOf)).size).toBe(64);
    const before = env.posts.length;
    env.receive = () => answer(200);
    while (env.posts.length === before) await pass(60_000, 60_000, worker);
    // The first that is taken says that the receiver is back: none waits for its own time.
    await pass(60_000, 1_000, worker);
    const after = env.posts.slice(before);
    expect(after).toHaveLength(400);
    for (const key of new Set(after.map(keyOf))) {
      const own = after.filter((post) => keyOf(post) === key).map(({ headers }) => headers['webhook-id']);
      expect(own).toEqual(ids.filter((id) => own.includes(id)));
    }
  });

  it('is left alone as long as it asks for', async () => {
    env.add('A');
    env.add('C');
    env.add('B', 1);
    env.receive = () => answer(503, { 'retry-after': '120' });
    await env.begin();
    const worker = env.worker({ inFlightMaxPerParty: 1, keysAtOnceMax: 1 });
    await env.untilQuiet(worker);
    expect(env.posts).toHaveLength(1);
    await pass(100_000, 10_000, worker);
    expect(env.posts).toHaveLength(1);
    env.receive = () => answer(200);
    await pass(40_000, 10_000, worker);
    expect(env.ids()).toHaveLength(4);
  });

  it('does not hold another one up, neither by its failures nor by its backlog', async () => {
    const { client_id } = env.client;
    const other = aWebhook(client_id, { webhook_id: 'w-000000000002', url: 'https://other.example' });
    for (let at = 0; at < 100; at += 1) env.add(`K${at}`);
    env.receive = ({ url }) => (
      url.startsWith('https://other') ? answer(200) : { kind: 'lost', reason: 'timeout' }
    );
    await env.begin(env.webhook, other);
    await env.untilQuiet();
    expect(env.posts.filter(({ url }) => url.startsWith('https://other'))).toHaveLength(100);
  });

  it('waits while its client has no right to follow, and loses nothing by that', async () => {
    const id = env.add('A');
    await env.begin();
    await env.states.access.applyClient({ ...env.client, status: 'disabled', version: 2 });
    const worker = env.worker();
    await env.untilQuiet(worker);
    expect(env.posts).toEqual([]);
    await env.states.access.applyClient({ ...env.client, version: 3 });
    await pass(120_000, 60_000, worker);
    expect(env.ids()).toEqual([id]);
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
    await pass(60_000, 1_000, worker);
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

  it('does not get what an operator skipped, and goes on behind it', async () => {
    const ids = [env.add('A'), env.add('A')];
    env.receive = (request) => answer(request.headers['webhook-id'] === ids[0] ? 400 : 200);
    await env.begin();
    const worker = env.worker();
    await env.untilQuiet(worker);
    expect(env.ids()).toEqual([ids[0]]);
    await env.states.webhooks.apply({ ...env.webhook, version: 2, skipped: [ids[0] ?? ''], resumed_at_ms: env.nowMs + 1 });
    env.nowMs += 1_000;
    await env.untilQuiet(worker);
    expect(env.ids()).toEqual([ids[0], ids[1]]);
    expect(env.tried().map(({ outcome }) => outcome)).toEqual(['retry', 'skipped', 'delivered']);
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
    const ofLane = env.tried().filter(({ partition }) => partition === 0);
    expect(ofLane.map(({ outcome, reason }) => `${outcome} ${reason}`)).toEqual([
      'delivered answered', 'removed remade', 'delivered answered', 'delivered answered',
    ]);
  });

  it('gets a range once more beside what is new, with the same ids', async () => {
    const ids = [env.add('A'), env.add('A'), env.add('B')];
    await env.begin();
    const worker = env.worker();
    await env.untilQuiet(worker);
    const [live] = env.webhook.ranges;
    const replay = { range_id: 'r-000000000001', topics: (live?.topics ?? []).map((topic) => ({ ...topic, starts: [1, 0, 0], ends: [3, 0, 0] })) };
    await env.states.webhooks.apply({ ...env.webhook, version: 2, ranges: [...env.webhook.ranges, replay] });
    await env.untilQuiet(worker);
    expect(env.ids().slice(0, 3).toSorted()).toEqual(ids);
    expect(env.ids().slice(3)).toEqual([ids[1], ids[2]]);
    await pass(120_000, 30_000, worker);
    expect(env.posts).toHaveLength(5);
  });

  it('begins nothing when the time of its lane is over, and leaves nothing out', async () => {
    const ids = [env.add('A'), env.add('B'), env.add('A'), env.add('C')];
    env.receive = () => {
      env.nowMs += 12_000;
      return answer(200);
    };
    await env.begin();
    const worker = env.worker({ keysAtOnceMax: 1 });
    await worker.poll();
    expect(env.posts.length).toBe(2);
    for (let poll = 0; poll < 10; poll += 1) await worker.poll();
    expect(new Set(env.ids())).toEqual(new Set(ids));
    expect(env.posts).toHaveLength(4);
    expect(env.ids().indexOf(ids[0] ?? '')).toBeLessThan(env.ids().indexOf(ids[2] ?? ''));
  });
});
