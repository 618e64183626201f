import type { Digest } from '../kernel/digest.ts';
import type { FeedName, FeedStates } from '../kernel/feeds.ts';
import { shardOf } from '../kernel/shards.ts';
import type { StateFields, StateKey, StateStore } from '../kernel/state-store.ts';
import {
  foldCancelled, foldOpened, foldPolled, foldRead, storedFeedOf, UNKNOWN_FEED, type FeedRecord,
} from '../domain/feed/projection.ts';
import { createDueQueue, type FilledQueue } from './due-queue.ts';
import { numberIn, type NextEntry } from './entries.ts';
import { changing, FROM_THE_LOG, READY } from './fold-facts.ts';
import { transact } from './transact.ts';

/** Feeds and cancellations are kept a day longer than any feed is polled. */
const KEPT_MS = 91 * 86_400_000;

/**
 * Feeds in the shard of their tracking number, beside the cancellation of the number, and a queue
 * for each carrier in the shard of its party: a carrier that is sick fills only its own.
 */
export function createFeedStates(
  ports: { readonly store: StateStore; readonly digest: Digest },
): FeedStates {
  const { store, digest } = ports;
  const keyOf = ({ carrier, tracking_number }: FeedName): StateKey => ({
    shard: shardOf(tracking_number), kind: 'feed', id: digest(`${carrier}\0${tracking_number}`),
  });
  const queueOf = (carrier: string): FilledQueue =>
    createDueQueue(store, { shard: shardOf(carrier), kind: 'feeds-due', id: carrier });

  /** Without a time of its own an entry keeps the expiry that it has. */
  async function fold(
    key: StateKey, step: (feed: FeedRecord) => FeedRecord,
    expireAtMs: (feed: FeedRecord) => number | undefined,
  ): Promise<void> {
    await transact(store, FROM_THE_LOG, changing(key, ({ fields }) => {
      const kept = feedIn(fields);
      return { ...fieldsOf(step(kept)), expireAtMs: expireAtMs(kept) };
    }));
  }

  return {
    takeDue: (carrier, nowMs, leaseMs, feedsMax) =>
      queueOf(carrier).takeDue(nowMs, leaseMs, feedsMax),

    async load(name) {
      const { entries } = await store.read(
        [keyOf(name), cancellationKey(name.tracking_number)], READY,
      );
      return storedFeedOf(feedIn(entries[0]?.fields), cancelledIn(entries[1]?.fields));
    },

    async reschedule(name, dueMs, progress) {
      await fold(keyOf(name), (feed) => foldPolled(feed, dueMs, progress), () => undefined);
      await queueOf(name.carrier).reschedule(name.tracking_number, dueMs);
    },

    end: ({ carrier, tracking_number }) => queueOf(carrier).reschedule(tracking_number, undefined),

    async open(name, atMs, spelling) {
      await fold(
        keyOf(name), (feed) => foldOpened(feed, atMs, spelling), () => atMs + KEPT_MS,
      );
      await queueOf(name.carrier).enqueue(name.tracking_number, atMs, atMs - KEPT_MS);
    },

    async cancel(trackingNumber, atMs) {
      const key = cancellationKey(trackingNumber);
      await transact(store, FROM_THE_LOG, changing(key, ({ fields }) => {
        const at_ms = foldCancelled(cancelledIn(fields), atMs);
        return { fields: { at_ms }, expireAtMs: at_ms + KEPT_MS };
      }));
    },

    advance: (fact) => fold(
      keyOf(fact), (feed) => foldRead(feed, fact),
      (kept) => kept === UNKNOWN_FEED ? fact.at_ms + KEPT_MS : undefined,
    ),
  };
}

function cancellationKey(trackingNumber: string): StateKey {
  return { shard: shardOf(trackingNumber), kind: 'cancellation', id: trackingNumber };
}

function cancelledIn(fields: StateFields | undefined): number | undefined {
  return fields && numberIn(fields, 'at_ms');
}

function feedIn(fields: StateFields | undefined): FeedRecord {
  if (fields === undefined || fields.size === 0) return UNKNOWN_FEED;
  const due_ms = numberIn(fields, 'due_ms');
  return {
    opened_at_ms: numberIn(fields, 'opened_at_ms'),
    spelling: fields.get('spelling'),
    items: numberIn(fields, 'items') ?? 0,
    pages: numberIn(fields, 'pages') ?? 0,
    cursor: fields.get('cursor'),
    polled: due_ms === undefined ? undefined : {
      due_ms,
      progress: {
        failures: numberIn(fields, 'failures') ?? 0,
        itemsMax: numberIn(fields, 'items_max') ?? 0,
      },
    },
  };
}

function fieldsOf({ opened_at_ms, spelling, items, pages, cursor, polled }: FeedRecord): NextEntry {
  return {
    fields: {
      opened_at_ms,
      spelling,
      ...(cursor === undefined ? {} : { items, pages, cursor }),
      due_ms: polled?.due_ms,
      failures: polled?.progress.failures,
      items_max: polled?.progress.itemsMax,
    },
  };
}
