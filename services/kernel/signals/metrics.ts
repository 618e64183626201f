import type { FactName } from './facts.ts';

/** What kind of thing a metric is, what it means, and by which bounded sets it is split. */
export interface MetricRow {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly FactName[];
  /** Upper bounds of a histogram, in the unit that its name ends with. */
  readonly buckets?: readonly number[];
}

const CALL_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const WORK_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60];
const FRESHNESS_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 21_600];
const INSERT_RECORDS = [1, 10, 100, 1_000, 5_000, 20_000, 50_000, 100_000];
const INSERT_BYTES = [1_000, 10_000, 100_000, 1_000_000, 10_000_000, 67_108_864];
const AGE_SECONDS = [1, 10, 60, 300, 900, 3_600, 21_600, 86_400, 604_800];

type Labels = readonly FactName[];

const counter = <const L extends Labels>(help: string, ...labels: L) =>
  ({ kind: 'counter', help, labels }) as const;
const gauge = <const L extends Labels>(help: string, ...labels: L) =>
  ({ kind: 'gauge', help, labels }) as const;
const histogram = <const L extends Labels>(
  help: string, buckets: readonly number[], ...labels: L
) => ({ kind: 'histogram', help, labels, buckets }) as const;

/** Every metric of the product, by its full name. Signals (kernel/signals.ts) emit them. */
export const METRICS = {
  // Requests (adapters/http, gateways).
  rastro_http_requests_total: counter(
    'Requests answered, by operation, status and code.', 'operation', 'status', 'code',
  ),
  rastro_sandbox_requests_total: counter(
    'Requests of sandbox clients answered, by operation, status and code; in no other count.',
    'operation', 'status', 'code',
  ),
  rastro_http_request_seconds: histogram(
    'Time from the head of a request to its answer, without the delay of rejections.',
    CALL_SECONDS, 'operation',
  ),
  rastro_http_body_bytes_held: gauge('Bytes of request bodies held in memory.'),
  rastro_http_bodies_scanned_total: counter(
    'Bodies scanned: taken by the scanner, or left to the exact parser.', 'operation', 'outcome',
  ),
  rastro_http_parked_total: counter(
    'Requests queued by the per-client concurrency limit.', 'operation',
  ),
  rastro_http_refusals_total: counter(
    'Requests rejected, by code, stage and provider: `none` where the path has none, `unknown` where'
    + ' the caller may not speak for it. The code `gone` is a caller that left before its answer.',
    'provider', 'stage', 'code',
  ),
  rastro_http_refusals_kept_total: counter(
    'Refused requests of known clients: kept for their developers, or dropped.', 'outcome',
  ),
  rastro_http_unreadable_total: counter('Requests that are not valid HTTP or arrived too slowly.'),
  rastro_accepted_items_total: counter('Items accepted by data requests.', 'operation'),
  // Writing to the log (adapters/kafka).
  rastro_log_sends_total: counter('Batches acknowledged by Kafka.', 'topic'),
  rastro_log_send_seconds: histogram('Time of one produce request.', WORK_SECONDS, 'topic'),
  rastro_log_sends_rejected_total: counter('Produce requests that failed.', 'topic', 'reason'),
  rastro_log_records_sent_total: counter('Records acknowledged by Kafka.', 'topic'),
  rastro_log_records_unsent_total: counter('Records that timed out before any send.', 'topic'),
  rastro_log_appends_refused_total: counter('Appends rejected at once.', 'topic', 'code'),
  rastro_log_waiting_bytes: gauge('Bytes of records that wait for Kafka.'),
  // Reading the log.
  rastro_log_fetches_failed_total: counter('Fetch requests that failed.', 'reason'),
  rastro_consumer_repeats_total: counter('Batches retried by a consumer.', 'group', 'code'),
  rastro_consumer_commits_failed_total: counter('Offset commits that failed.', 'group', 'reason'),
  rastro_topics_remade_total: counter(
    'Topics found made again under their name, and read from their first record.', 'group', 'topic',
  ),
  // The state store (adapters/redis).
  rastro_state_calls_total: counter('Calls of the state store, by result.', 'script', 'code'),
  rastro_state_call_seconds: histogram(
    'Time of one call of the state store.', WORK_SECONDS, 'script',
  ),
  rastro_state_ready: gauge(
    '1 while the state store holds everything that the log says; 0 also in a process that never asks.',
  ),
  rastro_admission_seconds: histogram(
    'Longest wait of a request in one admission batch.', CALL_SECONDS,
  ),
  rastro_admission_batch_calls: gauge('Requests in the last admission batch.'),
  // The analytical store (adapters/clickhouse).
  rastro_sink_faults_total: counter('Inserts, polls and reads of ClickHouse that failed, by code.', 'code'),
  rastro_sink_insert_records: histogram('Records of one insert.', INSERT_RECORDS, 'table'),
  rastro_sink_insert_bytes: histogram('Bytes of one insert.', INSERT_BYTES, 'table'),
  rastro_sink_table_parts: gauge('Active parts of a table.', 'table'),
  rastro_sink_partition_parts_max: gauge(
    'Most parts of one partition of a table: at 1,000 ClickHouse slows inserts down, at 3,000 it '
      + 'rejects them.', 'table',
  ),
  rastro_sink_computed_waiting: gauge(
    'Days of devices, or periods of the balance, whose rows are newer than what was computed.',
    'table',
  ),
  rastro_sink_computed_waiting_seconds: gauge('Age of the oldest of these.', 'table'),
  rastro_sink_backup_age_seconds: gauge(
    'Age of the newest whole backup of the tables, or of the tables where there is none.',
  ),
  rastro_sink_backup_age_seconds_max: gauge('Age from which on that is too old.'),
  // Workers.
  rastro_worker_lag_records: gauge(
    'Records that a consumer group has not committed.', 'group', 'topic',
  ),
  rastro_worker_lag_seconds: gauge('Age of the oldest uncommitted record.', 'group', 'topic'),
  rastro_worker_lag_looks_total: counter('Lag polls by result.', 'code'),
  rastro_freshness_seconds: histogram(
    'Time from receipt into a store, of the oldest record of a batch.', FRESHNESS_SECONDS,
    'store', 'topic',
  ),
  rastro_stored_records_total: counter(
    'Records in a store, fresh or late (kernel/objectives.ts).', 'store', 'topic', 'timeliness',
  ),
  rastro_worker_records_total: counter(
    'Records that a worker has finished, by outcome.', 'worker', 'topic', 'outcome', 'code',
  ),
  rastro_worker_batch_seconds: histogram('Time of one batch of a worker.', WORK_SECONDS, 'worker'),
  rastro_worker_stage_seconds: histogram(
    'Time of one stage of a worker, by the code with which it ended.', WORK_SECONDS,
    'worker', 'stage', 'code',
  ),
  rastro_notifications_total: counter(
    'Notifications classified, by outcome.', 'outcome', 'unmapped',
  ),
  rastro_notification_codes_final: gauge(
    'Notification codes of the valid catalogue that end a shipment; while 0 none ever ends.',
  ),
  rastro_dead_letters_total: counter('Dead letters written.', 'stage', 'code'),
  rastro_parked_keys: gauge('Keys that wait for the repair of a record: an alarm.', 'worker'),
  rastro_parked_records: gauge('Records that wait behind one of their key.', 'worker'),
  rastro_overflow_decisions_total: counter(
    'Providers that a table writer moved into overflow, or left there for longer.',
    'provider', 'outcome',
  ),
  rastro_overflow_provider_moved: gauge(
    '1 while the locations of a provider go to the overflow topic: an alarm.', 'provider',
  ),
  rastro_rebuilds_total: counter('Rebuilds of the state store, by result.', 'code'),
  rastro_rebuild_seconds: histogram('Time of one rebuild.', WORK_SECONDS),
  rastro_table_writer_insert_seconds: histogram('Time of one insert.', WORK_SECONDS),
  rastro_table_writer_items_total: counter('Items inserted: fixes, events, pairs.', 'topic'),
  rastro_table_writer_batch_records: gauge('Records of the last batch.', 'topic'),
  rastro_table_writer_pending_dropped_total: counter('Pending inserts discarded.', 'reason'),
  rastro_ingest_unexplained_items: gauge(
    'Items older than a minute that were read and have no outcome: an alarm when not 0.',
  ),
  rastro_ingest_unread_records: gauge(
    'Records that were never read, though later ones were: an alarm when not 0.',
  ),
  rastro_ingest_checks_total: counter('Checks for items without an outcome, by result.', 'code'),
  rastro_party_secrets_unreadable_total: counter(
    'Times that no key opened the secret of a party.', 'party_id',
  ),
  // Commands to providers.
  rastro_command_attempts_total: counter(
    'Attempts to send a command, by outcome.', 'provider', 'outcome', 'reason',
  ),
  rastro_command_holds_total: counter(
    'Commands postponed because a dependency was unavailable.', 'provider', 'code',
  ),
  rastro_command_pending: gauge('Commands that wait or are in flight.', 'provider'),
  rastro_command_in_flight: gauge('Commands in flight.', 'provider'),
  rastro_command_seconds: histogram(
    'Time from the issue of a command to its last result.', AGE_SECONDS, 'provider',
  ),
  // Authorizations at carriers.
  rastro_authorizer_tries_total: counter(
    'Attempts to have a shipment authorized by its carrier.', 'outcome', 'reason',
  ),
  rastro_authorizer_parked_total: counter(
    'Authorizations that wait for an operator after the last attempt: an alarm.', 'reason',
  ),
  rastro_authorizer_in_flight: gauge('Authorization calls in flight.'),
  // Feeds of carriers.
  rastro_puller_polls_total: counter('Feed polls by outcome.', 'outcome'),
  rastro_puller_poll_seconds: histogram('Time of one feed poll with its appends.', WORK_SECONDS),
  rastro_puller_late_seconds: histogram('Delay of a feed poll after it was due.', AGE_SECONDS),
  rastro_puller_items_total: counter('Notifications read from feeds, by outcome.', 'outcome'),
  rastro_puller_item_age_seconds: histogram(
    'Time from the date of a pulled notification to its receipt.', AGE_SECONDS,
  ),
  rastro_puller_feeds_ended_total: counter('Feeds that are no longer polled.', 'reason'),
  rastro_puller_in_flight: gauge('Feed polls in flight.'),
  // Webhooks.
  rastro_webhook_tries_total: counter(
    'Tries to deliver a fact to a webhook, and ends without one.', 'outcome', 'reason',
  ),
  rastro_webhook_delivery_seconds: histogram(
    'Time from the record of a fact to its delivery.', AGE_SECONDS,
  ),
  rastro_webhook_removed_total: counter(
    'Gaps in what a webhook got: the log lost records before they were delivered.', 'reason',
  ),
  rastro_webhook_waiting_keys: gauge(
    'Shipments, devices and other keys whose facts wait at webhooks behind one that failed.',
  ),
  rastro_webhook_parked_keys: gauge('Those of them that wait for an operator.'),
  rastro_webhook_late_seconds: gauge(
    'Time since the first try of the fact that waits longest and is not parked; 0 without any.',
  ),
  rastro_webhook_in_flight: gauge('Outboxes of webhooks that are worked on.'),
  rastro_examinations_in_flight: gauge('Addresses of parties that are being examined.'),
  // Live feeds (gateways/live).
  rastro_live_viewers: gauge('Callers that follow a live feed.', 'feed'),
  rastro_live_devices: gauge('Devices on the map of a live gateway; 0 while no caller follows.'),
  rastro_live_behind_seconds: gauge(
    'Age of the newest record that a live gateway took in its last frame; 0 without any.',
  ),
  rastro_live_resets_total: counter(
    'Times that a follower of a live feed had to begin again.', 'feed', 'reason',
  ),
  rastro_live_stalled_total: counter(
    'Lines of followers that were cut because nothing was read from them.', 'feed',
  ),
  rastro_live_beginnings_total: counter(
    'Times that a live gateway began to follow the log: at its start, or after its place was lost.',
    'reason',
  ),
  // Tracing.
  rastro_trace_spans_total: counter('Spans sent to the collector, or lost.', 'outcome'),
} as const satisfies Readonly<Record<`rastro_${string}`, MetricRow>>;

/** The full name of a metric. */
export type MetricName = keyof typeof METRICS;

/** A label by which the metric is split. */
export type LabelOf<Name extends MetricName> = (typeof METRICS)[Name]['labels'][number];

/** Whether text is the name of a metric. */
export function isMetricName(text: string): text is MetricName {
  return Object.hasOwn(METRICS, text);
}
