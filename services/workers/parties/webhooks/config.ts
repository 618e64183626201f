import type { DeliveryRetry } from '../../../domain/webhook/delivery.ts';
import type { OutboxLimits } from '../../../domain/webhook/outbox.ts';
import type { DueRunnerConfig } from '../common/due-work.ts';

/** Settings of the sender of webhooks. */
export interface WebhookSenderConfig extends DueRunnerConfig, OutboxLimits {
  readonly retry: DeliveryRetry;
  /** No request begins so long after its outbox was taken. */
  readonly sendMsMax: number;
  /** Records that are read, and facts that are sent, in one pass over an outbox. */
  readonly recordsMax: number;
  readonly factsMax: number;
  /** Keys whose facts are sent at once; those of one key follow each other. */
  readonly keysAtOnceMax: number;
  /** How often the ends of the log are asked for; every outbox is woken each `sweepMs`. */
  readonly endsMs: number;
  /** How often an outbox that only reads on says so in the log. */
  readonly recordedMs: number;
  /** Wait of an outbox whose client has no rights, or whose partition is not known yet. */
  readonly waitMs: number;
  /** Retries up to here are all in the log, then each twelfth. */
  readonly recordedAttempts: number;
}

/** Defaults of {@link WebhookSenderConfig} (docs/reference/webhooks.md). */
export const WEBHOOK_LIMITS: WebhookSenderConfig = {
  retry: {
    firstMs: 5_000, msMax: 3_600_000, jitter: 0.1,
    triedMsMax: 80 * 3_600_000, retryAfterMsMax: 86_400_000,
  },
  heldMax: 64,
  backMs: 60_000,
  newsMs: 1_000,
  sendMsMax: 5_000,
  recordsMax: 1_000,
  factsMax: 256,
  keysAtOnceMax: 8,
  endsMs: 500,
  sweepMs: 30_000,
  recordedMs: 60_000,
  waitMs: 60_000,
  recordedAttempts: 12,
  pollMs: 250,
  leaseMs: 30_000,
  inFlightMax: 64,
  inFlightMaxPerParty: 4,
  busyMs: 1_000,
  appendMsMax: 10_000,
};
