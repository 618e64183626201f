import type { FeedName, FeedStates, StoredFeed } from '../../kernel/feeds.ts';
import { shardOf } from '../../kernel/shards.ts';
import { entityDigest, keys, tagOf } from './keys.ts';
import type { RunScript } from './script-runner.ts';
import { toFields } from './texts.ts';

/** Feeds and cancellations are kept a day longer than any feed is polled. */
const KEPT_MS = 91 * 86_400_000;

/**
 * Feeds as hashes in the shard of their tracking number, beside the cancellation of the number, and
 * a queue for each carrier in the shard of its party: a carrier that is sick fills only its own.
 */
export function createFeedStates(runScript: RunScript): FeedStates {
  return {
    async takeDue(carrier, nowMs, leaseMs, feedsMax) {
      const due = await runScript(
        'take-due', [queueOf(carrier)], [nowMs, nowMs + leaseMs, feedsMax],
      );
      return due as readonly string[];
    },

    async load(name) {
      const tag = tagOf(shardOf(name.tracking_number));
      const reply = await runScript(
        'load-feed', [keys.ready(tag), keyOf(name), cancellationOf(name.tracking_number)], [],
      );
      const [flat, cancelledAt] = reply as readonly [unknown, string];
      return feedIn(toFields(flat), cancelledAt);
    },

    async reschedule(name, dueMs, { failures, itemsMax }) {
      await runScript('note-poll', [keyOf(name)], [dueMs, failures, itemsMax]);
      await runScript('settle-due-call', [queueOf(name.carrier)], [name.tracking_number, dueMs, 0]);
    },

    async end({ carrier, tracking_number }) {
      await runScript('settle-due-call', [queueOf(carrier)], [tracking_number, '', 0]);
    },

    async open(name, atMs) {
      await runScript('open-feed', [keyOf(name)], [atMs, atMs + KEPT_MS]);
      const oldestMs = atMs - KEPT_MS;
      await runScript(
        'queue-feed', [queueOf(name.carrier)], [name.tracking_number, atMs, oldestMs],
      );
    },

    async cancel(trackingNumber, atMs) {
      await runScript('cancel-feed', [cancellationOf(trackingNumber)], [atMs, atMs + KEPT_MS]);
    },

    async advance({ carrier, tracking_number, items, pages, cursor, at_ms }) {
      await runScript(
        'advance-feed', [keyOf({ carrier, tracking_number })],
        [items, pages, cursor, at_ms + KEPT_MS],
      );
    },
  };
}

function queueOf(carrier: string): string {
  return keys.feedsDue(tagOf(shardOf(carrier)), carrier);
}

function keyOf({ carrier, tracking_number }: FeedName): string {
  return keys.feed(tagOf(shardOf(tracking_number)), entityDigest(carrier, tracking_number));
}

function cancellationOf(trackingNumber: string): string {
  return keys.cancellation(tagOf(shardOf(trackingNumber)), trackingNumber);
}

function feedIn(
  fields: ReadonlyMap<string, string> | undefined, cancelledAt: string,
): StoredFeed | undefined {
  const openedAt = fields?.get('opened_at_ms');
  if (fields === undefined || openedAt === undefined) return undefined;
  const due = fields.get('due_ms');
  return {
    opened_at_ms: Number(openedAt),
    cancelled_at_ms: cancelledAt === '' ? undefined : Number(cancelledAt),
    items: Number(fields.get('items') ?? 0),
    pages: Number(fields.get('pages') ?? 0),
    cursor: fields.get('cursor'),
    polled: due === undefined ? undefined : {
      due_ms: Number(due),
      progress: {
        failures: Number(fields.get('failures')), itemsMax: Number(fields.get('items_max')),
      },
    },
  };
}
