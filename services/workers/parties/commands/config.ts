import type { RetryConfig } from '../../../domain/monitoring/attempt.ts';
import { FOLD_LIMITS } from '../../../kernel/fold.ts';
import type { ScheduleConfig } from './schedule.ts';

/** Settings of the command sender. */
export interface CommandSenderConfig extends RetryConfig, Omit<ScheduleConfig, 'waitMsMax'> {
  /** Longest exchange with a provider; no try begins with less left of the lease. */
  readonly requestMsMax: number;
  /** Life of the right to send a partition's commands. */
  readonly leaseMs: number;
  readonly renewMs: number;
  /** Wait before the next attempt when a lease, a party or the state store is missing. */
  readonly holdMs: number;
  /** How long one append may take before it is tried again. */
  readonly appendMsMax: number;
  /** Retries up to here are all recorded, then each twelfth: about one an hour. */
  readonly recordedAttempts: number;
  /** A partition is kept after so many records at the earliest; a takeover reads as many again. */
  readonly keptRecordsMin: number;
}

/** Defaults of {@link CommandSenderConfig} (decisions.md, Command retry). */
export const COMMAND_SENDER_LIMITS: CommandSenderConfig = {
  backoffFirstMs: 1_000,
  backoffMsMax: 300_000,
  throttledMs: 300_000,
  inFlightMaxPerProvider: 8,
  pendingMaxPerProvider: 20_000,
  pendingBytesMaxPerProvider: 16_777_216,
  requestMsMax: 10_000,
  leaseMs: 20_000,
  renewMs: 4_000,
  holdMs: 1_000,
  appendMsMax: 10_000,
  recordedAttempts: 12,
  keptRecordsMin: FOLD_LIMITS.recordsMin,
};
