import {
  budgets, burnRates, eventLoop, level, rates, sizes, times, worst, type Diagram,
} from './diagrams.ts';

/** A dashboard as Grafana reads it. */
export interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly object[];
}

const COLUMNS = 2;
const WIDTH = 24;
const HEIGHT = 8;

/** All dashboards; each diagram names its metrics through the table of the code. */
export function dashboards(): readonly Dashboard[] {
  return [
    dashboard('rastro-overview', 'Rastro: how it goes', [
      rates('Items accepted', 'rastro_accepted_items_total', 'operation'),
      budgets,
      times('From receipt into a store', 'rastro_freshness_seconds', 'store'),
      worst('Seconds behind the log', 's', 'rastro_worker_lag_seconds', 'group'),
      rates('Dead letters', 'rastro_dead_letters_total', 'stage', 'code'),
      level('State store is complete', 'short', 'rastro_state_ready'),
      level('Records that wait for the log', 'bytes', 'rastro_log_waiting_bytes'),
    ]),
    dashboard('rastro-objectives', 'Rastro: objectives', [
      budgets,
      worst('Items without an outcome', 'short', 'rastro_ingest_unexplained_items'),
      ...burnRates,
      rates('Checks for items without an outcome', 'rastro_ingest_checks_total', 'code'),
    ]),
    dashboard('rastro-gateways', 'Rastro: gateways', [
      rates('Calls', 'rastro_http_requests_total', 'operation', 'status'),
      rates('Refusals and faults', 'rastro_http_requests_total', 'code'),
      times('Time to answer', 'rastro_http_request_seconds', 'operation'),
      rates('Refusals by provider', 'rastro_http_refusals_total', 'provider', 'code'),
      level('Bodies in flight', 'bytes', 'rastro_http_body_bytes_held'),
      times('Calls of the state store', 'rastro_state_call_seconds', 'script'),
      times('Time of an admission', 'rastro_admission_seconds'),
      level('Calls in one admission', 'short', 'rastro_admission_batch_calls'),
      times('Sends to the log', 'rastro_log_send_seconds', 'topic'),
      eventLoop,
      rates('Unreadable requests', 'rastro_http_unreadable_total'),
    ]),
    dashboard('rastro-workers', 'Rastro: workers', [
      worst('Seconds behind the log', 's', 'rastro_worker_lag_seconds', 'group', 'topic'),
      worst('Records behind the log', 'short', 'rastro_worker_lag_records', 'group', 'topic'),
      rates('Records by outcome', 'rastro_worker_records_total', 'worker', 'outcome'),
      times('Batches', 'rastro_worker_batch_seconds', 'worker'),
      rates('Batches that came again', 'rastro_consumer_repeats_total', 'group', 'code'),
      rates('Items inserted', 'rastro_table_writer_items_total', 'topic'),
      times('Inserts', 'rastro_table_writer_insert_seconds'),
      sizes('Records of an insert', 'short', 'rastro_sink_insert_records', 'table'),
      sizes('Bytes of an insert', 'bytes', 'rastro_sink_insert_bytes', 'table'),
      worst('Parts of a partition', 'short', 'rastro_sink_partition_parts_max', 'table'),
      rates('Inserts that failed', 'rastro_sink_faults_total', 'code'),
      rates('Rebuilds', 'rastro_rebuilds_total', 'code'),
      rates('Notifications', 'rastro_notifications_total', 'outcome'),
    ]),
    dashboard('rastro-parties', 'Rastro: providers and carriers', [
      rates('Attempts at providers', 'rastro_command_attempts_total', 'provider', 'outcome'),
      worst('Commands not ended', 'short', 'rastro_command_pending', 'provider'),
      worst('Commands in flight', 'short', 'rastro_command_in_flight', 'provider'),
      times('From issue of a command until it ends', 'rastro_command_seconds', 'provider'),
      rates('Tries at carriers', 'rastro_authorizer_tries_total', 'outcome', 'reason'),
      rates('Authorizations given up', 'rastro_authorizer_parked_total', 'reason'),
      rates('Polls of feeds', 'rastro_puller_polls_total', 'outcome'),
      times('How late feeds are polled', 'rastro_puller_late_seconds'),
      rates('Tries at webhooks', 'rastro_webhook_tries_total', 'outcome', 'reason'),
      times('From a fact to its delivery', 'rastro_webhook_delivery_seconds'),
      worst('Keys that wait at webhooks', 'short', 'rastro_webhook_waiting_keys'),
    ]),
  ];
}

function dashboard(uid: string, title: string, diagrams: readonly Diagram[]): Dashboard {
  return {
    uid, title,
    ...{
      schemaVersion: 39, version: 1, editable: false, refresh: '30s', tags: ['rastro'],
      time: { from: 'now-3h', to: 'now' }, timezone: 'utc',
      templating: {
        list: [{ name: 'source', label: 'Source', type: 'datasource', query: 'prometheus' }],
      },
    },
    panels: diagrams.map(panel),
  };
}

function panel({ title, unit, queries }: Diagram, index: number): object {
  const width = WIDTH / COLUMNS;
  const datasource = { type: 'prometheus', uid: '${source}' };
  return {
    id: index + 1, type: 'timeseries', title, datasource,
    gridPos: {
      x: (index % COLUMNS) * width, y: Math.floor(index / COLUMNS) * HEIGHT, w: width, h: HEIGHT,
    },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
    targets: Object.entries(queries).map(([legendFormat, expr], index) => ({
      refId: String.fromCharCode(65 + index), datasource, expr, legendFormat,
    })),
  };
}
