import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { describe, expect, it } from 'vitest';

const KUBERNETES = join(import.meta.dirname, '..', '..', '..', 'infra', 'kubernetes');
const AUTHORITY = '/etc/rastro/parts-authority';

interface Selector { readonly matchLabels?: Readonly<Record<string, string>> }
interface Peer { readonly podSelector?: Selector; readonly namespaceSelector?: Selector }
interface Policy {
  readonly podSelector: Selector;
  readonly policyTypes: readonly string[];
  readonly ingress?: readonly {
    readonly from?: readonly Peer[]; readonly ports?: readonly { readonly port: string | number }[];
  }[];
  readonly egress?: readonly { readonly to?: readonly unknown[]; readonly ports?: unknown }[];
}
interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: unknown;
}

function resourcesIn(path: string): readonly Resource[] {
  return parseAllDocuments(readFileSync(join(KUBERNETES, path), 'utf8'))
    .map((document) => document.toJS() as Resource);
}

function policyIn(path: string, name: string): Policy {
  const found = resourcesIn(path)
    .find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === name);
  if (found === undefined) throw new Error(`${path} has no policy ${name}.`);
  return found.spec as Policy;
}

const OURS: Peer = { podSelector: { matchLabels: { 'app.kubernetes.io/part-of': 'rastro' } } };
const ofNamespaces = (label: string): Peer => (
  { namespaceSelector: { matchLabels: { [label]: 'true' } } }
);

/** Who comes in where, beside the denial of everything. */
const WAYS_IN = [
  ['base/network-policies.yaml', 'calls', [ofNamespaces('rastro/calls-gateways')], 'http'],
  ['base/network-policies.yaml', 'metrics', [ofNamespaces('rastro/reads-metrics')], 'admin'],
  ['components/clickhouse/clickhouse.yaml', 'clickhouse',
    [OURS, ofNamespaces('rastro/reads-tables')], 'http'],
  ['components/clickhouse-replica/generated/clickhouse.yaml', 'clickhouse-b',
    [OURS, ofNamespaces('rastro/reads-tables')], 'http'],
  ['components/oidc/policies.yaml', 'calls-of-console-proxy',
    [{ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'console-proxy' } } }], 'http'],
  ['components/oidc/policies.yaml', 'console-proxy', [ofNamespaces('rastro/calls-gateways')], 'http'],
  ['overlays/dev/redis.yaml', 'redis', [OURS], 'redis'],
  ['overlays/dev/registry.yaml', 'registry', [OURS], 'http'],
] as const;

/** The same, of what also goes out, or is one policy of two. */
const MORE_WAYS_IN = [
  ['components/clickhouse/metrics-policy.yaml', 'clickhouse-metrics',
    [ofNamespaces('rastro/reads-metrics')], 'metrics'],
  ['components/part-metrics/policies.yaml', 'exporters', [ofNamespaces('rastro/reads-metrics')], 'metrics'],
  ['components/registry/policies.yaml', 'registry', [OURS], 'https'],
] as const;
/** It lets its own nodes in too, so it has a test of its own. */
const REDIS_CLUSTER = ['components/redis-cluster/policies.yaml', 'redis'] as const;
const OF_REDIS: Peer = { podSelector: { matchLabels: { 'app.kubernetes.io/name': 'redis' } } };

const TO_STORAGE = (...pods: readonly string[]): object => ({
  podSelector: pods.length === 1
    ? { matchLabels: { 'app.kubernetes.io/name': pods[0] } }
    : { matchExpressions: [{ key: 'app.kubernetes.io/name', operator: 'In', values: pods }] },
  egress: [{
    to: [{ ipBlock: { cidr: '0.0.0.0/0', except: ['169.254.0.0/16'] } }],
    ports: [{ protocol: 'TCP', port: 443 }],
  }],
});

function wayToStorage(file: string, name: string): object {
  const { podSelector, egress } = policyIn(`components/clickhouse/${file}.yaml`, name);
  return { podSelector, egress };
}

describe('the network policies', () => {
  it('deny everything that none of them allows', () => {
    expect(policyIn('base/network-policies.yaml', 'default-deny')).toEqual({
      podSelector: {}, policyTypes: ['Ingress', 'Egress'],
    });
  });

  it.each([...WAYS_IN, ...MORE_WAYS_IN])('of %s let in by %s who is named, at one port, and no other', (
    path, name, from, port,
  ) => {
    const { ingress, policyTypes } = policyIn(path, name);
    expect(policyTypes).toContain('Ingress');
    expect(ingress).toEqual([{ from, ports: [{ protocol: 'TCP', port }] }]);
  });

  it('of a Redis Cluster let in our own processes and its exporter, and nodes among themselves', () => {
    const { ingress, egress, policyTypes } = policyIn(...REDIS_CLUSTER);
    const [redis, bus] = ['redis', 'bus'].map((port) => ({ protocol: 'TCP', port }));
    const exporter: Peer = { podSelector: { matchLabels: { 'app.kubernetes.io/name': 'redis-exporter' } } };
    expect(policyTypes).toEqual(['Ingress', 'Egress']);
    expect(ingress).toEqual([
      { from: [OURS, exporter], ports: [redis] }, { from: [OF_REDIS], ports: [redis, bus] },
    ]);
    expect(egress).toEqual([{ to: [OF_REDIS], ports: [redis, bus] }]);
  });

  it('let the registry out to the brokers alone', () => {
    const brokers = { podSelector: { matchLabels: { 'strimzi.io/cluster': 'rastro' } } };
    expect(policyIn('components/registry/policies.yaml', 'registry').egress)
      .toEqual([{ to: [brokers], ports: [{ protocol: 'TCP', port: 9093 }] }]);
  });

  it('that let someone in are all among those above', () => {
    const known = [...WAYS_IN, ...MORE_WAYS_IN, REDIS_CLUSTER].map(([path, name]) => `${path} ${name}`);
    const found = globSync('{base,components,overlays}/**/*.yaml', { cwd: KUBERNETES })
      .filter((path) => readFileSync(join(KUBERNETES, path), 'utf8').includes('kind: NetworkPolicy'))
      .filter((path) => !path.endsWith('kustomization.yaml'))
      .flatMap((path) => resourcesIn(path)
        .filter(({ kind, spec }) => kind === 'NetworkPolicy' && (spec as Policy).ingress !== undefined)
        .map(({ metadata }) => `${path} ${metadata.name}`));
    expect(found.toSorted()).toEqual(known.toSorted());
  });

  it('let ClickHouse out to the storage of its backups alone, by TLS', () => {
    expect(wayToStorage('backup-policy', 'clickhouse-backups')).toEqual(TO_STORAGE('clickhouse'));
  });

  it('let the nightly backup out to the same storage, to delete old ones', () => {
    expect(wayToStorage('prune-policy', 'rastro-backup')).toEqual(TO_STORAGE('rastro-backup', 'command-line'));
  });

  it('let the proxy of the console out to gateways, and by 443 to who signs people in', () => {
    const { egress } = policyIn('components/oidc/policies.yaml', 'console-proxy');
    expect(egress).toEqual([
      {
        to: [{ podSelector: { matchLabels: {
          'app.kubernetes.io/part-of': 'rastro', 'app.kubernetes.io/component': 'gateway',
        } } }],
        ports: [{ protocol: 'TCP', port: 'http' }],
      },
      ...(TO_STORAGE('') as Policy).egress ?? [],
    ]);
  });

  it.each(WAYS_IN.filter(([path]) => !/^base|oidc/.test(path)))('of %s let %s call no other', (path, name) => {
    const { egress, policyTypes } = policyIn(path, name);
    expect(policyTypes).toContain('Egress');
    expect(egress).toEqual([]);
  });

  it.each([
    'components/clickhouse/clickhouse.yaml', 'overlays/dev/redis.yaml', 'overlays/dev/registry.yaml',
  ])('of %s are there for each of its Pods', (path) => {
    const resources = resourcesIn(path);
    const selected = resources.filter(({ kind }) => kind === 'NetworkPolicy')
      .map(({ spec }) => (spec as Policy).podSelector);
    const pods = resources.filter(({ kind }) => kind === 'StatefulSet' || kind === 'Deployment')
      .map(({ spec }) => (spec as { readonly selector: Selector }).selector);
    expect(pods.length).toBeGreaterThan(0);
    expect(selected).toEqual(pods);
  });
});

describe('TLS inside a cluster', () => {
  const read = (path: string): string =>
    readFileSync(join(KUBERNETES, 'components', 'tls', path), 'utf8');

  it('trusts one authority with each part, by a file that every Pod has', () => {
    for (const part of ['REDIS', 'CLICKHOUSE', 'SCHEMA_REGISTRY']) {
      expect(read('kustomization.yaml')).toContain(`- ${part}_TLS_CA_FILE=${AUTHORITY}/ca.crt`);
    }
    for (const path of ['trust-in-pods.yaml', 'trust-in-jobs.yaml', 'trust-in-cron-jobs.yaml']) {
      expect(read(path)).toContain(`mountPath: ${AUTHORITY}`);
      expect(read(path)).toContain('secretName: rastro-parts-authority');
    }
    const prod = readFileSync(join(KUBERNETES, 'overlays/prod/kustomization.yaml'), 'utf8');
    expect(prod).toContain('- ../../components/tls');
    // Values name an address of the registry by https:// or are refused (values.test.ts).
  });

  it('has ClickHouse answer by TLS alone, where its callers ask for it', () => {
    expect(read('tls.xml')).toContain('<http_port remove="remove"/>');
    expect(read('tls.xml')).toContain('<https_port>8443</https_port>');
    expect(read('kustomization.yaml')).toContain('- CLICKHOUSE_URL=https://clickhouse:8443');
    expect(read('clickhouse.yaml').match(/scheme\n {2}value: HTTPS/g)).toHaveLength(2);
  });

  it('names only secrets that the external store brings', () => {
    const store = readFileSync(join(KUBERNETES, 'components/external-secrets/secrets.yaml'), 'utf8');
    for (const path of ['trust-in-pods.yaml', 'trust-in-jobs.yaml', 'clickhouse.yaml']) {
      const [, name = 'none'] = /secretName: (\S+)/.exec(read(path)) ?? [];
      expect(store).toContain(`name: ${name}\n`);
    }
  });
});
