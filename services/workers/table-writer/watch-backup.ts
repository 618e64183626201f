import type { Clock } from '../../kernel/clock.ts';
import type { Signals } from '../../kernel/signals.ts';
import type { NewestBackupReader } from '../../kernel/table-backups.ts';
import { repeatPoll, type RepeatedPoll, type RepeatPorts } from '../common/repeat-poll.ts';

/** How often the age of the newest backup is asked for, in milliseconds. */
export const BACKUP_POLL_MS = 60_000;

/** Limits of the watch. */
export interface BackupWatchConfig {
  readonly pollMs: number;
  /** From this age on an alarm rings. */
  readonly ageSecondsMax: number;
}

/** What the watch works with. */
export interface BackupWatchPorts extends Omit<RepeatPorts, 'onFault'> {
  readonly newest: NewestBackupReader;
  readonly clock: Clock;
  readonly signals: Signals;
}

/** Reports how old the newest backup is. While the store does not answer the gauges stay. */
export function createBackupWatch(
  { pollMs, ageSecondsMax }: BackupWatchConfig, ports: BackupWatchPorts,
): RepeatedPoll & { readonly poll: () => Promise<void> } {
  const { newest, clock, signals } = ports;

  async function poll(): Promise<void> {
    const seconds = Math.max(0, clock.nowMs() - await newest.sinceMs()) / 1_000;
    signals.tableBackupRead({ seconds, seconds_max: ageSecondsMax });
  }

  return {
    poll,
    ...repeatPoll(pollMs, poll, {
      ...ports,
      onFault: (code) => { signals.sinkFailed({ code }); },
    }),
  };
}
