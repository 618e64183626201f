import { GATEWAYS } from '../../services/gateways/gateways.ts';
import { yamlFile, type Yaml } from '../generate/yaml.ts';
import type { OperatorValues } from './read-values.ts';

const COMPONENT = { apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component' };
const PROFILES = '../../../profiles/generated';
/** Listeners of Kafka and ClickHouse in the cluster. */
const KAFKA_PORT = 9093;
const CLICKHOUSE_PORT = 8443;

/** The files of `overlays/prod/values`, which that overlay does not build without. */
export function valuesFiles(values: OperatorValues): Readonly<Record<string, string>> {
  const { profile } = values;
  return {
    'processes/kustomization.yaml': yamlFile([{
      ...COMPONENT, components: [`../${PROFILES}/${profile}/processes`],
    }]),
    'kustomization.yaml': yamlFile([{
      ...COMPONENT,
      components: [`${PROFILES}/${profile}/sizes`],
      images: [{
        name: 'rastro', newName: values.text('image.name'), newTag: values.text('image.version'),
        digest: values.text('image.digest'),
      }],
      configMapGenerator: [{
        name: 'rastro-settings', behavior: 'merge', literals: settings(values),
      }],
      patches: patches(values),
      ...(profile === 'small' ? {} : { replacements: [prometheus(values)] }),
    }]),
  };
}

function settings(values: OperatorValues): readonly string[] {
  return [
    `SCHEMA_REGISTRY_URL=${values.text('parts.schema_registry')}`,
    `RASTRO_REDIS_CLUSTER=${values.text('parts.redis_cluster')}`,
    `RASTRO_TRUSTED_PROXIES=${values.list('gateway.trusted_proxies').join(',')}`,
    `RASTRO_CARRIER_CLIENT_ID=${values.text('carrier.client_id')}`,
  ];
}

function patches(values: OperatorValues): readonly Yaml[] {
  const host = values.text('gateway.host');
  const node = values.text('dns.node_address');
  return [
    patch({ kind: 'Gateway', name: 'rastro' }, [
      replace('/spec/gatewayClassName', values.text('gateway.class')),
      add('/spec/listeners/0/hostname', host),
      add('/spec/listeners/1/hostname', host),
      replace('/spec/listeners/0/tls/certificateRefs/0/name', values.text('gateway.certificate_secret')),
    ]),
    patch({ kind: 'PersistentVolumeClaim', name: 'rastro-images' }, [
      add('/spec/storageClassName', values.text('storage.shared_class')),
      replace('/spec/resources/requests/storage', values.text('storage.images')),
    ]),
    patch({ kind: 'StatefulSet', name: 'clickhouse(-b)?' }, [
      add('/spec/volumeClaimTemplates/0/spec/storageClassName', values.text('storage.class')),
      replace('/spec/volumeClaimTemplates/0/spec/resources/requests/storage',
        values.text('storage.clickhouse')),
    ]),
    patch({ kind: 'KafkaNodePool', name: 'brokers' }, [
      add('/spec/storage/volumes/0/class', values.text('storage.class')),
      replace('/spec/storage/volumes/0/size', values.text('storage.kafka')),
    ]),
    patch({ kind: 'ExternalSecret' }, [
      replace('/spec/secretStoreRef/name', values.text('secrets.store')),
    ]),
    ...([
      ['rastro-parts-authority', '0', 'secrets.parts_authority'],
      ['rastro-clickhouse-certificate', '0', 'secrets.clickhouse_certificate'],
      ['rastro-clickhouse-certificate', '1', 'secrets.clickhouse_certificate_key'],
    ] as const).map(([name, at, path]) => patch({ kind: 'ExternalSecret', name }, [
      replace(`/spec/data/${at}/remoteRef/key`, values.text(path)),
    ])),
    patch({ kind: 'NetworkPolicy', name: 'parts' }, [
      replace('/spec/egress/0/ports', portsOfParts(values).map(tcp)),
    ]),
    patch({ kind: 'NetworkPolicy', name: 'redis-exporter' }, [
      replace('/spec/egress/0/ports', redisPorts(values).map(tcp)),
    ]),
    patch({ kind: 'Probe', name: 'rastro-redis' }, [
      replace('/spec/targets/staticConfig/static',
        values.list('parts.redis').map((server) => `rediss://${server}`)),
    ]),
    patch({ kind: 'Deployment', name: 'certificate-exporter' }, [
      replace('/spec/template/spec/volumes/0/projected/sources/0/secret/name',
        values.text('gateway.certificate_secret')),
    ]),
    ...(node === 'none' ? [] : [patch({ kind: 'NetworkPolicy', name: 'names' }, [
      add('/spec/egress/0/to/-', { ipBlock: { cidr: `${node}/${node.includes(':') ? 128 : 32}` } }),
    ])]),
  ];
}

/** Ports at which the parts are: Pods go out by these and no others. */
function portsOfParts(values: OperatorValues): readonly number[] {
  const { port } = new URL(values.text('parts.schema_registry'));
  const registry = Number(port === '' ? 443 : port);
  return [...new Set([KAFKA_PORT, CLICKHOUSE_PORT, registry, ...redisPorts(values)])];
}

function redisPorts(values: OperatorValues): readonly number[] {
  return [...new Set(values.list('parts.redis').map((each) => Number(each.split(':').at(-1))))];
}

function tcp(port: number): Yaml {
  return { protocol: 'TCP', port };
}

/** Where KEDA reads how many seconds workers are behind. */
function prometheus(values: OperatorValues): Yaml {
  return {
    sourceValue: values.text('parts.prometheus'),
    targets: [{
      select: { kind: 'ScaledObject' },
      '#gateways': 'Gateways grow with their CPU.',
      reject: [...new Set(GATEWAYS.map(({ program }) => program))].map((name) => ({ name })),
      fieldPaths: ['spec.triggers.[type=prometheus].metadata.serverAddress'],
    }],
  };
}

function patch(target: Yaml, operations: readonly Yaml[]): Yaml {
  return { target, patch: JSON.stringify(operations) };
}

function replace(path: string, value: Yaml): Yaml {
  return { op: 'replace', path, value };
}

function add(path: string, value: Yaml): Yaml {
  return { op: 'add', path, value };
}
