import type { Clock } from '../../kernel/clock.ts';
import type { NewestBackupReader } from '../../kernel/table-backups.ts';
import { createGaugeWatch, type GaugeWatch, type GaugeWatchPorts } from './watch-gauges.ts';

/** How often the age of the newest backup is asked for, in milliseconds. */
export const BACKUP_POLL_MS = 60_000;

/** Limits of the watch. */
export interface BackupWatchConfig {
  readonly pollMs: number;
  /** From this age on an alarm rings. */
  readonly ageSecondsMax: number;
}

/** What the watch works with. */
export interface BackupWatchPorts extends GaugeWatchPorts {
  readonly newest: NewestBackupReader;
  readonly clock: Clock;
}

/** Reports how old the newest backup is. */
export function createBackupWatch(
  { pollMs, ageSecondsMax }: BackupWatchConfig, ports: BackupWatchPorts,
): GaugeWatch {
  const { newest, clock, signals } = ports;
  return createGaugeWatch(pollMs, async () => {
    const seconds = Math.max(0, clock.nowMs() - await newest.sinceMs()) / 1_000;
    signals.tableBackupRead({ seconds, seconds_max: ageSecondsMax });
  }, ports);
}
