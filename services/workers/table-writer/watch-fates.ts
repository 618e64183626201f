import type { Clock } from '../../kernel/clock.ts';
import type { IngestAudit } from '../../kernel/ingest.ts';
import type { Signals } from '../../kernel/signals.ts';
import { repeatLook, type RepeatedLook, type RepeatPorts } from '../common/repeat-look.ts';

/** Settings of the watch over fates. */
export interface FateWatchConfig {
  /** How often it looks, in milliseconds. */
  readonly pollMs: number;
  /** Age at which everything must have its fate, in milliseconds. */
  readonly graceMs: number;
  /** How far back it looks, in milliseconds; what is older was seen before. */
  readonly windowMs: number;
}

/** Defaults: a minute of grace, an hour back. */
export const FATE_WATCH_LIMITS: FateWatchConfig = {
  pollMs: 15_000, graceMs: 60_000, windowMs: 3_600_000,
};

/** What the watch works with. */
export interface FateWatchPorts extends Omit<RepeatPorts, 'onFault'> {
  readonly audit: IngestAudit;
  readonly clock: Clock;
  readonly signals: Signals;
}

/** The running watch. */
export interface FateWatch extends RepeatedLook {
  /** Looks once and sets the gauges. */
  readonly look: () => Promise<void>;
}

/**
 * Raises the alarm when something accepted has no fate after the time of grace. While the store
 * does not answer nothing is known, so the gauges stay and the missing looks are what tells.
 */
export function createFateWatch(config: FateWatchConfig, ports: FateWatchPorts): FateWatch {
  const { audit, clock, signals } = ports;

  async function look(): Promise<void> {
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
    look,
    ...repeatLook(config.pollMs, look, {
      ...ports,
      onFault: (code) => { signals.ingestChecked({ code }); },
    }),
  };
}
