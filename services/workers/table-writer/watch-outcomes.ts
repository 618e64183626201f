import type { Clock } from '../../kernel/clock.ts';
import type { IngestAudit } from '../../kernel/ingest.ts';
import { ITEMS_WAIT_SECONDS_MAX } from '../../kernel/objectives.ts';
import type { Signals } from '../../kernel/signals.ts';
import { repeatPoll, type RepeatedPoll, type RepeatPorts } from '../common/repeat-poll.ts';

/** Settings of the watch over item outcomes. */
export interface OutcomeWatchConfig {
  /** How often it polls, in milliseconds. */
  readonly pollMs: number;
  /** Age at which everything must have its outcome, in milliseconds. */
  readonly graceMs: number;
  /** How far back it reads, in milliseconds; what is older was seen before. */
  readonly windowMs: number;
}

/** Defaults: a minute of grace, an hour back. */
export const OUTCOME_WATCH_LIMITS: OutcomeWatchConfig = {
  pollMs: 15_000, graceMs: ITEMS_WAIT_SECONDS_MAX * 1_000, windowMs: 3_600_000,
};

/** What the watch works with. */
export interface OutcomeWatchPorts extends Omit<RepeatPorts, 'onFault'> {
  readonly audit: IngestAudit;
  readonly clock: Clock;
  readonly signals: Signals;
}

/** The running watch. */
export interface OutcomeWatch extends RepeatedPoll {
  /** Looks once and sets the gauges. */
  readonly poll: () => Promise<void>;
}

/**
 * Raises the alarm when something accepted has no outcome after the time of grace. While the store
 * does not answer nothing is known: the gauges stay, and the metric of failed polls rises.
 */
export function createOutcomeWatch(
  config: OutcomeWatchConfig, ports: OutcomeWatchPorts,
): OutcomeWatch {
  const { audit, clock, signals } = ports;

  async function poll(): Promise<void> {
    const nowMs = clock.nowMs();
    const { items, unreadRecords } = await audit.unexplained(
      nowMs - config.windowMs, nowMs - config.graceMs,
    );
    signals.unexplainedItemsRead({ items, records: unreadRecords });
    signals.ingestChecked({ code: 'none' });
    if (items > 0 || unreadRecords > 0) {
      signals.itemsUnexplained({ items, records: unreadRecords });
    }
  }

  return {
    poll,
    ...repeatPoll(config.pollMs, poll, {
      ...ports,
      onFault: (code) => { signals.ingestChecked({ code }); },
    }),
  };
}
