import { list, PROFILES, text, type OperatorValue } from './value.ts';

const NAME = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;
const SIZE = /^[1-9]\d*(Gi|Ti)$/;
const KEY = /^[\w./-]+$/;
const HOST_AND_PORT = /^[a-z0-9.-]+:\d{1,5}$/;
const DOMAIN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/;
const NETWORK = /^[0-9a-f.:]+\/\d{1,3}$/;
const NONE = 'none';
/** The value of a part that is in this namespace. */
const INSIDE = 'inside';
const ADDRESS = /^([0-9.]+|[0-9a-f:]+)$/;

/** Every value that has no right default: nothing renders before each of them is said. */
export const VALUES: readonly OperatorValue[] = [
  {
    path: 'profile', says: `one of ${PROFILES.join(', ')}`, example: 'standard',
    fits: (value) => PROFILES.some((profile) => profile === value),
  },
  {
    path: 'image.name', says: 'our image in your registry, with the last word rastro',
    example: 'registry.example/rastro', fits: text(/^[\w.:-]+(\/[\w.-]+)*\/rastro$/),
  },
  {
    path: 'image.version', says: 'its tag, which is in the names of Jobs', example: '0.1.0',
    fits: text(/^\d+\.\d+\.\d+([-.][0-9a-z.-]+)?$/),
  },
  {
    path: 'image.digest', says: 'its content, as your registry names it: sha256:…',
    example: `sha256:${'0123456789abcdef'.repeat(4)}`, fits: text(/^sha256:[0-9a-f]{64}$/),
  },
  {
    path: 'gateway.class', says: 'a GatewayClass of your cluster', example: 'example', fits: text(NAME),
  },
  {
    path: 'gateway.host', says: 'the name by which callers reach the interface',
    example: 'tracking.example', fits: text(/^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+$/),
  },
  {
    path: 'gateway.certificate_secret', says: 'a Secret in namespace rastro with tls.crt and tls.key of that name',
    example: 'tracking-certificate', fits: text(NAME),
  },
  {
    path: 'gateway.platform_class', says: 'a GatewayClass that only the platform and operators reach',
    example: 'internal', fits: text(NAME),
  },
  {
    path: 'gateway.platform_host', says: 'the name by which they reach /platform and /docs',
    example: 'platform.tracking.example', fits: text(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/),
  },
  {
    path: 'gateway.platform_certificate_secret', says: 'a Secret in namespace rastro with tls.crt and tls.key of that name',
    example: 'platform-certificate', fits: text(NAME),
  },
  {
    path: 'gateway.trusted_proxies', says: 'networks of what is in front and names its callers, or [none]',
    example: ['10.0.0.0/8', 'fc00::/7'],
    fits: (value) => list(NETWORK)(value) || Array.isArray(value) && String(value) === 'none',
  },
  {
    path: 'console.issuer',
    says: 'who signs people in at the console, https://login.example/realms/staff, or none',
    example: 'https://login.example/realms/staff', fits: text(/^(none|https:\/\/[^\s?#]+)$/),
  },
  {
    path: 'console.email_domains', says: 'whose addresses are let in by it, example.com, or [none] without it',
    example: ['staff.example'],
    fits: (value) => list(DOMAIN)(value) || Array.isArray(value) && String(value) === NONE,
  },
  {
    path: 'carrier.client_id', says: 'the client that notifies about numbers given here, or none',
    example: '100000000000001', fits: text(/^(none|\d{15})$/),
  },
  { path: 'storage.class', says: 'a StorageClass for one writer', example: 'fast', fits: text(NAME) },
  {
    path: 'storage.shared_class', says: 'a StorageClass for many writers (ReadWriteMany)',
    example: 'shared', fits: text(NAME),
  },
  { path: 'storage.kafka', says: 'disk of each broker, 1Ti', example: '1Ti', fits: text(SIZE) },
  { path: 'storage.clickhouse', says: 'disk of each ClickHouse, 9Ti', example: '9Ti', fits: text(SIZE) },
  { path: 'storage.images', says: 'room for proofs of delivery, 100Gi', example: '100Gi', fits: text(SIZE) },
  {
    path: 'parts.schema_registry',
    says: 'its address by TLS, https://registry.example:8443/apis/ccompat/v7, or inside',
    example: 'https://registry.registry:8443/apis/ccompat/v7', fits: text(/^(inside|https:\/\/\S+)$/),
  },
  {
    path: 'parts.schema_registry_user', says: 'who logs in there, or none; rastro where it is inside',
    example: 'rastro', fits: text(/^[\w.@-]+$/),
  },
  {
    path: 'parts.redis', says: 'host:port of each server, reached by TLS, or [inside] for a Redis Cluster of six Pods',
    example: ['redis-0.redis.example:6380', 'redis-1.redis.example:6380'],
    fits: (value) => list(HOST_AND_PORT)(value) || isInside(value),
  },
  {
    path: 'parts.redis_cluster', says: 'true for a Redis Cluster (as inside), false for one server', example: true,
    fits: (value) => typeof value === 'boolean',
  },
  {
    path: 'parts.prometheus', says: 'the Prometheus that reads ours, with its whole name',
    example: 'http://prometheus-operated.monitoring.svc:9090',
    fits: text(/^https?:\/\/[\w-]+(\.[\w-]+){2,}(:\d+)?(\/\S*)?$/), notFor: ['small'],
  },
  {
    path: 'dns.node_address', says: 'address of NodeLocal DNSCache, 169.254.20.10, or none',
    example: '169.254.20.10', fits: (value) => value === 'none' || text(ADDRESS)(value),
  },
  { path: 'secrets.store', says: 'a ClusterSecretStore', example: 'vault', fits: text(NAME) },
  {
    path: 'secrets.parts_authority', says: 'key in the store: certificate of who signs those of the parts',
    example: 'authorities/parts', fits: text(KEY),
  },
  {
    path: 'secrets.clickhouse_certificate', says: 'key in the store: certificate of ClickHouse',
    example: 'certificates/clickhouse', fits: text(KEY),
  },
  {
    path: 'secrets.clickhouse_certificate_key', says: 'key in the store: its private key',
    example: 'certificates/clickhouse-key', fits: text(KEY),
  },
];

/** Whether a part is in this namespace, by the value that says where it is. */
export function isInside(value: unknown): boolean {
  return value === INSIDE || Array.isArray(value) && String(value) === INSIDE;
}

/** Whether people reach the console by an identity provider, by the value that names it. */
export function hasIssuer(value: unknown): boolean {
  return value !== NONE;
}

/** Values that are right alone and not together. */
export const TOGETHER: readonly {
  readonly wrong: (at: (path: string) => unknown) => boolean; readonly says: string;
}[] = [
  {
    says: 'parts.schema_registry_user must be rastro, as parts.schema_registry is inside',
    wrong: (at) => isInside(at('parts.schema_registry')) && at('parts.schema_registry_user') !== 'rastro',
  },
  {
    says: 'parts.redis_cluster must be true, as parts.redis is inside',
    wrong: (at) => isInside(at('parts.redis')) && at('parts.redis_cluster') !== true,
  },
  {
    says: 'console.email_domains must be [none] where console.issuer is none, and nowhere else',
    wrong: (at) => hasIssuer(at('console.issuer')) === (String(at('console.email_domains')) === NONE),
  },
];
