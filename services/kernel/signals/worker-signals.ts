import type { SignalTable } from './signal-row.ts';

/** Signals that all workers have in common, and those of notifications. */
export const WORKER_SIGNALS = {
  stageEnded: { metrics: { rastro_worker_stage_seconds: 'seconds' } },
  batchApplied: { metrics: { rastro_worker_batch_seconds: 'seconds' } },
  recordsEnded: { metrics: { rastro_worker_records_total: 'records' } },
  recordsStored: { metrics: { rastro_stored_records_total: 'records' } },
  freshnessMeasured: { metrics: { rastro_freshness_seconds: 'seconds' } },
  deadLetterWritten: {
    level: 'error', event: 'dead_letter_written',
    fields: ['topic', 'partition', 'offset', 'stage', 'code'],
    metrics: { rastro_dead_letters_total: 1 },
  },
  keysParked: {
    metrics: { rastro_parked_keys: 'keys', rastro_parked_records: 'records' },
  },
  foldPutOff: { level: 'warn', event: 'fold_put_off', fields: ['name', 'code'] },
  topicsFolded: {
    level: 'info', event: 'topics_folded', fields: ['name', 'records', 'resumed'],
  },
  lagRead: {
    metrics: { rastro_worker_lag_records: 'records', rastro_worker_lag_seconds: 'seconds' },
  },
  lagPolled: { metrics: { rastro_worker_lag_looks_total: 1 } },
  notificationClassified: { metrics: { rastro_notifications_total: 1 } },
  codesRead: { metrics: { rastro_notification_codes_final: 'final_codes' } },
  codesReadFailed: { level: 'warn', event: 'codes_read_failed', fields: ['reason'] },
  providerMoved: {
    level: 'warn', event: 'provider_moved', fields: ['provider', 'outcome', 'seconds'],
    metrics: { rastro_overflow_decisions_total: 1 },
  },
  movedProviderRead: { metrics: { rastro_overflow_provider_moved: 'moved' } },
  floodUndecided: { level: 'warn', event: 'flood_undecided', fields: ['provider', 'reason'] },
  overflowPollFailed: { level: 'warn', event: 'overflow_poll_failed', fields: ['reason'] },
} as const satisfies SignalTable;
