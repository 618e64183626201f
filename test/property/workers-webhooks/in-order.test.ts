import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { formatOutbox, type WebhookOutboxRead } from '../../../services/kernel/webhooks.ts';
import { outboxesOf } from '../../../services/domain/webhook/webhook.ts';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import { answer, createWebhookEnv } from '../../support/webhook-env.ts';

class Death extends Error {}

type Event =
  | { readonly kind: 'poll' }
  | { readonly kind: 'die' | 'fault' | 'lost answer'; readonly after: number }
  | { readonly kind: 'two at once' | 'wipe' }
  | { readonly kind: 'pass'; readonly seconds: number }
  | { readonly kind: 'publish'; readonly keys: readonly number[] };

/** How the receiver answers: by key and by the number of the post. */
interface Receiver {
  readonly badKey: number;
  readonly seed: number;
  readonly badPercent: number;
}

const events = fc.array(fc.oneof<fc.Arbitrary<Event>[]>(
  fc.record({ kind: fc.constant('poll' as const) }),
  fc.record({
    kind: fc.constantFrom('die' as const, 'fault' as const, 'lost answer' as const),
    after: fc.nat(12),
  }),
  fc.record({ kind: fc.constantFrom('two at once' as const, 'wipe' as const) }),
  fc.record({ kind: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 20_000 }) }),
  fc.record({
    kind: fc.constant('publish' as const),
    keys: fc.array(fc.nat(7), { minLength: 1, maxLength: 12 }),
  }),
), { maxLength: 25 });
const receivers = fc.record({
  badKey: fc.nat(7), seed: fc.nat(1_000), badPercent: fc.constantFrom(0, 30, 90),
});

/** One webhook that holds four keys at most; `strike` happens at the n-th append from now. */
function createRun({ badKey, seed, badPercent }: Receiver) {
  const env = createWebhookEnv();
  const published: { readonly key: string; readonly id: string }[] = [];
  const taken: string[] = [];
  let left = Infinity;
  let strike: 'die' | 'fault' | 'lost answer' = 'die';
  let isHealed = false;

  const { append } = env.log;
  env.log.append = async (record, deadlineMs) => {
    left -= 1;
    if (left === -1 && strike === 'die') throw new Death();
    if (left === -1 && strike === 'fault') throw new Unavailable('log_unavailable', 'append', 'the test');
    await append(record, deadlineMs);
    if (left === -1) throw new Unavailable('log_timeout', 'append', 'the test');
  };
  env.receive = (request) => {
    const id = request.headers['webhook-id'] ?? '';
    const isBad = published.find((fact) => fact.id === id)?.key === `K${badKey}`
      || (seed + env.posts.length * 7919) % 100 < badPercent;
    if (isBad && !isHealed) return answer(500);
    taken.push(id);
    return answer(200);
  };

  const limits = { heldMax: 4, factsMax: 5, recordsMax: 7, keysAtOnceMax: 2, sweepMs: 1_000 };
  async function poll(senders = 1): Promise<void> {
    env.nowMs += 1_000;
    const polls = Array.from({ length: senders }, async (_, at) => {
      // As if the lease of the other had run out: both have the same outboxes.
      for (const outbox of at === 0 ? [] : outboxesOf(env.webhook)) {
        await env.states.webhooks.reschedule(outbox, env.nowMs);
      }
      await env.worker(limits).poll();
    });
    await Promise.all(polls);
    left = Infinity;
    env.crashes = env.crashes.filter((crash) => !(crash instanceof Death));
  }

  async function happen(event: Event): Promise<void> {
    switch (event.kind) {
      case 'poll': return poll();
      case 'two at once': return poll(2);
      case 'wipe': return env.wipe();
      case 'pass': {
        env.nowMs += event.seconds * 1_000;
        return;
      }
      case 'publish':
        for (const key of event.keys) {
          const name = `K${key}`;
          published.push({ key: name, id: env.add(name, key % 3) });
        }
        return;
      case 'die':
      case 'fault':
      case 'lost answer':
        strike = event.kind;
        left = event.after;
        return poll();
    }
  }

  return { env, poll, happen, published, taken, heal: () => { isHealed = true; } };
}

describe('A webhook, whatever happens', () => {
  it('gets every fact, those of a key in order, and the log says so of each', async () => {
    await fc.assert(fc.asyncProperty(events, receivers, async (list, receiver) => {
      const { env, poll, happen, published, taken, heal } = createRun(receiver);
      await env.begin();
      await happen({ kind: 'publish', keys: [0, 1, 2, 0, 3, 4, 5, 6, 7, 0] });
      for (const event of list) await happen(event);
      heal();
      for (let at = 0; at < 40 && new Set(taken).size < published.length; at += 1) {
        env.nowMs += 3_600_000;
        await poll();
      }
      await poll();

      expect(env.crashes).toEqual([]);
      // A repeat has the id of the first: what counts is when each id came first.
      const first = [...new Set(taken)];
      for (const key of new Set(published.map((fact) => fact.key))) {
        const wanted = published.filter((fact) => fact.key === key).map(({ id }) => id);
        expect(first.filter((id) => wanted.includes(id))).toEqual(wanted);
      }
      const delivered = new Set(env.tried().filter(({ outcome }) => outcome === 'delivered').map(({ record_id }) => record_id));
      expect(delivered).toEqual(new Set(published.map(({ id }) => id)));
      const outboxes = new Map(env.log.of(TOPICS.webhookOutboxes.name).map(({ key, value }) => (
        [key, value as WebhookOutboxRead]
      )));
      for (const outbox of outboxesOf(env.webhook)) {
        expect(outboxes.get(formatOutbox(outbox))?.held ?? []).toEqual([]);
      }
    }), { numRuns: 60 });
  });
});
