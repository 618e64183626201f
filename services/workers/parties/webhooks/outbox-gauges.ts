import { outboxesOf } from '../../../domain/webhook/webhook.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Signals } from '../../../kernel/signals.ts';
import type { WebhookRecorded, WebhookStates } from '../../../kernel/webhooks.ts';

/** What counting needs. */
export interface OutboxGaugesPorts {
  readonly webhooks: Pick<WebhookStates, 'loadOutboxes'>;
  readonly clock: Clock;
  readonly signals: Signals;
}

/**
 * Makes what counts the keys that wait at all active webhooks, at most once in `sweepMs`. Every
 * process shows the same, so that an alarm takes the most of them.
 */
export function createOutboxGauges(
  { sweepMs }: { readonly sweepMs: number },
  { webhooks: states, clock, signals }: OutboxGaugesPorts,
): (webhooks: readonly WebhookRecorded[]) => Promise<void> {
  let nextMs = 0;
  return async function countOutboxes(webhooks) {
    const nowMs = clock.nowMs();
    if (nowMs < nextMs) return;
    nextMs = nowMs + sweepMs;
    const outboxes = await states.loadOutboxes(webhooks.flatMap(outboxesOf));
    const held = outboxes.flatMap(({ fact }) => fact?.held ?? []);
    const open = held.filter(({ parked }) => parked !== true);
    const sinceMs = Math.min(nowMs, ...open.map(({ since_ms }) => since_ms));
    signals.webhookOutboxesSeen({
      waiting: held.length, keys: held.length - open.length, seconds: (nowMs - sinceMs) / 1_000,
    });
  };
}
