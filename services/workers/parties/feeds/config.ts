import type { PollConfig } from '../../../domain/feed/poll.ts';
import type { DueRunnerConfig } from '../common/due-work.ts';

/** Settings of the puller. */
export interface PullerConfig extends PollConfig, DueRunnerConfig {}

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
  pollMs: 250,
  leaseMs: 90_000,
  inFlightMax: 16,
  inFlightMaxPerParty: 4,
  busyMs: 1_000,
  appendMsMax: 20_000,
};
