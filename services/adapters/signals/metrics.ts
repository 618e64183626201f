/** What kind of thing a metric is, what it means, and by which bounded sets it is split. */
export interface MetricRow {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds of a histogram, in the unit that its name ends with. */
  readonly buckets?: readonly number[];
}

const CALL_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const WORK_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60];

const FRESHNESS_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 21_600];
const INSERT_RECORDS = [1, 10, 100, 1_000, 5_000, 20_000, 50_000, 100_000];
const INSERT_BYTES = [1_000, 10_000, 100_000, 1_000_000, 10_000_000, 67_108_864];
const AGE_SECONDS = [1, 10, 60, 300, 900, 3_600, 21_600, 86_400, 604_800];

const counter = (help: string, ...labels: string[]): MetricRow =>
  ({ kind: 'counter', help, labels });
const gauge = (help: string, ...labels: string[]): MetricRow => ({ kind: 'gauge', help, labels });
const spread = (help: string, buckets: readonly number[], ...labels: string[]): MetricRow =>
  ({ kind: 'histogram', help, labels, buckets });

/**
 * Every metric of the product in one table. A caller may leave out the `rastro_`. A name or label
 * that does not stand here is a defect: tests throw on it, a running service drops it and counts
 * the drop.
 */
export const METRICS: Readonly<Record<string, MetricRow>> = {
  // Calls (adapters/http, gateways).
  rastro_http_requests_total: counter(
    'Calls answered, by operation, status and code.', 'operation', 'status', 'code',
  ),
  rastro_http_request_seconds: spread(
    'Time from the head of a request to its answer, without what a refusal was held back.', CALL_SECONDS, 'operation',
  ),
  rastro_http_body_bytes_held: gauge('Bytes of bodies of calls under way.'),
  rastro_http_bodies_scanned_total: counter(
    'Bodies that were scanned: taken, or left to the exact way.', 'operation', 'outcome',
  ),
  rastro_http_parked_total: counter(
    'Calls that waited for their turn, because others called and theirs were many.', 'operation',
  ),
  rastro_http_refusals_total: counter(
    'Calls not done, by code and the provider that an admitted caller named.', 'provider', 'code',
  ),
  rastro_http_unreadable_total: counter('Requests that are not valid HTTP or came too slowly.'),
  rastro_accepted_items_total: counter('Items of accepted data calls.', 'operation'),
  // Writing the log (adapters/kafka).
  rastro_log_sends_total: counter('Batches that the log took.', 'topic'),
  rastro_log_send_seconds: spread('Time of one send to the log.', WORK_SECONDS, 'topic'),
  rastro_log_sends_rejected_total: counter('Sends that failed.', 'topic', 'reason'),
  rastro_log_records_sent_total: counter('Records that the log took.', 'topic'),
  rastro_log_records_unsent_total: counter('Records given up before any send.', 'topic'),
  rastro_log_appends_refused_total: counter('Appends refused at once.', 'topic', 'code'),
  rastro_log_waiting_bytes: gauge('Bytes of records that wait for the log.'),
  // Reading the log.
  rastro_log_fetches_failed_total: counter('Fetches from the log that failed.', 'reason'),
  rastro_consumer_repeats_total: counter('Batches that came again.', 'group', 'code'),
  rastro_consumer_commits_failed_total: counter('Commits that failed.', 'group', 'reason'),
  // The state store (adapters/redis).
  rastro_state_calls_total: counter('Calls of the state store, by end.', 'script', 'code'),
  rastro_state_call_seconds: spread('Time of one call of the state store.', WORK_SECONDS, 'script'),
  rastro_state_ready: gauge('1 while the state store holds everything the log says.'),
  rastro_admission_seconds: spread(
    'Time that the longest waiting call of a shared admission took for it.', CALL_SECONDS,
  ),
  rastro_admission_batch_calls: gauge('Calls in the last shared admission.'),
  // The analytical store (adapters/clickhouse).
  rastro_sink_faults_total: counter('Inserts and looks that failed, by code.', 'code'),
  rastro_sink_insert_records: spread('Records of one insert.', INSERT_RECORDS, 'table'),
  rastro_sink_insert_bytes: spread('Bytes of one insert.', INSERT_BYTES, 'table'),
  rastro_sink_table_parts: gauge('Parts of a table in use.', 'table'),
  rastro_sink_partition_parts_max: gauge(
    'Most parts of one partition of a table: at 1,000 ClickHouse slows inserts down, at 3,000 it '
      + 'refuses them.', 'table',
  ),
  // Workers.
  rastro_worker_lag_records: gauge(
    'Records that a group has not committed: what it has not applied.', 'group', 'topic',
  ),
  rastro_worker_lag_seconds: gauge('Age of the oldest of these records.', 'group', 'topic'),
  rastro_worker_lag_looks_total: counter('Looks at how far groups are, by end.', 'code'),
  rastro_freshness_seconds: spread(
    'Time from receipt into a store, of the oldest record of a batch.', FRESHNESS_SECONDS,
    'store', 'topic',
  ),
  rastro_stored_records_total: counter(
    'Records in a store, fresh or late (kernel/objectives.ts).', 'store', 'topic', 'timeliness',
  ),
  rastro_worker_records_total: counter(
    'Records that a worker is done with, by outcome.', 'worker', 'topic', 'outcome', 'code',
  ),
  rastro_worker_batch_seconds: spread('Time of one batch of a worker.', WORK_SECONDS, 'worker'),
  rastro_worker_stage_seconds: spread(
    'Time of one stage of a worker, by its end.', WORK_SECONDS, 'worker', 'stage', 'code',
  ),
  rastro_notifications_total: counter(
    'Notifications judged, by what came of them.', 'outcome', 'unmapped',
  ),
  rastro_dead_letters_total: counter('Records put with the dead letters.', 'stage', 'code'),
  rastro_parked_keys: gauge('Keys that wait for the repair of a record: an alarm.', 'worker'),
  rastro_parked_records: gauge('Records that wait behind one of their key.', 'worker'),
  rastro_rebuilds_total: counter('Rebuilds of the state store, by end.', 'code'),
  rastro_rebuild_seconds: spread('Time of one rebuild.', WORK_SECONDS),
  rastro_table_writer_insert_seconds: spread('Time of one insert.', WORK_SECONDS),
  rastro_table_writer_records_total: counter('Records written, by outcome.', 'outcome', 'code'),
  rastro_table_writer_items_total: counter('Items inserted: fixes, events, pairs.', 'topic'),
  rastro_table_writer_batch_records: gauge('Records of the last batch.', 'topic'),
  rastro_table_writer_pending_dropped_total: counter('Pending inserts given up.', 'reason'),
  rastro_ingest_unexplained_items: gauge(
    'Items older than a minute that were read and have no fate: an alarm when not 0.',
  ),
  rastro_ingest_unread_records: gauge(
    'Records that were never read, though later ones were: an alarm when not 0.',
  ),
  rastro_ingest_checks_total: counter('Looks for items without a fate, by end.', 'code'),
  // Commands to providers (workers/parties/commands).
  rastro_dispatcher_attempts_total: counter(
    'Attempts to send a command, by outcome.', 'provider', 'outcome', 'reason',
  ),
  rastro_dispatcher_holds_total: counter(
    'Commands put off because something was away.', 'provider', 'code',
  ),
  rastro_dispatcher_pending: gauge('Commands that wait or are under way.', 'provider'),
  rastro_dispatcher_in_flight: gauge('Commands that are under way.', 'provider'),
  rastro_dispatcher_command_seconds: spread(
    'Time from the issue of a command to its end.', AGE_SECONDS, 'provider',
  ),
  rastro_authorizer_tries_total: counter(
    'Tries to have a shipment authorized by its carrier.', 'outcome', 'reason',
  ),
  rastro_authorizer_parked_total: counter(
    'Authorizations that were given up and wait for an operator: an alarm.', 'reason',
  ),
  rastro_authorizer_in_flight: gauge('Authorizations at carriers at this moment.'),
  // Feeds of carriers (workers/parties/feeds).
  rastro_puller_polls_total: counter('Polls of feeds, by what they brought.', 'outcome'),
  rastro_puller_poll_seconds: spread('Time of one poll with its appends.', WORK_SECONDS),
  rastro_puller_late_seconds: spread('How late a feed was polled after it was due.', AGE_SECONDS),
  rastro_puller_items_total: counter('Notifications of feeds, by where they went.', 'outcome'),
  rastro_puller_item_age_seconds: spread(
    'Time from what a pulled notification tells to its receipt.', AGE_SECONDS,
  ),
  rastro_puller_feeds_ended_total: counter('Feeds that are polled no more.', 'reason'),
  rastro_puller_in_flight: gauge('Feeds that are polled at this moment.'),
  // Reporting itself.
  rastro_trace_spans_total: counter('Spans of traces, sent to the collector or lost.', 'outcome'),
  rastro_signals_dropped_total: counter('Signals that name no declared metric or label.'),
};
