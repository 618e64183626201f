import { boundsOf, lanesOf, liveSecrets } from '../../domain/webhook/webhook.ts';
import type { PartitionExtent } from '../../kernel/log-follower.ts';
import {
  formatLane, type WebhookHeldKey, type WebhookLaneRead, type WebhookRecorded,
} from '../../kernel/webhooks.ts';
import { formatRecordId } from '../../kernel/record-id.ts';
import type { Report } from '../ports.ts';
import { at, tableOf } from '../print/lines.ts';
import { membersOf } from '../print/members.ts';

type Lanes = ReadonlyMap<string, WebhookLaneRead>;

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

/** The report of a webhook and of how far its lanes are. */
export function shownWithLanes(
  webhook: WebhookRecorded, lanes: Lanes, extents: readonly PartitionExtent[], nowMs: number,
): Report {
  const held = heldOf([webhook], lanes);
  const value = {
    ...shownOf(webhook, nowMs),
    records_to_read: recordsToRead(webhook, lanes, extents),
    waiting_keys: held.length,
    parked_keys: held.filter(({ each }) => each.parked === true).length,
  };
  return { value, lines: membersOf(value), exitCode: 0 };
}

/** The report of all webhooks. */
export function listed(webhooks: readonly WebhookRecorded[], lanes: Lanes, nowMs: number): Report {
  return {
    value: webhooks.map((webhook) => shownOf(webhook, nowMs)),
    lines: webhooks.length === 0 ? ['There is no webhook.'] : tableOf(
      ['WEBHOOK', 'CLIENT', 'STATUS', 'KINDS', 'WAITING', 'PARKED', 'NAME', 'URL'],
      webhooks.map((webhook) => {
        const held = heldOf([webhook], lanes);
        const parked = held.filter(({ each }) => each.parked === true).length;
        const { webhook_id, client_id, status, kinds, name, url } = webhook;
        return [webhook_id, client_id, status, kinds.join(), held.length, parked, name, url];
      }),
    ),
    exitCode: 0,
  };
}

/** The report of what is parked: the first fact of each key that waits for an operator. */
export function parkedIn(webhooks: readonly WebhookRecorded[], lanes: Lanes): Report {
  const parked = heldOf(webhooks, lanes).filter(({ each }) => each.parked === true)
    .map(({ lane, each }) => ({
      webhook_id: lane.webhook_id, range_id: lane.range_id, key: each.key, topic: lane.topic,
      record_id: formatRecordId({
        topicId: lane.topic_id, partition: lane.partition, offset: BigInt(each.offset),
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

/** The keys that wait at these webhooks, with their lanes. */
function heldOf(
  webhooks: readonly WebhookRecorded[], lanes: Lanes,
): readonly { readonly lane: WebhookLaneRead; readonly each: WebhookHeldKey }[] {
  return webhooks.flatMap(lanesOf).flatMap((name) => {
    const lane = lanes.get(formatLane(name));
    return lane === undefined ? [] : lane.held.map((each) => ({ lane, each }));
  });
}

/** Records that its lanes have not read yet; not all of them are facts for it. */
function recordsToRead(
  webhook: WebhookRecorded, lanes: Lanes, extents: readonly PartitionExtent[],
): number {
  const ends = new Map(extents.map(({ topic, partition, end }) => [`${topic}:${partition}`, end]));
  return lanesOf(webhook).reduce((sum, name) => {
    const bounds = boundsOf(webhook, name);
    const logEnd = Number(ends.get(`${name.topic}:${name.partition}`) ?? 0);
    const cursor = lanes.get(formatLane(name))?.cursor ?? bounds?.start ?? 0;
    return sum + Math.max(0, Math.min(logEnd, bounds?.end ?? Infinity) - cursor);
  }, 0);
}
