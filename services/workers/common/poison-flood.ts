import { Unavailable } from '../../kernel/unavailable.ts';
import type { Outcome } from './outcomes.ts';

/** When so much is unreadable that this program must be wrong. */
export interface PoisonFloodConfig {
  /** Poisoned records of one batch that become dead letters whatever their ratio. */
  readonly poisonedMin: number;
  /** Ratio of one batch, 0 to 1, above which the worker stops instead. */
  readonly poisonedRatioMax: number;
}

/** Defaults of {@link PoisonFloodConfig}. */
export const POISON_FLOOD_LIMITS: PoisonFloodConfig = { poisonedMin: 20, poisonedRatioMax: 0.5 };

/**
 * Stops a worker before it dead-letters everything: when most of a batch cannot be read, a wrong
 * release is likelier than wrong records. Throws an Unavailable that is not retryable, so the
 * process ends, loudly, with nothing committed.
 */
export function refusePoisonFlood(config: PoisonFloodConfig, outcomes: readonly Outcome[]): void {
  // A record that waits for one before it says nothing about what can be read.
  const poisoned = outcomes.flatMap((outcome) => (
    outcome.kind === 'dead_letter' && outcome.poison.code !== 'key_parked' ? [outcome] : []
  ));
  const first = poisoned[0];
  if (first === undefined || poisoned.length < config.poisonedMin) return;
  if (poisoned.length / outcomes.length <= config.poisonedRatioMax) return;
  throw new Unavailable(
    first.poison.code, 'consume',
    `${poisoned.length} of ${outcomes.length} records cannot be read: ${first.poison.detail}`,
  );
}
