import { outboxesOf } from '../../../domain/webhook/webhook.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { PartitionExtent } from '../../../kernel/log-follower.ts';
import type { WebhookRecorded, WebhookStates } from '../../../kernel/webhooks.ts';

/** What watching the ends of the log needs. */
export interface WatchEndsPorts {
  readonly webhooks: Pick<WebhookStates, 'wake'>;
  readonly clock: Clock;
  /** Where the partitions of these topics begin and end; rejects with `log_unavailable`. */
  readonly extents: (topics: readonly string[]) => Promise<readonly PartitionExtent[]>;
}

/** The ends of the partitions that webhooks send from. */
export interface EndsWatch {
  /** Asks for the ends when it is time, and wakes the outboxes that have something new. */
  poll(webhooks: readonly WebhookRecorded[]): Promise<void>;
  /** Where a partition begins and ends, as far as is known. */
  extentOf(topic: string, partition: number): PartitionExtent | undefined;
}

/**
 * Brings the outboxes of webhooks into their queues. An outbox leaves its queue when it has read
 * what there was, and a partition that grew brings it back. So does each sweep over all of them, as
 * the queues may be lost: what must be sent is in the log.
 */
export function createEndsWatch(
  { endsMs, sweepMs }: { readonly endsMs: number; readonly sweepMs: number },
  { webhooks: states, clock, extents }: WatchEndsPorts,
): EndsWatch {
  let known = new Map<string, PartitionExtent>();
  let versions = new Map<string, number>();
  let nextMs = 0;
  let sweepAtMs = 0;

  return {
    async poll(webhooks) {
      const nowMs = clock.nowMs();
      const isChanged = ({ webhook_id, version }: WebhookRecorded): boolean => (
        versions.get(webhook_id) !== version
      );
      if (webhooks.length === 0 || (nowMs < nextMs && !webhooks.some(isChanged))) return;
      const found = await extents(topicsOf(webhooks));
      const before = known;
      known = new Map(found.map((each) => [nameOf(each), each]));
      const isSweep = nowMs >= sweepAtMs;
      for (const webhook of webhooks) {
        const isWhole = isSweep || isChanged(webhook);
        await states.wake(outboxesOf(webhook).filter((outbox) => (
          isWhole || before.get(nameOf(outbox))?.end !== known.get(nameOf(outbox))?.end
        )), nowMs);
      }
      versions = new Map(webhooks.map(({ webhook_id, version }) => [webhook_id, version]));
      nextMs = nowMs + endsMs;
      if (isSweep) sweepAtMs = nowMs + sweepMs;
    },
    extentOf: (topic, partition) => known.get(nameOf({ topic, partition })),
  };
}

function topicsOf(webhooks: readonly WebhookRecorded[]): readonly string[] {
  return [...new Set(webhooks.flatMap(({ ranges }) => (
    ranges.flatMap(({ topics }) => topics.map(({ topic }) => topic))
  )))];
}

function nameOf(
  { topic, partition }: { readonly topic: string; readonly partition: number },
): string {
  return `${topic}:${partition}`;
}
