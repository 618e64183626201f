import type { SignalTable } from './signal-row.ts';

/** Signals of calls to other parties: commands, authorizations, feeds, webhooks, examinations. */
export const PARTY_SIGNALS = {
  partySecretUnreadable: {
    level: 'error', event: 'party_secret_unreadable', fields: ['party_id', 'reason'],
    metrics: { rastro_party_secrets_unreadable_total: 1 },
  },

  // Commands to providers.
  commandAttempted: {
    level: 'given', event: 'command_attempted',
    fields: ['id', 'provider', 'outcome', 'reason', 'status', 'attempt'],
    metrics: { rastro_command_attempts_total: 1 },
  },
  commandEnded: { metrics: { rastro_command_seconds: 'seconds' } },
  commandPostponed: { metrics: { rastro_command_holds_total: 1 } },
  commandsQueued: {
    metrics: { rastro_command_pending: 'pending', rastro_command_in_flight: 'in_flight' },
  },
  commandResultNotRecorded: {
    level: 'warn', event: 'command_result_not_recorded', fields: ['id', 'provider', 'code'],
  },
  partitionLeaseLost: { level: 'warn', event: 'partition_lease_lost', fields: ['partition'] },
  partitionLeaseUnknown: {
    level: 'warn', event: 'partition_lease_unknown', fields: ['partition', 'code'],
  },
  takeoverPostponed: {
    level: 'warn', event: 'takeover_postponed', fields: ['code', 'partitions'],
  },
  partitionsTaken: { level: 'info', event: 'partitions_taken', fields: ['partitions', 'waiting'] },

  // Authorizations at carriers.
  authorizationAttempted: {
    level: 'debug', event: 'authorization_attempted',
    fields: ['id', 'outcome', 'reason', 'status', 'attempt'],
    metrics: { rastro_authorizer_tries_total: 1 },
  },
  authorizationParked: {
    level: 'error', event: 'authorization_parked',
    fields: ['id', 'reason', 'status', 'attempt'],
    metrics: { rastro_authorizer_parked_total: 1 },
  },
  authorizationFailed: { level: 'warn', event: 'authorization_failed', fields: ['id', 'code'] },
  authorizationsInFlight: { metrics: { rastro_authorizer_in_flight: 'calls' } },
  authorizerPollFailed: {
    level: 'warn', event: 'authorizer_poll_failed', fields: ['code', 'stage'],
  },

  // Feeds of carriers.
  feedPolled: { metrics: { rastro_puller_polls_total: 1 } },
  feedPollEnded: { metrics: { rastro_puller_poll_seconds: 'seconds' } },
  feedPollFailed: {
    level: 'warn', event: 'feed_poll_failed', fields: ['party', 'code', 'stage'],
  },
  feedPollDelayed: { metrics: { rastro_puller_late_seconds: 'seconds' } },
  feedItemRead: { metrics: { rastro_puller_items_total: 1 } },
  feedItemAged: { metrics: { rastro_puller_item_age_seconds: 'seconds' } },
  feedEnded: { metrics: { rastro_puller_feeds_ended_total: 1 } },
  feedsInFlight: { metrics: { rastro_puller_in_flight: 'feeds' } },
  pullerPollFailed: { level: 'warn', event: 'puller_poll_failed', fields: ['code', 'stage'] },

  // Webhooks.
  webhookTried: { metrics: { rastro_webhook_tries_total: 1 } },
  webhookDelivered: { metrics: { rastro_webhook_delivery_seconds: 'seconds' } },
  webhookParked: {
    level: 'error', event: 'webhook_parked', fields: ['id', 'reason', 'status', 'attempt'],
  },
  webhookFactsRemoved: {
    level: 'error', event: 'webhook_facts_removed', fields: ['id', 'reason', 'records'],
    metrics: { rastro_webhook_removed_total: 1 },
  },
  webhookOutboxFailed: { level: 'warn', event: 'webhook_outbox_failed', fields: ['id', 'code', 'stage'] },
  webhookWithoutRights: { level: 'warn', event: 'webhook_without_rights', fields: ['id'] },
  webhookOutboxesSeen: {
    metrics: {
      rastro_webhook_waiting_keys: 'waiting', rastro_webhook_parked_keys: 'keys',
      rastro_webhook_late_seconds: 'seconds',
    },
  },
  webhookOutboxesInFlight: { metrics: { rastro_webhook_in_flight: 'in_flight' } },
  webhookPollFailed: { level: 'warn', event: 'webhook_poll_failed', fields: ['code', 'stage'] },

  // Examinations of addresses.
  examinationFailed: { level: 'warn', event: 'examination_failed', fields: ['id', 'code', 'stage'] },
  examinationsInFlight: { metrics: { rastro_examinations_in_flight: 'in_flight' } },
  examinerPollFailed: { level: 'warn', event: 'examiner_poll_failed', fields: ['code', 'stage'] },
} as const satisfies SignalTable;
