import { shardOf } from '../kernel/shards.ts';
import type { StateFields, StateKey, StateStore } from '../kernel/state-store.ts';
import {
  formatLane, type LaneName, type StoredLane, type WebhookLaneRead,
  type WebhookRecorded, type WebhookStates,
} from '../kernel/webhooks.ts';
import { newestWebhook } from '../domain/webhook/webhook.ts';
import { createDueQueue } from './due-queue.ts';
import { jsonIn, numberIn } from './entries.ts';
import { changing, FROM_THE_LOG, READY } from './fold-facts.ts';
import { transact } from './transact.ts';

const WEBHOOKS: StateKey = { shard: 0, kind: 'webhooks', id: '' };

/**
 * Webhooks in the shard of their id, with their lanes and a queue of these beside them, and one
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

    async loadLanes(names) {
      if (names.length === 0) return [];
      const { entries } = await store.read(names.map(laneKey), READY);
      return entries.map(({ fields }) => laneIn(fields));
    },

    advance: (fact) => transact(store, FROM_THE_LOG, changing(laneKey(fact), ({ fields }) => {
      const kept = laneIn(fields).fact;
      if (kept !== undefined && kept.version >= fact.version) return undefined;
      return { fields: { fact: JSON.stringify(fact) } };
    })),

    readOn: (name, version, readTo) => transact(store, FROM_THE_LOG, changing(
      laneKey(name), ({ fields }) => {
        const kept = laneIn(fields);
        if ((kept.fact?.version ?? 0) !== version || (kept.readTo ?? 0) >= readTo) return undefined;
        return { fields: { ...Object.fromEntries(fields), read_to: readTo } };
      },
    )),

    takeDue: (webhookId, nowMs, leaseMs, lanesMax) =>
      queueOf(webhookId).takeDue(nowMs, leaseMs, lanesMax),

    reschedule: (name, dueMs) => queueOf(name.webhook_id).reschedule(formatLane(name), dueMs),

    async wake(names, nowMs) {
      const [first] = names;
      if (first === undefined) return;
      const addNew = names.map((name) => ({ member: formatLane(name), score: nowMs }));
      await store.commit(
        [{ entries: [], members: [{ key: queueKey(first.webhook_id), addNew }] }], FROM_THE_LOG,
      );
    },
  };
}

function webhookKey(webhookId: string): StateKey {
  return { shard: shardOf(webhookId), kind: 'webhook', id: webhookId };
}

function laneKey(name: LaneName): StateKey {
  return { shard: shardOf(name.webhook_id), kind: 'webhook-lane', id: formatLane(name) };
}

function queueKey(webhookId: string): StateKey {
  return { shard: shardOf(webhookId), kind: 'webhook-lanes-due', id: webhookId };
}

function webhookIn(fields: StateFields): WebhookRecorded | undefined {
  return jsonIn<WebhookRecorded>(fields, 'fact');
}

function laneIn(fields: StateFields): StoredLane {
  return {
    fact: jsonIn<WebhookLaneRead>(fields, 'fact'), readTo: numberIn(fields, 'read_to'),
  };
}
