import type { PollConfig } from '../../../domain/feed/poll.ts';

/** Settings of the puller. */
export interface PullerConfig extends PollConfig {
  /** How often the queues are looked at. */
  readonly lookMs: number;
  /** How long a taken feed is nobody else's; longer than its requests and its appends. */
  readonly leaseMs: number;
  /** Polls under way in this process, and at one carrier. */
  readonly inFlightMax: number;
  readonly inFlightMaxPerCarrier: number;
  /** How long the appends of one page may take before the page is read again. */
  readonly appendMsMax: number;
}

/** Defaults of {@link PullerConfig} (decisions.md, Pull feed). */
export const PULLER_LIMITS: PullerConfig = {
  periodMs: 300_000,
  unknownMs: 900_000,
  jitterRatio: 0.2,
  backoffFirstMs: 300_000,
  backoffMsMax: 3_600_000,
  throttledMs: 300_000,
  retryAfterMsMax: 86_400_000,
  pageItemsMax: 50,
  openMsMax: 90 * 86_400_000,
  lookMs: 250,
  leaseMs: 90_000,
  inFlightMax: 16,
  inFlightMaxPerCarrier: 4,
  appendMsMax: 20_000,
};
