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
 * Every metric of the product in one table; outside their names begin with `rastro_`. A name or
 * label that does not stand here is a defect: tests throw on it, a running service drops it and
 * counts the drop.
 */
export const METRICS: Readonly<Record<string, MetricRow>> = {
  // Calls (adapters/http).
  http_requests_total: counter(
    'Calls answered, by operation, status and code.', 'operation', 'status', 'code',
  ),
  http_request_seconds: seconds(
    'Time from the head of a request to its answer.', CALL_SECONDS, 'operation',
  ),
  http_body_bytes_held: gauge('Bytes of bodies of calls under way.'),
  http_unreadable_total: counter('Requests that are not valid HTTP or came too slowly.'),
  // Accepted data (gateways).
  accepted_records_total: counter('Records appended for accepted calls.', 'topic'),
  accepted_items_total: counter('Items in those records.', 'topic'),
  // The log (adapters/kafka).
  log_appends_total: counter('Records appended to the log, by end.', 'topic', 'code'),
  log_append_seconds: seconds('Time until the log had a record.', WORK_SECONDS, 'topic'),
  log_sends_total: counter('Batches sent to the log, by end.', 'topic', 'code'),
  log_send_seconds: seconds('Time of one send to the log.', WORK_SECONDS, 'topic'),
  log_batch_records: { ...gauge('Records in the last send.', 'topic') },
  log_waiting_bytes: gauge('Bytes of records that wait for the log.'),
  log_retries_total: counter('Sends that were repeated unchanged.', 'topic', 'code'),
  log_consumed_records_total: counter('Records read from the log.', 'topic', 'group'),
  log_lag_records: gauge('Records of the log that a group has not done.', 'topic', 'group'),
  log_commits_total: counter('Commits of a group.', 'group', 'code'),
  // The state store (adapters/redis).
  state_calls_total: counter('Calls of the state store, by end.', 'script', 'code'),
  state_call_seconds: seconds('Time of one call of the state store.', WORK_SECONDS, 'script'),
  state_ready: gauge('1 while the state store holds everything the log says.'),
  admission_batch_calls: gauge('Calls in the last shared admission.'),
  // The registry and the analytical store.
  registry_calls_total: counter('Calls of the schema registry, by end.', 'code'),
  sink_inserts_total: counter('Inserts into the analytical store, by end.', 'table', 'code'),
  sink_rows_total: counter('Rows inserted.', 'table'),
  sink_insert_seconds: seconds('Time of one insert.', WORK_SECONDS, 'table'),
  // Workers.
  worker_records_total: counter(
    'Records that a worker is done with, by outcome.', 'worker', 'topic', 'outcome', 'code',
  ),
  worker_batch_seconds: seconds('Time of one batch of a worker.', WORK_SECONDS, 'worker'),
  worker_retries_total: counter('Batches that a worker repeated.', 'worker', 'code'),
  dead_letters_total: counter('Records put with the dead letters.', 'stage', 'code'),
  rebuilds_total: counter('Rebuilds of the state store, by end.', 'code'),
  rebuild_seconds: seconds('Time of one rebuild.', WORK_SECONDS),
  // This room itself.
  signals_dropped_total: counter('Signals that name no declared metric or label.'),
};
