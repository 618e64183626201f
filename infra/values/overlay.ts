import { GATEWAYS } from '../../services/gateways/gateways.ts';
import { yamlFile, type Yaml } from '../generate/yaml.ts';
import { hasIssuer, isInside } from './operator-values.ts';
import type { OperatorValues } from './read-values.ts';

const COMPONENT = { apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component' };
const PROFILES = '../../../profiles/generated';
const PARTS = '../../../components';
/** Where parts are that are in this namespace (components/registry, components/redis-cluster). */
const REGISTRY_INSIDE = 'https://registry:8443/apis/ccompat/v7';
const REDIS_INSIDE = [0, 1, 2, 3, 4, 5].map((node) => `redis-${node}.redis:6379`);
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
      components: [
        `${PROFILES}/${profile}/sizes`, ...partsInside(values),
        ...(hasIssuer(values.text('console.issuer')) ? [`${PARTS}/oidc`] : []),
      ],
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

/** Components of parts that are in this namespace, and of the login at the registry. */
function partsInside(values: OperatorValues): readonly string[] {
  return [
    ...(isInside(values.text('parts.schema_registry')) ? ['registry'] : []),
    ...(logsInAtRegistry(values) ? ['registry-login'] : []),
    ...(isInside(values.list('parts.redis')) ? ['redis-cluster'] : []),
  ].map((name) => `${PARTS}/${name}`);
}

function logsInAtRegistry(values: OperatorValues): boolean {
  return values.text('parts.schema_registry_user') !== 'none';
}

function registryUrl(values: OperatorValues): string {
  const address = values.text('parts.schema_registry');
  return isInside(address) ? REGISTRY_INSIDE : address;
}

function redisServers(values: OperatorValues): readonly string[] {
  const servers = values.list('parts.redis');
  return isInside(servers) ? REDIS_INSIDE : servers;
}

function settings(values: OperatorValues): readonly string[] {
  return [
    `SCHEMA_REGISTRY_URL=${registryUrl(values)}`,
    ...(logsInAtRegistry(values)
      ? [`SCHEMA_REGISTRY_USERNAME=${values.text('parts.schema_registry_user')}`] : []),
    `RASTRO_REDIS_CLUSTER=${values.text('parts.redis_cluster')}`,
    `RASTRO_TRUSTED_PROXIES=${values.list('gateway.trusted_proxies').join(',')}`,
    `RASTRO_CARRIER_CLIENT_ID=${values.text('carrier.client_id')}`,
  ];
}

function patches(values: OperatorValues): readonly Yaml[] {
  const host = values.text('gateway.host');
  const node = values.text('dns.node_address');
  const issuer = values.text('console.issuer');
  return [
    patch({ kind: 'Gateway', name: 'rastro' }, [
      replace('/spec/gatewayClassName', values.text('gateway.class')),
      add('/spec/listeners/0/hostname', host),
      add('/spec/listeners/1/hostname', host),
      replace('/spec/listeners/0/tls/certificateRefs/0/name', values.text('gateway.certificate_secret')),
    ]),
    patch({ kind: 'Gateway', name: 'rastro-platform' }, [
      replace('/spec/gatewayClassName', values.text('gateway.platform_class')),
      add('/spec/listeners/0/hostname', values.text('gateway.platform_host')),
      replace('/spec/listeners/0/tls/certificateRefs/0/name',
        values.text('gateway.platform_certificate_secret')),
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
    ...(isInside(values.list('parts.redis')) ? [patch({ kind: 'StatefulSet', name: 'redis' }, [
      add('/spec/volumeClaimTemplates/0/spec/storageClassName', values.text('storage.class')),
    ])] : []),
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
        redisServers(values).map((server) => `rediss://${server}`)),
    ]),
    patch({ kind: 'Deployment', name: 'certificate-exporter' }, [
      replace('/spec/template/spec/volumes/0/projected/sources/0/secret/name',
        values.text('gateway.certificate_secret')),
      replace('/spec/template/spec/volumes/0/projected/sources/1/secret/name',
        values.text('gateway.platform_certificate_secret')),
    ]),
    ...(hasIssuer(issuer) ? [patch({ kind: 'ConfigMap', name: 'rastro-console-identity' }, [
      add('/data/OAUTH2_PROXY_OIDC_ISSUER_URL', issuer),
      add('/data/OAUTH2_PROXY_EMAIL_DOMAINS', values.list('console.email_domains').join(',')),
    ])] : []),
    ...(node === 'none' ? [] : [patch({ kind: 'NetworkPolicy', name: 'names' }, [
      add('/spec/egress/0/to/-', { ipBlock: { cidr: `${node}/${node.includes(':') ? 128 : 32}` } }),
    ])]),
  ];
}

/** Ports at which the parts are: Pods go out by these and no others. */
function portsOfParts(values: OperatorValues): readonly number[] {
  const { port } = new URL(registryUrl(values));
  const registry = Number(port === '' ? 443 : port);
  return [...new Set([KAFKA_PORT, CLICKHOUSE_PORT, registry, ...redisPorts(values)])];
}

function redisPorts(values: OperatorValues): readonly number[] {
  return [...new Set(redisServers(values).map((each) => Number(each.split(':').at(-1))))];
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
