import { shardOf } from '../kernel/shards.ts';
import type { StateFields, StateKey, StateStore } from '../kernel/state-store.ts';
import {
  formatOutbox, type OutboxName, type StoredOutbox, type WebhookOutboxRead,
  type WebhookRecorded, type WebhookStates,
} from '../kernel/webhooks.ts';
import { newestWebhook } from '../domain/webhook/webhook.ts';
import { createDueQueue } from './due-queue.ts';
import { jsonIn, numberIn } from './entries.ts';
import { changing, FROM_THE_LOG, READY } from './fold-facts.ts';
import { transact } from './transact.ts';

const WEBHOOKS: StateKey = { shard: 0, kind: 'webhooks', id: '' };

/**
 * Webhooks in the shard of their id, with their outboxes and a queue of these beside them, and one
 * list of all. A receiver that is sick fills only its own queue.
 */
export function createWebhookStates(store: StateStore): WebhookStates {
  const queueOf = (webhookId: string) => createDueQueue(store, queueKey(webhookId));

  return {
    async active() {
      const { entries: [list] } = await store.read([WEBHOOKS], READY);
      const ids = [...list?.fields.keys() ?? []];
      if (ids.length === 0) return [];
      const { entries } = await store.read(ids.map(webhookKey), READY);
      return entries.flatMap(({ fields }) => webhookIn(fields) ?? [])
        .filter(({ status }) => status === 'active');
    },

    /** The list first: a webhook that is there is in it. */
    async apply(fact) {
      const { webhook_id } = fact;
      await transact(store, FROM_THE_LOG, changing(WEBHOOKS, ({ fields }) => (
        { fields: { ...Object.fromEntries(fields), [webhook_id]: 1 } }
      )));
      await transact(store, FROM_THE_LOG, changing(webhookKey(webhook_id), ({ fields }) => {
        const webhook = newestWebhook(webhookIn(fields), fact);
        return { fields: { version: webhook.version, fact: JSON.stringify(webhook) } };
      }));
    },

    async loadOutboxes(names) {
      if (names.length === 0) return [];
      const { entries } = await store.read(names.map(outboxKey), READY);
      return entries.map(({ fields }) => outboxIn(fields));
    },

    advance: (fact) => transact(store, FROM_THE_LOG, changing(outboxKey(fact), ({ fields }) => {
      const kept = outboxIn(fields).fact;
      if (kept !== undefined && kept.version >= fact.version) return undefined;
      return { fields: { fact: JSON.stringify(fact) } };
    })),

    readOn: (name, version, readTo) => transact(store, FROM_THE_LOG, changing(
      outboxKey(name), ({ fields }) => {
        const kept = outboxIn(fields);
        if ((kept.fact?.version ?? 0) !== version || (kept.readTo ?? 0) >= readTo) return undefined;
        return { fields: { ...Object.fromEntries(fields), read_to: readTo } };
      },
    )),

    takeDue: (webhookId, nowMs, leaseMs, outboxesMax) =>
      queueOf(webhookId).takeDue(nowMs, leaseMs, outboxesMax),

    reschedule: (name, dueMs) => queueOf(name.webhook_id).reschedule(formatOutbox(name), dueMs),

    async wake(names, nowMs) {
      const [first] = names;
      if (first === undefined) return;
      const addNew = names.map((name) => ({ member: formatOutbox(name), score: nowMs }));
      await store.commit(
        [{ entries: [], members: [{ key: queueKey(first.webhook_id), addNew }] }], FROM_THE_LOG,
      );
    },
  };
}

function webhookKey(webhookId: string): StateKey {
  return { shard: shardOf(webhookId), kind: 'webhook', id: webhookId };
}

function outboxKey(name: OutboxName): StateKey {
  return { shard: shardOf(name.webhook_id), kind: 'webhook-outbox', id: formatOutbox(name) };
}

function queueKey(webhookId: string): StateKey {
  return { shard: shardOf(webhookId), kind: 'webhook-outboxes-due', id: webhookId };
}

function webhookIn(fields: StateFields): WebhookRecorded | undefined {
  return jsonIn<WebhookRecorded>(fields, 'fact');
}

function outboxIn(fields: StateFields): StoredOutbox {
  return {
    fact: jsonIn<WebhookOutboxRead>(fields, 'fact'), readTo: numberIn(fields, 'read_to'),
  };
}
