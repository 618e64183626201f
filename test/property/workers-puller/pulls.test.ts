import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideJourney } from '../../../services/domain/journey/journey.ts';
import { evolveJourney } from '../../../services/domain/journey/projection.ts';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import type { OutgoingRecord } from '../../../services/kernel/record-log.ts';
import type { FeedRead } from '../../../services/kernel/feeds.ts';
import type { ShipmentJourney } from '../../../services/kernel/shipments.ts';
import { createProgressApplier } from '../../../services/workers/parties/common/apply-progress.ts';
import { createNotificationReader } from '../../../services/workers/journey/read-notification.ts';
import { aLogRecord } from '../../support/fake-log-reader.ts';
import { CATALOGUE } from '../../support/journeys.ts';
import { aNotification } from '../../support/notifications.ts';
import { readRecord } from '../../support/read-record.ts';
import {
  createPullerEnv, digest, NAME, START_MS, type PullerEnv,
} from '../../unit/workers-puller/puller-env.ts';

class Death extends Error {}

type Event =
  | { readonly kind: 'poll'; readonly itemsMax: number }
  | { readonly kind: 'die' | 'fault' | 'lost answer'; readonly after: number }
  | { readonly kind: 'sick'; readonly status: number }
  | { readonly kind: 'two at once' | 'wipe' }
  | { readonly kind: 'publish'; readonly items: number };

const events = fc.array(fc.oneof<fc.Arbitrary<Event>[]>(
  fc.record({ kind: fc.constant('poll' as const), itemsMax: fc.integer({ min: 1, max: 5 }) }),
  fc.record({
    kind: fc.constantFrom('die' as const, 'fault' as const, 'lost answer' as const),
    after: fc.nat(6),
  }),
  fc.record({ kind: fc.constant('sick' as const), status: fc.constantFrom(500, 404, 429, 302, 200) }),
  fc.record({ kind: fc.constantFrom('two at once' as const, 'wipe' as const) }),
  fc.record({ kind: fc.constant('publish' as const), items: fc.integer({ min: 1, max: 4 }) }),
), { maxLength: 30 });

/** One carrier whose items are numbered; `strike` happens at the n-th append from now. */
function createRun() {
  const env = createPullerEnv();
  const facts: FeedRead[] = [];
  let published = 0;
  let left = Infinity;
  let strike: Exclude<Event['kind'], 'poll' | 'sick' | 'wipe'> = 'die';

  const { append } = env.log;
  env.log.append = async (record: OutgoingRecord, deadlineMs: number) => {
    left -= 1;
    if (left === -1 && strike === 'die') throw new Death();
    if (left === -1 && strike === 'fault') throw new Unavailable('log_unavailable', 'append', 'the test');
    await append(record, deadlineMs);
    if (record.topic === 'shipment.feeds.v1') checkCursor(env, record);
    if (left === -1) throw new Unavailable('log_timeout', 'append', 'the test');
  };

  /** The law: whatever a cursor in the log is behind of is in the log. */
  function checkCursor({ records }: PullerEnv, record: OutgoingRecord): void {
    const fact = JSON.parse(Buffer.from(record.value).toString()) as FeedRead;
    facts.push(fact);
    const there = new Set(records().map(({ value }) => numberOf(value)));
    for (let at = 0; at < Number(fact.cursor.slice(3)); at += 1) expect(there).toContain(at);
  }

  async function poll(pullers: number, itemsMax: number): Promise<void> {
    env.nowMs = Math.max(env.nowMs + 1, env.feeds.feedsDue(NAME.carrier).get('RST1') ?? 0);
    const polls = Array.from({ length: pullers }, async () => {
      // As if the lease of the other had run out: both have the same feed.
      await env.feeds.reschedule(NAME, env.nowMs, { failures: 0, itemsMax });
      await env.worker({ pageItemsMax: itemsMax }).poll();
    });
    await Promise.all(polls);
    left = Infinity;
    env.crashes = env.crashes.filter((crash) => !(crash instanceof Death));
  }

  async function happen(event: Event): Promise<void> {
    switch (event.kind) {
      case 'poll': return poll(1, event.itemsMax);
      case 'two at once': return poll(2, 3);
      case 'sick':
        env.carrier.twist = () => ({ status: event.status, body: 'oops' });
        await poll(1, 2);
        env.carrier.twist = () => undefined;
        return;
      case 'wipe': {
        env.feeds.wipe();
        await env.feeds.open(NAME, START_MS, NAME.tracking_number);
        const apply = createProgressApplier('feeds', env.feeds, readRecord);
        await apply(facts.map((fact, at) => aLogRecord('shipment.feeds.v1', at, fact)));
        env.feeds.markReady();
        return;
      }
      case 'publish':
        for (let end = published + event.items; published < end; published += 1) {
          env.carrier.publish('RST1', itemOf(published));
        }
        return;
      case 'die':
      case 'fault':
      case 'lost answer':
        strike = event.kind;
        left = event.after;
        return poll(1, 3);
    }
  }

  return { env, poll, happen, published: () => published };
}

const itemOf = (number: number) => aNotification('EX-HUB', {
  date: new Date(START_MS + number * 60_000).toISOString(), cost: number,
});
const numberOf = (value: unknown): number =>
  (value as { notification: { payload: { cost: number } } }).notification.payload.cost;

/** What the journey says about the log, item by item. */
function applied({ records }: PullerEnv): readonly number[] {
  let journey: ShipmentJourney | undefined;
  const read = createNotificationReader(readRecord, digest);
  return records().flatMap(({ value, key, headers }, at) => {
    const reading = read(aLogRecord('shipment.notifications.v1', at, value, { key, headers }));
    if (!reading.ok) throw new Error(reading.poison.detail);
    const event = decideJourney(CATALOGUE, journey, reading.value);
    journey = evolveJourney(journey, event);
    return event.outcome === 'applied' ? [numberOf(value)] : [];
  });
}

describe('The puller, whatever happens', () => {
  it('[PULL-07] appends every item, skips none, and each has its effect exactly once', async () => {
    await fc.assert(fc.asyncProperty(events, async (list) => {
      const { env, poll, happen, published } = createRun();
      await env.feeds.open(NAME, START_MS, NAME.tracking_number);
      await happen({ kind: 'publish', items: 3 });
      for (const event of list) await happen(event);
      const all = Array.from({ length: published() }, (_, at) => at);
      for (let at = 0; at < published() + 5; at += 1) await poll(1, 3);

      expect(env.crashes).toEqual([]);
      const numbers = new Set(env.records().map(({ value }) => numberOf(value)));
      expect([...numbers].sort((a, b) => a - b)).toEqual(all);
      expect(applied(env)).toEqual(all);
      const ids = new Set(env.records()
        .map(({ value, headers }) => `${numberOf(value)} ${headers['ingest-id'] ?? ''}`));
      expect(ids.size).toBe(all.length);
    }), { numRuns: 150 });
  }, 60_000);
});
