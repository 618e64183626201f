import type { Clock, Pause } from '../../kernel/clock.ts';
import { isFault } from '../../kernel/faults.ts';
import type { IngestAudit } from '../../kernel/ingest.ts';
import type { Signals } from '../../kernel/signals.ts';

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
export interface FateWatchPorts {
  readonly audit: IngestAudit;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly signals: Signals;
  /** Called once with an error that is no Fault: a defect, after which the process must end. */
  readonly onCrash: (error: unknown) => void;
}

/** The running watch. */
export interface FateWatch {
  /** Looks once and sets the gauges. */
  readonly look: () => Promise<void>;
  readonly start: () => void;
  /** Looks no more; resolves when a look under way has ended. */
  readonly stop: () => Promise<void>;
}

/**
 * Raises the alarm when something accepted has no fate after the time of grace. While the store
 * does not answer nothing is known, so the gauges stay and the missing looks are what tells.
 */
export function createFateWatch(config: FateWatchConfig, ports: FateWatchPorts): FateWatch {
  const { audit, clock, pause, signals, onCrash } = ports;
  let isStopping = false;
  let stopNow = (): void => {};
  let running: Promise<void> = Promise.resolve();

  async function look(): Promise<void> {
    const nowMs = clock.nowMs();
    const { items, unreadRecords } = await audit.unexplained(
      nowMs - config.windowMs, nowMs - config.graceMs,
    );
    signals.gauge('rastro_ingest_unexplained_items', items);
    signals.gauge('rastro_ingest_unread_records', unreadRecords);
    signals.count('rastro_ingest_checks_total', 1, { code: 'none' });
    if (items > 0 || unreadRecords > 0) {
      signals.log('error', 'items_unexplained', { items, records: unreadRecords });
    }
  }

  async function lookForEver(stopped: Promise<void>): Promise<void> {
    while (!isStopping) {
      try {
        await look();
      } catch (error) {
        if (!isFault(error) || !error.retryable) {
          onCrash(error);
          return;
        }
        signals.count('rastro_ingest_checks_total', 1, { code: error.code });
      }
      await Promise.race([pause(config.pollMs), stopped]);
    }
  }

  return {
    look,
    start() {
      running = lookForEver(new Promise((resolve) => { stopNow = resolve; }));
    },
    async stop() {
      isStopping = true;
      stopNow();
      await running;
    },
  };
}
