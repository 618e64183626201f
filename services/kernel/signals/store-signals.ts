import type { SignalTable } from './signal-row.ts';

/** Signals of the state store (Redis) and of the analytical store (ClickHouse). */
export const STORE_SIGNALS = {
  // The state store.
  stateCalled: {
    metrics: { rastro_state_calls_total: 1, rastro_state_call_seconds: 'seconds' },
  },
  admissionBatchRead: {
    metrics: { rastro_admission_batch_calls: 'calls', rastro_admission_seconds: 'seconds' },
  },
  stateConnectionFailed: { level: 'warn', event: 'state_connection_failed', fields: ['error'] },
  stateConnectionReady: { level: 'info', event: 'state_connection_ready' },
  stateTrusted: { level: 'info', event: 'state_trusted' },
  stateReadinessRead: { metrics: { rastro_state_ready: 'ready' } },
  stateNotReady: { level: 'warn', event: 'state_not_ready' },
  stateWatchFailed: { level: 'warn', event: 'state_watch_failed', fields: ['code', 'stage'] },
  stateCheckpointFound: { level: 'info', event: 'state_checkpoint_found', fields: ['seconds'] },
  stateRebuildEnded: {
    level: 'info', event: 'state_rebuild_ended', fields: ['code', 'seconds'],
    metrics: { rastro_rebuilds_total: 1, rastro_rebuild_seconds: 'seconds' },
  },

  // The analytical store.
  rowsInserted: {
    metrics: { rastro_sink_insert_records: 'records', rastro_sink_insert_bytes: 'bytes' },
  },
  sinkFailed: { metrics: { rastro_sink_faults_total: 1 } },
  tablePartsRead: {
    metrics: {
      rastro_sink_table_parts: 'parts',
      rastro_sink_partition_parts_max: 'partition_parts_max',
    },
  },
  computedWaitsRead: {
    metrics: {
      rastro_sink_computed_waiting: 'waiting',
      rastro_sink_computed_waiting_seconds: 'seconds_max',
    },
  },
  tableBackupRead: {
    metrics: {
      rastro_sink_backup_age_seconds: 'seconds',
      rastro_sink_backup_age_seconds_max: 'seconds_max',
    },
  },
  insertEnded: { metrics: { rastro_table_writer_insert_seconds: 'seconds' } },
  batchWritten: {
    level: 'given', event: 'batch_written',
    fields: ['topic', 'records', 'dead_letters', 'items', 'offsets'],
    metrics: {
      rastro_table_writer_items_total: 'items',
      rastro_table_writer_batch_records: 'records',
    },
  },
  pendingInsertDropped: { metrics: { rastro_table_writer_pending_dropped_total: 1 } },
  ingestChecked: { metrics: { rastro_ingest_checks_total: 1 } },
  unexplainedItemsRead: {
    metrics: { rastro_ingest_unexplained_items: 'items', rastro_ingest_unread_records: 'records' },
  },
  itemsUnexplained: {
    level: 'error', event: 'items_unexplained', fields: ['items', 'records'],
  },
} as const satisfies SignalTable;
