import { boundsOf, outboxesOf, liveSecrets } from '../../domain/webhook/webhook.ts';
import type { PartitionExtent } from '../../kernel/log-follower.ts';
import {
  formatOutbox, type WebhookHeldKey, type WebhookOutboxRead, type WebhookRecorded,
} from '../../kernel/webhooks.ts';
import { formatRecordId } from '../../kernel/record-id.ts';
import type { Report } from '../ports.ts';
import { at, tableOf } from '../print/lines.ts';
import { membersOf } from '../print/members.ts';

type Outboxes = ReadonlyMap<string, WebhookOutboxRead>;

/** A webhook for eyes, without its secrets, not even sealed ones. */
function shownOf({ type: _, secrets, ranges, ...webhook }: WebhookRecorded, nowMs: number) {
  return {
    ...webhook, secrets: liveSecrets(secrets, nowMs).length,
    ranges: ranges.map(({ range_id }) => range_id),
  };
}

/** The report of a webhook that was recorded. */
export function shown(webhook: WebhookRecorded, nowMs: number): Report {
  const value = shownOf(webhook, nowMs);
  return { value, lines: membersOf(value), exitCode: 0 };
}

/** The report of a webhook and of the progress of its outboxes. */
export function shownWithOutboxes(
  webhook: WebhookRecorded, outboxes: Outboxes, extents: readonly PartitionExtent[], nowMs: number,
): Report {
  const held = heldOf([webhook], outboxes);
  const value = {
    ...shownOf(webhook, nowMs),
    records_to_read: recordsToRead(webhook, outboxes, extents),
    waiting_keys: held.length,
    parked_keys: held.filter(({ each }) => each.parked === true).length,
  };
  return { value, lines: membersOf(value), exitCode: 0 };
}

/** The report of all webhooks. */
export function listed(
  webhooks: readonly WebhookRecorded[], outboxes: Outboxes, nowMs: number,
): Report {
  return {
    value: webhooks.map((webhook) => shownOf(webhook, nowMs)),
    lines: webhooks.length === 0 ? ['There is no webhook.'] : tableOf(
      ['WEBHOOK', 'CLIENT', 'STATUS', 'KINDS', 'WAITING', 'PARKED', 'NAME', 'URL'],
      webhooks.map((webhook) => {
        const held = heldOf([webhook], outboxes);
        const parked = held.filter(({ each }) => each.parked === true).length;
        const { webhook_id, client_id, status, kinds, name, url } = webhook;
        return [webhook_id, client_id, status, kinds.join(), held.length, parked, name, url];
      }),
    ),
    exitCode: 0,
  };
}

/** The report of what is parked: the first fact of each key that waits for an operator. */
export function parkedIn(webhooks: readonly WebhookRecorded[], outboxes: Outboxes): Report {
  const parked = heldOf(webhooks, outboxes).filter(({ each }) => each.parked === true)
    .map(({ outbox, each }) => ({
      webhook_id: outbox.webhook_id, range_id: outbox.range_id, key: each.key, topic: outbox.topic,
      record_id: formatRecordId({
        topicId: outbox.topic_id, partition: outbox.partition, offset: BigInt(each.offset),
      }),
      tries: each.failures, since_ms: each.since_ms, tried_at_ms: each.tried_at_ms,
      reason: each.reason, status: each.status,
    }));
  return {
    value: { parked },
    lines: parked.length === 0 ? ['Nothing is parked.'] : tableOf(
      ['WEBHOOK', 'KEY', 'RECORD', 'TRIES', 'SINCE', 'REASON', 'STATUS'],
      parked.map((each) => [
        each.webhook_id, each.key, each.record_id, each.tries, at(each.since_ms),
        each.reason ?? '-', each.status ?? '-',
      ]),
    ),
    exitCode: 0,
  };
}

/** The keys that wait at these webhooks, with their outboxes. */
function heldOf(
  webhooks: readonly WebhookRecorded[], outboxes: Outboxes,
): readonly { readonly outbox: WebhookOutboxRead; readonly each: WebhookHeldKey }[] {
  return webhooks.flatMap(outboxesOf).flatMap((name) => {
    const outbox = outboxes.get(formatOutbox(name));
    return outbox === undefined ? [] : outbox.held.map((each) => ({ outbox, each }));
  });
}

/** Records that its outboxes have not read yet; not all of them are facts for it. */
function recordsToRead(
  webhook: WebhookRecorded, outboxes: Outboxes, extents: readonly PartitionExtent[],
): number {
  const ends = new Map(extents.map(({ topic, partition, end }) => [`${topic}:${partition}`, end]));
  return outboxesOf(webhook).reduce((sum, name) => {
    const bounds = boundsOf(webhook, name);
    const logEnd = Number(ends.get(`${name.topic}:${name.partition}`) ?? 0);
    const cursor = outboxes.get(formatOutbox(name))?.cursor ?? bounds?.start ?? 0;
    return sum + Math.max(0, Math.min(logEnd, bounds?.end ?? Infinity) - cursor);
  }, 0);
}
