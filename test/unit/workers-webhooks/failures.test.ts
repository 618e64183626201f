import { beforeEach, describe, expect, it } from 'vitest';
import { createVault } from '../../../services/adapters/secrets/vault.ts';
import { WEBHOOK_LIMITS } from '../../../services/workers/parties/webhooks/config.ts';
import {
  answer, aWebhook, createWebhookEnv, SECRET, START_MS, trackingNumberOf, type WebhookEnv,
} from '../../support/webhook-env.ts';

const HOUR_MS = 3_600_000;
let env: WebhookEnv;
beforeEach(() => { env = createWebhookEnv(); });

describe('A webhook that does not take everything', () => {
  it('has the facts of a key wait behind one that fails, and those of no other', async () => {
    const ids = [env.add('A'), env.add('B'), env.add('A'), env.add('C')];
    env.receive = (request) => answer(trackingNumberOf(request) === 'A' ? 500 : 200);
    await env.begin();
    await env.untilQuiet();
    expect(env.ids()).toEqual([ids[0], ids[1], ids[3]]);
    env.receive = () => answer(200);
    const later = env.add('D');
    await env.pass(2_000, 1_000);
    expect(env.ids()[3]).toBe(later);
    await env.pass(10_000, 1_000);
    expect(env.ids().slice(4)).toEqual([ids[0], ids[2]]);
  });

  it('is tried again with waits that double up to an hour, and parked after 80 hours', async () => {
    env.add('A');
    env.receive = () => answer(500);
    await env.begin();
    const worker = env.worker();
    await env.untilQuiet(worker);
    await env.pass(100 * HOUR_MS, 600_000, worker);
    const tries = env.tried();
    const waits = tries.slice(0, 12).map(
      ({ at_ms, next_attempt_at_ms = 0 }) => (next_attempt_at_ms - at_ms) / 1_000,
    );
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
    await env.pass(10 * HOUR_MS, HOUR_MS, worker);
    expect(env.posts).toHaveLength(1);
    env.receive = () => answer(200);
    const { client_id } = env.client;
    await env.states.webhooks.apply(aWebhook(client_id, { version: 2, resumed_at_ms: env.nowMs }));
    await env.untilQuiet(worker);
    expect(env.ids().slice(1)).toEqual(ids);
  });

  it('sends nothing more to a receiver that is gone than one pass of each outbox', async () => {
    for (let at = 0; at < 10; at += 1) env.add(`K${at}`);
    env.receive = () => answer(410);
    await env.begin();
    const worker = env.worker();
    await env.untilQuiet(worker);
    for (let at = 10; at < 20; at += 1) env.add(`K${at}`);
    await env.pass(HOUR_MS, 600_000, worker);
    expect(env.posts).toHaveLength(10);
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
    expect(new Set(env.posts.map(trackingNumberOf)).size).toBe(64);
    await env.pass(6 * HOUR_MS, 600_000, worker);
    expect(new Set(env.posts.map(trackingNumberOf)).size).toBe(64);
    const before = env.posts.length;
    env.receive = () => answer(200);
    while (env.posts.length === before) await env.pass(60_000, 60_000, worker);
    // The first that is taken says that the receiver is back: none waits for its own time.
    await env.pass(90_000, 1_000, worker);
    const after = env.posts.slice(before);
    expect(after).toHaveLength(400);
    for (const key of new Set(after.map(trackingNumberOf))) {
      const own = after.filter((post) => trackingNumberOf(post) === key).map(({ headers }) => headers['webhook-id']);
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
    await env.pass(100_000, 10_000, worker);
    expect(env.posts).toHaveLength(1);
    env.receive = () => answer(200);
    await env.pass(40_000, 10_000, worker);
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
    await env.pass(120_000, 60_000, worker);
    expect(env.ids()).toEqual([id]);
  });

  it('waits while no key opens its secret, and the process goes on', async () => {
    const id = env.add('A');
    const sealed = createVault(Buffer.alloc(32, 1).toString('base64')).seal(SECRET);
    await env.begin({ ...env.webhook, secrets: [{ sealed, created_at_ms: START_MS }] });
    const worker = env.worker();
    await env.untilQuiet(worker);
    expect(env.posts).toEqual([]);
    expect(env.crashes).toEqual([]);
    expect(env.tried()).toMatchObject([{ outcome: 'retry', reason: 'secret_unreadable' }]);
    expect(env.lines).toContain('error party_secret_unreadable');
    await env.states.webhooks.apply({ ...env.webhook, version: 2 });
    await env.pass(10_000, 1_000, worker);
    expect(env.ids()).toEqual([id]);
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

  it('begins nothing when the time of its outbox is over, and leaves nothing out', async () => {
    const ids = [env.add('A'), env.add('B'), env.add('A'), env.add('C')];
    env.receive = () => {
      env.nowMs += 3_000;
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
