import type {
  OutboxName, WebhookOutboxRead, WebhookRange, WebhookRecorded, WebhookSecret,
} from '../../kernel/webhooks.ts';

/** What of a webhook an operator may change. */
export type WebhookChange = Partial<Pick<
  WebhookRecorded, 'secrets' | 'ranges' | 'skipped' | 'status' | 'resumed_at_ms'
>>;

/** One kind of facts that a webhook may get. */
export type WebhookKind = WebhookRecorded['kinds'][number];

/** The kinds of facts that webhooks get: those of a feed, without receipts. */
export const WEBHOOK_KINDS: readonly WebhookKind[] = [
  'device', 'journey', 'command', 'dead_letter',
];

/** Secrets that may sign at one time. */
const SECRETS_MAX = 4;
/** The range of a webhook that has no end. */
export const LIVE_RANGE = 'live';

/** The next version of a webhook. A removed one keeps no secret and sends nothing. */
export function changeWebhook(
  webhook: WebhookRecorded, change: WebhookChange, atMs: number,
): WebhookRecorded {
  const next = { ...webhook, ...change, version: webhook.version + 1, at_ms: atMs };
  return next.status === 'removed' ? { ...next, secrets: [], ranges: [], skipped: [] } : next;
}

/** The newer of two facts about one webhook; a repeat changes nothing. */
export function newestWebhook(
  known: WebhookRecorded | undefined, fact: WebhookRecorded,
): WebhookRecorded {
  return known !== undefined && known.version >= fact.version ? known : fact;
}

/** The secrets with a new one, beside which the others sign until `untilMs`. */
export function rotated(
  secrets: readonly WebhookSecret[], sealed: string, nowMs: number, untilMs: number,
): WebhookSecret[] {
  const kept = liveSecrets(secrets, nowMs).map((secret) => (
    { ...secret, expires_at_ms: Math.min(secret.expires_at_ms ?? untilMs, untilMs) }
  ));
  return [{ sealed, created_at_ms: nowMs }, ...kept].slice(0, SECRETS_MAX);
}

/** The secrets that sign now, the newest first. */
export function liveSecrets(
  secrets: readonly WebhookSecret[], nowMs: number,
): readonly WebhookSecret[] {
  return secrets.filter(({ expires_at_ms = Infinity }) => expires_at_ms > nowMs);
}

/** An outbox of a webhook, with the part of its partition that it sends. */
export interface OutboxBounds {
  readonly topicId: string;
  readonly start: number;
  /** Offset behind the last record of a replay; undefined where there is no end. */
  readonly end: number | undefined;
}

/** Every outbox of a webhook, by its ranges. */
export function outboxesOf({ webhook_id, ranges }: WebhookRecorded): readonly OutboxName[] {
  return ranges.flatMap(({ range_id, topics }) => topics.flatMap(({ topic, starts }) => (
    starts.map((_, partition) => ({ webhook_id, range_id, topic, partition }))
  )));
}

/** What an outbox sends; undefined for one that the webhook does not have, or not any more. */
export function boundsOf(
  { ranges }: WebhookRecorded, { range_id, topic, partition }: OutboxName,
): OutboxBounds | undefined {
  const range = ranges.find((each) => each.range_id === range_id)?.topics
    .find((each) => each.topic === topic);
  const start = range?.starts[partition];
  if (range === undefined || start === undefined) return undefined;
  return { topicId: range.topic_id, start, end: range.ends?.[partition] };
}

/** True when a replay has sent all that it has, by the newest facts about its outboxes. */
export function isReplayed(
  { range_id, topics }: WebhookRange,
  outboxOf: (topic: string, partition: number) => Pick<WebhookOutboxRead, 'cursor' | 'held'> | undefined,
): boolean {
  return range_id !== LIVE_RANGE && topics.every(({ topic, starts, ends = [] }) => (
    starts.every((start, partition) => {
      const end = ends[partition] ?? Infinity;
      const outbox = outboxOf(topic, partition);
      if (start >= end) return true;
      return outbox !== undefined && outbox.cursor >= end && outbox.held.length === 0;
    })
  ));
}

/** One partition, and where it begins and ends; without an end a range that goes on. */
export interface RangePart {
  readonly topic: string;
  readonly topicId: string;
  readonly partition: number;
  readonly start: number;
  readonly end?: number;
}

/** A range of partitions, of which each topic has all that it has. */
export function rangeOf(rangeId: string, parts: readonly RangePart[]): WebhookRange {
  const byTopic = Map.groupBy(parts, ({ topic }) => topic);
  return {
    range_id: rangeId,
    topics: [...byTopic].map(([topic, unsorted]) => {
      const own = unsorted.toSorted((a, b) => a.partition - b.partition);
      const ends = own.flatMap(({ end }) => end ?? []);
      return {
        topic, topic_id: own[0]?.topicId ?? '', starts: own.map(({ start }) => start),
        ...(ends.length === own.length ? { ends } : {}),
      };
    }),
  };
}
