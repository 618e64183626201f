import { LAG_SECONDS_MAX } from '../../../services/kernel/objectives.ts';
import { happened, metric, quantile } from './metric.ts';
import { autoscalerAlerts } from './autoscaler-alerts.ts';
import { balanceAlerts } from './balance-alerts.ts';
import { burnAlerts } from './burn-alerts.ts';
import { callAlerts } from './call-alerts.ts';
import { crashLoopAlert } from './crash-loop-alert.ts';
import { partAlerts } from './part-alerts.ts';
import { liveAlerts } from './live-alerts.ts';
import { missingAlert } from './missing-alert.ts';
import type { Alert } from './alert.ts';
import { webhookAlerts } from './webhook-alerts.ts';

/** The same by the server itself, where no table-writer runs that would report it. */
const SERVER_PARTS = 'ClickHouseAsyncMetrics_MaxPartCountForPartition';

/** Every alarm of the platform; what each means and what to do is in its runbook. */
export function alerts(): readonly Alert[] {
  return [
    ...burnAlerts(), ...balanceAlerts(), ...callAlerts(), ...logAlerts(), deadLetterAlert(),
    moveAlert(), ...storeAlerts(), ...partyAlerts(), topicAlert(), missingAlert(), crashLoopAlert(),
    ...autoscalerAlerts(), ...liveAlerts(), ...webhookAlerts(), ...partAlerts(),
  ];
}

function topicAlert(): Alert {
  return {
    name: 'RastroTopicRemade', severity: 'page', lasting: '0m',
    expr: `${happened('rastro_topics_remade_total', '1h', { by: ['group', 'topic'] })} > 0`,
    summary: 'A topic was made again under its name; what it held before is gone from the log.',
    rings: {
      series: { 'rastro_topics_remade_total{group="rastro.g",topic="t"}': '_x5 1x30' },
      at: '10m', labels: { group: 'rastro.g', topic: 't' },
    },
    ringsToo: {
      series: { 'rastro_topics_remade_total{group="rastro.g",topic="t"}': '1x70 2x30' },
      at: '75m', labels: { group: 'rastro.g', topic: 't' },
    },
    silent: { 'rastro_topics_remade_total{group="rastro.g",topic="t"}': '1x70' },
    silentAt: '65m',
  };
}

function moveAlert(): Alert {
  return {
    name: 'RastroProviderMoved', severity: 'ticket', lasting: '0m',
    expr: `max by (provider) (${metric('rastro_overflow_provider_moved', 'provider')}) > 0`,
    summary: 'The locations of a provider go to the overflow topic: others waited for its fixes.',
    rings: {
      series: { 'rastro_overflow_provider_moved{provider="p"}': '0x5 1x20' },
      at: '10m', labels: { provider: 'p' },
    },
    silent: { 'rastro_overflow_provider_moved{provider="p"}': '1x5 0x20' },
  };
}

function logAlerts(): readonly Alert[] {
  return [
    {
      name: 'RastroLogSendBacklog', severity: 'page', lasting: '2m',
      expr: `max by (job) (${metric('rastro_log_waiting_bytes')}) > 5e7`,
      summary: 'Records wait for Kafka, nearly as many as a process may hold.',
      rings: {
        series: { 'rastro_log_waiting_bytes{job="ingest"}': '6e7x10' },
        at: '5m', labels: { job: 'ingest' },
      },
      silent: { 'rastro_log_waiting_bytes{job="ingest"}': '4e7x10' },
    },
    {
      name: 'RastroLogSendErrors', severity: 'ticket', lasting: '10m',
      expr: `sum by (topic) (rate(${metric('rastro_log_sends_rejected_total', 'topic')}[5m])) > 0.1`,
      summary: 'Kafka refuses batches of a topic again and again.',
      rings: {
        series: { 'rastro_log_sends_rejected_total{topic="t",reason="r"}': '0+60x30' },
        at: '20m', labels: { topic: 't' },
      },
      silent: { 'rastro_log_sends_rejected_total{topic="t",reason="r"}': '0+1x30' },
    },
    {
      name: 'RastroConsumerStuck', severity: 'page', lasting: '10m',
      expr: `sum by (group) (increase(${metric('rastro_consumer_repeats_total', 'group')}[5m])) > 5`,
      summary: 'A worker gets the same batch again and again, and its partition stands still.',
      rings: {
        series: { 'rastro_consumer_repeats_total{group="rastro.g",code="c"}': '0+10x30' },
        at: '20m', labels: { group: 'rastro.g' },
      },
      silent: { 'rastro_consumer_repeats_total{group="rastro.g",code="c"}': '0+0.5x30' },
    },
    {
      name: 'RastroConsumerLag', severity: 'page', lasting: '10m',
      expr: `max by (group, topic) (${
        metric('rastro_worker_lag_seconds', 'group', 'topic')}) > ${LAG_SECONDS_MAX}`,
      summary: 'A record waits for a worker since more than two minutes.',
      rings: {
        series: { 'rastro_worker_lag_seconds{group="rastro.g",topic="t"}': '0+60x30' },
        at: '20m', labels: { group: 'rastro.g', topic: 't' },
      },
      silent: { 'rastro_worker_lag_seconds{group="rastro.g",topic="t"}': '0 60 180x7 0x30' },
    },
    {
      name: 'RastroKeysParked', severity: 'ticket', lasting: '5m',
      expr: `max by (worker) (${metric('rastro_parked_keys', 'worker')}) > 0`,
      summary: 'Records wait behind one that cannot be read, until that one is repaired.',
      rings: { series: { 'rastro_parked_keys{worker="w"}': '1x20' }, at: '10m', labels: { worker: 'w' } },
      silent: { 'rastro_parked_keys{worker="w"}': '0x20' },
    },
    {
      name: 'RastroNoFinalCode', severity: 'ticket', lasting: '10m',
      expr: `max(${metric('rastro_notification_codes_final')}) == 0`,
      summary: 'No notification code ends a shipment: import the catalogue of codes.',
      rings: { series: { rastro_notification_codes_final: '0x30' }, at: '15m', labels: {} },
      silent: { rastro_notification_codes_final: '4x30' },
    },
  ];
}

function deadLetterAlert(): Alert {
  return {
    name: 'RastroDeadLetters', severity: 'ticket', lasting: '0m',
    expr: `${happened('rastro_dead_letters_total', '15m', { by: ['stage', 'code'] })} > 0`,
    summary: 'Workers wrote dead letters: an operator has to inspect them.',
    rings: {
      series: { 'rastro_dead_letters_total{stage="s",code="c"}': '_x5 1x20' },
      at: '10m', labels: { stage: 's', code: 'c' },
    },
    ringsToo: {
      series: { 'rastro_dead_letters_total{stage="s",code="c"}': '3x20 4x20' },
      at: '25m', labels: { stage: 's', code: 'c' },
    },
    silent: { 'rastro_dead_letters_total{stage="s",code="c"}': '3x25' },
    silentAt: '20m',
  };
}

function storeAlerts(): readonly Alert[] {
  return [
    {
      name: 'RastroStateNotReady', severity: 'page', lasting: '5m',
      expr: `max(${metric('rastro_state_ready')}) == 0`,
      summary: 'Redis does not hold everything that the log says: calls are answered with 500.',
      rings: { series: { 'rastro_state_ready{job="projector"}': '0x10' }, at: '6m', labels: {} },
      silent: { 'rastro_state_ready{job="projector"}': '0x4 1x10' },
    },
    {
      name: 'RastroTooManyParts', severity: 'ticket', lasting: '15m',
      expr: `max by (table) (${metric('rastro_sink_partition_parts_max', 'table')}) > 600`
        + ` or on () max by (pod) (${SERVER_PARTS}{namespace="rastro"}) > 600`,
      summary: 'A table has so many parts that ClickHouse will soon slow its inserts down.',
      rings: {
        series: { 'rastro_sink_partition_parts_max{table="t"}': '700x30' },
        at: '20m', labels: { table: 't' },
      },
      ringsToo: {
        series: { [`${SERVER_PARTS}{namespace="rastro",pod="clickhouse-0"}`]: '700x30' },
        at: '20m', labels: { pod: 'clickhouse-0' },
      },
      silent: {
        'rastro_sink_partition_parts_max{table="t"}': '500x30',
        [`${SERVER_PARTS}{namespace="rastro",pod="clickhouse-0"}`]: '500x30',
      },
    },
    {
      name: 'RastroComputedLate', severity: 'ticket', lasting: '15m',
      expr: `max by (table) (${metric('rastro_sink_computed_waiting_seconds', 'table')}) > 1800`,
      summary: 'What is computed in the background is more than half an hour late.',
      rings: {
        series: { 'rastro_sink_computed_waiting_seconds{table="t"}': '1500+60x60' },
        at: '30m', labels: { table: 't' },
      },
      silent: { 'rastro_sink_computed_waiting_seconds{table="t"}': '1500x60' },
    },
    {
      name: 'RastroBackupOld', severity: 'page', lasting: '15m',
      expr: `min(${metric('rastro_sink_backup_age_seconds')}) > max(${
        metric('rastro_sink_backup_age_seconds_max')})`,
      summary: 'The newest whole backup of the tables is too old: a lost disk would lose rows.',
      rings: {
        series: {
          rastro_sink_backup_age_seconds: '130000+60x60',
          rastro_sink_backup_age_seconds_max: '129600x60',
        },
        at: '30m', labels: {},
      },
      silent: {
        rastro_sink_backup_age_seconds: '120000+60x60',
        rastro_sink_backup_age_seconds_max: '129600x60',
      },
    },
    {
      name: 'RastroInsertErrors', severity: 'page', lasting: '10m',
      expr: `sum by (code) (increase(${metric('rastro_sink_faults_total', 'code')}[5m])) > 3`,
      summary: 'ClickHouse refuses inserts; nothing is lost, and nothing arrives.',
      rings: {
        series: { 'rastro_sink_faults_total{code="c"}': '0+2x30' }, at: '20m', labels: { code: 'c' },
      },
      silent: { 'rastro_sink_faults_total{code="c"}': '0x10 1x20' },
    },
  ];
}

function partyAlerts(): readonly Alert[] {
  const late = 'rastro_puller_late_seconds';
  return [
    {
      name: 'RastroAuthorizationsParked', severity: 'ticket', lasting: '0m',
      expr: `${happened('rastro_authorizer_parked_total', '1h', { by: ['reason'] })} > 0`,
      summary: 'Carriers did not authorize shipments, which wait for an operator now.',
      rings: {
        series: { 'rastro_authorizer_parked_total{reason="r"}': '_x5 1x60' },
        at: '10m', labels: { reason: 'r' },
      },
      silent: { 'rastro_authorizer_parked_total{reason="r"}': '2x65' },
      silentAt: '65m',
    },
    {
      name: 'RastroPartySecretUnreadable', severity: 'ticket', lasting: '0m',
      expr: `${happened('rastro_party_secrets_unreadable_total', '1h', { by: ['party_id'] })} > 0`,
      summary: 'A party is not called: no key of the vault opens its secret.',
      rings: {
        series: { 'rastro_party_secrets_unreadable_total{party_id="p"}': '_x5 1x60' },
        at: '10m', labels: { party_id: 'p' },
      },
      silent: { 'rastro_party_secrets_unreadable_total{party_id="p"}': '2x65' },
      silentAt: '65m',
    },
    {
      name: 'RastroCommandBacklog', severity: 'ticket', lasting: '15m',
      expr: `sum(${metric('rastro_command_pending')}) > 1000`,
      summary: 'Many commands wait: a provider does not answer, or answers with 5xx.',
      rings: {
        series: { 'rastro_command_pending{provider="p"}': '2000x30' }, at: '20m', labels: {},
      },
      silent: { 'rastro_command_pending{provider="p"}': '900x30' },
    },
    {
      name: 'RastroFeedPollsLate', severity: 'ticket', lasting: '30m',
      expr: `${quantile(0.95, late, '15m')} > 900`,
      summary: 'Feeds of carriers are polled more than a quarter of an hour after they are due.',
      rings: {
        series: {
          [`${late}_bucket{le="900"}`]: '0x60', [`${late}_bucket{le="3600"}`]: '0+10x60',
          [`${late}_bucket{le="+Inf"}`]: '0+10x60',
        },
        at: '50m', labels: {},
      },
      silent: { [`${late}_bucket{le="10"}`]: '0+10x60', [`${late}_bucket{le="+Inf"}`]: '0+10x60' },
    },
  ];
}
