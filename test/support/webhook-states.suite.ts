import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  formatOutbox, type OutboxName, type WebhookOutboxRead, type WebhookStates,
} from '../../services/kernel/webhooks.ts';
import { aWebhook } from './webhook-env.ts';

/** The port of one implementation under test. */
export interface OpenedWebhooks {
  readonly webhooks: WebhookStates;
  close(): Promise<void> | void;
}

const NOW_MS = Date.now();

function anOutbox(name: OutboxName, version: number, cursor: number): WebhookOutboxRead {
  return {
    type: 'WebhookOutboxRead', ...name, topic_id: 't', cursor, version, at_ms: NOW_MS,
    held: [{ key: 'RST 1:é|', offset: 3, failures: 1, since_ms: 1, tried_at_ms: 1, due_ms: 2 }],
  };
}

/** What every implementation of the port about webhooks must do. */
export function webhookStatesSuite(open: () => Promise<OpenedWebhooks>): void {
  let opened: OpenedWebhooks;
  let webhooks: WebhookStates;
  let webhook_id: string;
  let outbox: OutboxName;
  beforeEach(async () => {
    opened = await open();
    webhooks = opened.webhooks;
    webhook_id = `w-${randomUUID()}`;
    outbox = { webhook_id, range_id: 'live', topic: 'shipment.journey.v1', partition: 2 };
  });
  afterEach(() => opened.close());

  const own = async () => (
    (await webhooks.active()).filter((each) => each.webhook_id === webhook_id)
  );
  const stored = async () => (await webhooks.loadOutboxes([outbox]))[0];

  it('has the newest version of each active webhook', async () => {
    const webhook = aWebhook('100000000000042', { webhook_id });
    await webhooks.apply({ ...webhook, version: 2, name: 'Newer' });
    await webhooks.apply(webhook);
    expect(await own()).toEqual([{ ...webhook, version: 2, name: 'Newer' }]);
    await webhooks.apply({ ...webhook, version: 3, status: 'paused' });
    expect(await own()).toEqual([]);
  });

  it('takes an outbox for one process at a time, and again when its lease is over', async () => {
    const name = formatOutbox(outbox);
    await webhooks.wake([outbox], NOW_MS);
    expect(await webhooks.takeDue(webhook_id, NOW_MS - 1, 1_000, 9)).toEqual([]);
    expect(await webhooks.takeDue('w-other', NOW_MS, 1_000, 9)).toEqual([]);
    expect(await webhooks.takeDue(webhook_id, NOW_MS, 1_000, 9)).toEqual([name]);
    await webhooks.wake([outbox], NOW_MS);
    expect(await webhooks.takeDue(webhook_id, NOW_MS, 1_000, 9)).toEqual([]);
    expect(await webhooks.takeDue(webhook_id, NOW_MS + 1_000, 1_000, 9)).toEqual([name]);
    await webhooks.reschedule(outbox, undefined);
    expect(await webhooks.takeDue(webhook_id, NOW_MS + 9_000, 1_000, 9)).toEqual([]);
  });

  it('keeps the progress of an outbox, and takes of two facts of one version the first', async () => {
    expect(await stored()).toEqual({ fact: undefined, readTo: undefined });
    await webhooks.advance(anOutbox(outbox, 1, 10));
    await webhooks.advance(anOutbox(outbox, 1, 99));
    expect(await stored()).toEqual({ fact: anOutbox(outbox, 1, 10), readTo: undefined });
    await webhooks.advance(anOutbox(outbox, 2, 11));
    await webhooks.advance(anOutbox(outbox, 1, 10));
    const other = { ...outbox, partition: 3 };
    expect(await webhooks.loadOutboxes([other, outbox])).toEqual([
      { fact: undefined, readTo: undefined }, { fact: anOutbox(outbox, 2, 11), readTo: undefined },
    ]);
  });

  it('keeps up to where an outbox was read, only as long as its fact is the same', async () => {
    await webhooks.advance(anOutbox(outbox, 2, 10));
    await webhooks.readOn(outbox, 1, 99);
    await webhooks.readOn(outbox, 2, 20);
    await webhooks.readOn(outbox, 2, 15);
    expect(await stored()).toEqual({ fact: anOutbox(outbox, 2, 10), readTo: 20 });
    await webhooks.advance(anOutbox(outbox, 3, 21));
    expect(await stored()).toEqual({ fact: anOutbox(outbox, 3, 21), readTo: undefined });
  });
}
