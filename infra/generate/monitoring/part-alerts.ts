import type { Alert } from './alert.ts';

/** Metrics of Kubernetes and of the parts, by the names of their exporters. */
const OURS = 'namespace="rastro"';
const BROKER_VOLUMES = 'data-[0-9]+-rastro-brokers-.+';
const DAY_S = 86_400;
const CERTIFICATE_DAYS_MIN = 14;
/** Of a volume, free. */
const FREE_MIN = 0.2;
/** Of the memory that Redis may take, taken. */
const MEMORY_MAX = 0.85;
/** As `components/monitoring` and `components/part-metrics` name them. */
const WATCHED = 'rastro-brokers|rastro-redis|rastro-certificates|clickhouse|clickhouse-b';

/**
 * Alarms about the parts and their volumes. They are silent where what they read is not there:
 * kubelet, Strimzi's metrics, the endpoint of ClickHouse, redis_exporter, one of certificates.
 */
export function partAlerts(): readonly Alert[] {
  return [
    brokerDisk(), underReplicated(), stateMemory(), tablesDisk(), certificates(), volumes(),
    unwatched(),
  ];
}

function freeOf(match: string): string {
  const of = (what: string): string => `kubelet_volume_stats_${what}_bytes{${OURS}, ${match}}`;
  return `min by (persistentvolumeclaim) (${of('available')} / ${of('capacity')})`;
}

function volumeOf(name: string, gib: number): Readonly<Record<string, string>> {
  const labels = `{namespace="rastro",persistentvolumeclaim="${name}"}`;
  return {
    [`kubelet_volume_stats_available_bytes${labels}`]: `${gib}x30`,
    [`kubelet_volume_stats_capacity_bytes${labels}`]: '100x30',
  };
}

function brokerDisk(): Alert {
  const broker = 'data-0-rastro-brokers-1';
  const offline = 'kafka_log_logmanager_offlinelogdirectorycount';
  return {
    name: 'RastroBrokerDisk', severity: 'page', lasting: '5m',
    expr: `${freeOf(`persistentvolumeclaim=~"${BROKER_VOLUMES}"`)} < ${FREE_MIN}`
      + ` or max by (pod) (${offline}{${OURS}}) > 0`,
    summary: 'The disk of a broker is nearly full, or gone: a broker that cannot write ends.',
    rings: {
      series: volumeOf(broker, 10), at: '15m', labels: { persistentvolumeclaim: broker },
    },
    ringsToo: {
      series: { [`${offline}{namespace="rastro",pod="rastro-brokers-1"}`]: '1x30' },
      at: '15m', labels: { pod: 'rastro-brokers-1' },
    },
    silent: volumeOf(broker, 30),
  };
}

function underReplicated(): Alert {
  const byBrokers = 'kafka_server_replicamanager_underreplicatedpartitions';
  const byExporter = 'kafka_topic_partition_under_replicated_partition';
  return {
    name: 'RastroUnderReplicated', severity: 'page', lasting: '10m',
    expr: `sum(${byBrokers}{${OURS}}) > 0 or sum(${byExporter}{${OURS}}) > 0`,
    summary: 'Copies of records are missing at brokers: one more loss stops calls, or loses records.',
    rings: {
      series: { [`${byBrokers}{namespace="rastro",pod="rastro-brokers-0"}`]: '3x30' },
      at: '20m', labels: {},
    },
    ringsToo: {
      series: { [`${byExporter}{namespace="rastro",topic="t",partition="0"}`]: '1x30' },
      at: '20m', labels: {},
    },
    silent: {
      [`${byBrokers}{namespace="rastro",pod="rastro-brokers-0"}`]: '0x10 3x5 0x30',
      [`${byExporter}{namespace="rastro",topic="t",partition="0"}`]: '0x10 1x5 0x30',
    },
  };
}

function stateMemory(): Alert {
  const labels = '{job="rastro-redis",instance="redis-0:6380"}';
  const of = (what: string): string => `redis_memory_${what}_bytes{job="rastro-redis"}`;
  const filled = (used: string): Readonly<Record<string, string>> => ({
    [`redis_memory_used_bytes${labels}`]: used, [`redis_memory_max_bytes${labels}`]: '1000x30',
  });
  return {
    name: 'RastroStateMemory', severity: 'page', lasting: '10m',
    expr: `max by (instance) (${of('used')} / (${of('max')} > 0)) > ${MEMORY_MAX}`,
    summary: 'Redis is nearly full: at full it refuses writes, and every call is answered with 500.',
    rings: { series: filled('900x30'), at: '20m', labels: { instance: 'redis-0:6380' } },
    silent: filled('800x30'),
  };
}

function tablesDisk(): Alert {
  const of = (what: string): string => `ClickHouseAsyncMetrics_FilesystemMainPath${what}Bytes`;
  const labels = '{namespace="rastro",pod="clickhouse-0"}';
  const filled = (free: string): Readonly<Record<string, string>> => ({
    [`${of('Available')}${labels}`]: free, [`${of('Total')}${labels}`]: '100x30',
  });
  return {
    name: 'RastroTablesDisk', severity: 'page', lasting: '15m',
    expr: `min by (pod) (${of('Available')}{${OURS}} / ${of('Total')}{${OURS}}) < ${FREE_MIN}`,
    summary: 'The disk of ClickHouse is nearly full: without room no part is merged or written.',
    rings: { series: filled('10x30'), at: '20m', labels: { pod: 'clickhouse-0' } },
    silent: filled('30x30'),
  };
}

/** By an exporter of mounted files, by cert-manager, or by Strimzi's operator for its own. */
function certificates(): Alert {
  const named = (expr: string, label: string): string =>
    `label_replace(${expr}, "certificate", "$1", "${label}", "(.+)")`;
  const ends = [
    named('x509_cert_not_after{job="rastro-certificates"}', 'filepath'),
    named(`certmanager_certificate_expiration_timestamp_seconds{${OURS}}`, 'name'),
    named('strimzi_certificate_expiration_timestamp_ms{resource_namespace="rastro"} / 1000', 'type'),
  ].join(' or ');
  const x509 = 'x509_cert_not_after{job="rastro-certificates",filepath="/certificates/gateway/tls.crt"}';
  const strimzi = 'strimzi_certificate_expiration_timestamp_ms{resource_namespace="rastro",type="cluster-ca"}';
  return {
    name: 'RastroCertificateExpires', severity: 'ticket', lasting: '15m',
    expr: `min by (certificate) (${ends}) - time() < ${CERTIFICATE_DAYS_MIN * DAY_S}`,
    summary: 'A certificate ends within two weeks: then nothing connects.',
    rings: {
      series: { [x509]: '1000000x60' }, at: '30m',
      labels: { certificate: '/certificates/gateway/tls.crt' },
    },
    ringsToo: {
      series: { [strimzi]: '1000000000x60' }, at: '30m', labels: { certificate: 'cluster-ca' },
    },
    silent: { [x509]: '2000000x60', [strimzi]: '2000000000x60' },
  };
}

function volumes(): Alert {
  const inodes = (what: string): string => `kubelet_volume_stats_inodes${what}{${OURS}}`;
  const labels = '{namespace="rastro",persistentvolumeclaim="rastro-images"}';
  return {
    name: 'RastroVolumeFull', severity: 'ticket', lasting: '15m',
    expr: `${freeOf(`persistentvolumeclaim!~"${BROKER_VOLUMES}"`)} < ${FREE_MIN}`
      + ` or min by (persistentvolumeclaim) (${inodes('_free')} / (${inodes('')} > 0)) < ${FREE_MIN}`,
    summary: 'A volume is nearly full, by its bytes or by its number of files.',
    rings: {
      series: volumeOf('rastro-images', 10), at: '20m',
      labels: { persistentvolumeclaim: 'rastro-images' },
    },
    ringsToo: {
      series: {
        ...volumeOf('rastro-images', 50),
        [`kubelet_volume_stats_inodes_free${labels}`]: '5x30',
        [`kubelet_volume_stats_inodes${labels}`]: '100x30',
      },
      at: '20m', labels: { persistentvolumeclaim: 'rastro-images' },
    },
    silent: { ...volumeOf('rastro-images', 50), ...volumeOf('data-0-rastro-brokers-1', 10) },
  };
}

function unwatched(): Alert {
  const up = 'up{job="rastro-redis",instance="redis-0:6380"}';
  return {
    name: 'RastroPartUnwatched', severity: 'ticket', lasting: '15m',
    expr: `max by (job) (up{job=~"${WATCHED}"}) == 0`,
    summary: 'The metrics of a part are not read: alarms about it cannot ring.',
    rings: { series: { [up]: '0x30' }, at: '20m', labels: { job: 'rastro-redis' } },
    silent: { [up]: '0x5 1x30' },
  };
}
