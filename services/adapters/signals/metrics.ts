/** What kind of thing a metric is, what it means, and by which bounded sets it is split. */
export interface MetricRow {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds of a histogram, in seconds. */
  readonly buckets?: readonly number[];
}

const CALL_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const WORK_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60];

const counter = (help: string, ...labels: string[]): MetricRow =>
  ({ kind: 'counter', help, labels });
const gauge = (help: string, ...labels: string[]): MetricRow => ({ kind: 'gauge', help, labels });
const seconds = (help: string, buckets: readonly number[], ...labels: string[]): MetricRow =>
  ({ kind: 'histogram', help, labels, buckets });

/**
 * Every metric of the product in one table. A name or label that does not stand here is a defect:
 * tests throw on it, a running service drops it and counts the drop.
 */
export const METRICS: Readonly<Record<string, MetricRow>> = {
  // Calls (adapters/http).
  rastro_http_requests_total: counter(
    'Calls answered, by operation, status and code.', 'operation', 'status', 'code',
  ),
  rastro_http_request_seconds: seconds(
    'Time from the head of a request to its answer.', CALL_SECONDS, 'operation',
  ),
  rastro_http_body_bytes_held: gauge('Bytes of bodies of calls under way.'),
  rastro_http_unreadable_total: counter('Requests that are not valid HTTP or came too slowly.'),
  // Accepted data (gateways).
  rastro_accepted_records_total: counter('Records appended for accepted calls.', 'topic'),
  rastro_accepted_items_total: counter('Items in those records.', 'topic'),
  // The log (adapters/kafka).
  rastro_log_appends_total: counter('Records appended to the log, by end.', 'topic', 'code'),
  rastro_log_append_seconds: seconds('Time until the log had a record.', WORK_SECONDS, 'topic'),
  rastro_log_sends_total: counter('Batches sent to the log, by end.', 'topic', 'code'),
  rastro_log_send_seconds: seconds('Time of one send to the log.', WORK_SECONDS, 'topic'),
  rastro_log_batch_records: { ...gauge('Records in the last send.', 'topic') },
  rastro_log_waiting_bytes: gauge('Bytes of records that wait for the log.'),
  rastro_log_retries_total: counter('Sends that were repeated unchanged.', 'topic', 'code'),
  rastro_log_consumed_records_total: counter('Records read from the log.', 'topic', 'group'),
  rastro_log_lag_records: gauge('Records of the log that a group has not done.', 'topic', 'group'),
  rastro_log_commits_total: counter('Commits of a group.', 'group', 'code'),
  // The state store (adapters/redis).
  rastro_state_calls_total: counter('Calls of the state store, by end.', 'script', 'code'),
  rastro_state_call_seconds: seconds('Time of one call of the state store.', WORK_SECONDS, 'script'),
  rastro_state_ready: gauge('1 while the state store holds everything the log says.'),
  rastro_admission_batch_calls: gauge('Calls in the last shared admission.'),
  // The registry and the analytical store.
  rastro_registry_calls_total: counter('Calls of the schema registry, by end.', 'code'),
  rastro_sink_inserts_total: counter('Inserts into the analytical store, by end.', 'table', 'code'),
  rastro_sink_rows_total: counter('Rows inserted.', 'table'),
  rastro_sink_insert_seconds: seconds('Time of one insert.', WORK_SECONDS, 'table'),
  // Workers.
  rastro_worker_records_total: counter(
    'Records that a worker is done with, by outcome.', 'worker', 'topic', 'outcome', 'code',
  ),
  rastro_worker_batch_seconds: seconds('Time of one batch of a worker.', WORK_SECONDS, 'worker'),
  rastro_worker_retries_total: counter('Batches that a worker repeated.', 'worker', 'code'),
  rastro_dead_letters_total: counter('Records put with the dead letters.', 'stage', 'code'),
  rastro_rebuilds_total: counter('Rebuilds of the state store, by end.', 'code'),
  rastro_rebuild_seconds: seconds('Time of one rebuild.', WORK_SECONDS),
  // This room itself.
  rastro_signals_dropped_total: counter('Signals that name no declared metric or label.'),
};
