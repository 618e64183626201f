import type { SignalTable } from './signal-row.ts';

/** Signals of the log (Kafka) and of its schema registry. */
export const LOG_SIGNALS = {
  // Writing.
  logBatchSent: {
    metrics: {
      rastro_log_sends_total: 1,
      rastro_log_records_sent_total: 'records',
      rastro_log_send_seconds: 'seconds',
    },
  },
  logSendRejected: {
    level: 'given', event: 'log_send_rejected',
    fields: ['topic', 'partition', 'attempt', 'records', 'reason'],
    metrics: { rastro_log_sends_rejected_total: 1 },
  },
  logRecordsUnsent: { metrics: { rastro_log_records_unsent_total: 'records' } },
  logAppendRefused: { metrics: { rastro_log_appends_refused_total: 1 } },
  logBytesWaiting: { metrics: { rastro_log_waiting_bytes: 'bytes' } },

  // Reading.
  logFetchFailed: { metrics: { rastro_log_fetches_failed_total: 1 } },
  logReadRetried: { level: 'debug', event: 'log_read_retried', fields: ['failures', 'reason'] },
  batchRetried: {
    level: 'warn', event: 'batch_retried',
    fields: ['group', 'code', 'stage', 'attempt', 'records'],
    metrics: { rastro_consumer_repeats_total: 1 },
  },
  batchCommitted: {
    level: 'debug', event: 'batch_committed', fields: ['group', 'records', 'offsets'],
  },
  commitFailed: {
    level: 'warn', event: 'commit_failed', fields: ['group', 'reason'],
    metrics: { rastro_consumer_commits_failed_total: 1 },
  },
  commitRetried: { level: 'warn', event: 'commit_retried', fields: ['group', 'reason'] },
  consumerAssigned: {
    level: 'info', event: 'consumer_assigned', fields: ['group', 'partitions'],
  },
  consumerRevoked: { level: 'info', event: 'consumer_revoked', fields: ['group', 'partitions'] },
  consumerJoinFailed: {
    level: 'warn', event: 'consumer_join_failed', fields: ['group', 'attempt', 'reason'],
  },
  topicRemade: {
    level: 'error', event: 'topic_remade', fields: ['group', 'topic'],
    metrics: { rastro_topics_remade_total: 1 },
  },
  consumerCrashed: { level: 'error', event: 'consumer_crashed', fields: ['group', 'reason'] },

  // Clients, administration, schemas.
  kafkajsLogged: { level: 'given', event: 'kafkajs_logged', fields: ['namespace', 'message'] },
  logAdminRetried: {
    level: 'debug', event: 'log_admin_retried', fields: ['what', 'attempt', 'reason'],
  },
  logWithoutAuthorizer: { level: 'info', event: 'log_without_authorizer' },
  schemaRegistered: {
    level: 'info', event: 'schema_registered', fields: ['subject', 'schema_id'],
  },
  registryAwaited: { level: 'warn', event: 'registry_awaited', fields: ['url'] },
} as const satisfies SignalTable;
