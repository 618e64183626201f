import { metric, quantile } from './metric.ts';
import { errorShare } from './recordings.ts';

/** One diagram: what it shows, in which unit, and its queries with the name of their lines. */
interface Diagram {
  readonly title: string;
  readonly unit: 's' | 'short' | 'bytes' | 'percentunit' | 'reqps' | 'cps';
  readonly queries: Readonly<Record<string, string>>;
}

/** A dashboard as Grafana reads it. */
export interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly object[];
}

const OVER = '$__rate_interval';
const COLUMNS = 2;
const WIDTH = 24;
const HEIGHT = 8;

const rateBy = (name: string, ...labels: readonly string[]): string =>
  `sum by (${labels.join(', ')}) (rate(${metric(name, ...labels)}[${OVER}]))`;
const perGroup = (labels: readonly string[]): string =>
  labels.map((label) => `{{${label}}}`).join(' ');
const rates = (title: string, name: string, ...labels: readonly string[]): Diagram =>
  ({ title, unit: 'cps', queries: { [perGroup(labels)]: rateBy(name, ...labels) } });
const times = (title: string, name: string, ...labels: readonly string[]): Diagram => ({
  title, unit: 's',
  queries: {
    [`p50 ${perGroup(labels)}`.trim()]: quantile(0.5, name, OVER, ...labels),
    [`p99 ${perGroup(labels)}`.trim()]: quantile(0.99, name, OVER, ...labels),
  },
});
const level = (title: string, unit: Diagram['unit'], name: string): Diagram =>
  ({ title, unit, queries: { '{{job}}': `max by (job) (${metric(name)})` } });

/** All dashboards; each diagram names its metrics through the table of the code. */
export function dashboards(): readonly Dashboard[] {
  return [
    dashboard('rastro-overview', 'Rastro: how it goes', [
      rates('Items accepted', 'rastro_accepted_items_total', 'operation'),
      {
        title: 'Share of failed calls', unit: 'percentunit',
        queries: { '5 min': errorShare('5m'), '1 h': errorShare('1h') },
      },
      times('From receipt to row', 'rastro_table_writer_freshness_seconds'),
      rates('Dead letters', 'rastro_dead_letters_total', 'stage', 'code'),
      level('State store is complete', 'short', 'rastro_state_ready'),
      level('Records that wait for the log', 'bytes', 'rastro_log_waiting_bytes'),
    ]),
    dashboard('rastro-gateways', 'Rastro: gateways', [
      rates('Calls', 'rastro_http_requests_total', 'operation', 'status'),
      rates('Refusals and faults', 'rastro_http_requests_total', 'code'),
      times('Time to answer', 'rastro_http_request_seconds', 'operation'),
      level('Bodies under way', 'bytes', 'rastro_http_body_bytes_held'),
      times('Calls of the state store', 'rastro_state_call_seconds', 'script'),
      level('Calls in one admission', 'short', 'rastro_admission_batch_calls'),
      times('Sends to the log', 'rastro_log_send_seconds', 'topic'),
      rates('Unreadable requests', 'rastro_http_unreadable_total'),
    ]),
    dashboard('rastro-workers', 'Rastro: workers', [
      rates('Records by outcome', 'rastro_worker_records_total', 'worker', 'outcome'),
      times('Batches', 'rastro_worker_batch_seconds', 'worker'),
      rates('Batches that came again', 'rastro_consumer_repeats_total', 'group', 'code'),
      rates('Items inserted', 'rastro_table_writer_items_total', 'topic'),
      times('Inserts', 'rastro_table_writer_insert_seconds'),
      rates('Inserts that failed', 'rastro_sink_faults_total', 'code'),
      rates('Rebuilds', 'rastro_rebuilds_total', 'code'),
      rates('Notifications', 'rastro_notifications_total', 'outcome'),
    ]),
    dashboard('rastro-parties', 'Rastro: providers and carriers', [
      rates('Attempts at providers', 'rastro_dispatcher_attempts_total', 'provider', 'outcome'),
      level('Commands that wait', 'short', 'rastro_dispatcher_pending'),
      rates('Tries at carriers', 'rastro_authorizer_tries_total', 'outcome', 'reason'),
      rates('Authorizations given up', 'rastro_authorizer_parked_total', 'reason'),
      rates('Polls of feeds', 'rastro_puller_polls_total', 'outcome'),
      times('How late feeds are polled', 'rastro_puller_late_seconds'),
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
    targets: Object.entries(queries).map(([legendFormat, expr], place) => ({
      refId: String.fromCharCode(65 + place), datasource, expr, legendFormat,
    })),
  };
}
