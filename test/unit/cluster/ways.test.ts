import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { describe, expect, it } from 'vitest';
import {
  CHAIN, rulesFrom, type NetworkPolicy, type PodPort, type PolicyPod,
} from '../../cluster/policies/rules.ts';
import { MAY_REACH, VISITORS, WAY_ENDS, type WayEnd } from '../../cluster/policies/ways.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const BASE = 'infra/kubernetes/base';
const COMPONENTS = 'infra/kubernetes/components';
/** What test/cluster/product/overlay renders, without its patches, which change no policy. */
const FILES = [
  `${BASE}/network-policies.yaml`, `${BASE}/command-line.yaml`,
  ...readdirSync(join(ROOT, BASE, 'generated')).map((name) => `${BASE}/generated/${name}`),
  ...readdirSync(join(ROOT, COMPONENTS, 'clickhouse')).filter((name) => name.endsWith('.yaml'))
    .map((name) => `${COMPONENTS}/clickhouse/${name}`),
  `${COMPONENTS}/strimzi/network-policies.yaml`, 'infra/kubernetes/overlays/dev/redis.yaml',
  'infra/kubernetes/overlays/dev/registry.yaml', 'test/cluster/product/overlay/kafka.yaml',
];

interface Resource {
  readonly kind?: string;
  readonly metadata?: { readonly name: string };
  readonly spec?: {
    readonly template?: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: { readonly containers: readonly { readonly ports?: readonly PodPort[] }[] };
    };
  };
}

const RESOURCES = FILES.flatMap((file) => parseAllDocuments(readFileSync(join(ROOT, file), 'utf8')))
  .map((document) => document.toJS() as Resource);
const POLICIES = RESOURCES.filter(({ kind }) => kind === 'NetworkPolicy')
  .map(({ metadata, spec }) => ({
    metadata: { name: metadata?.name ?? '', namespace: 'rastro' }, spec,
  })) as unknown as readonly NetworkPolicy[];

const ours = RESOURCES.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')
  .flatMap(({ spec }) => (spec?.template === undefined ? [] : [spec.template]));
const PODS: readonly PolicyPod[] = [
  ...ours.map(({ metadata, spec }, index): PolicyPod => ({
    namespace: 'rastro', labels: metadata.labels, address: `10.251.0.${10 + index}`,
    ports: spec.containers.flatMap(({ ports = [] }) => ports),
  })),
  ...Object.keys(VISITORS).map((name, index): PolicyPod => ({
    namespace: name, labels: { 'app.kubernetes.io/name': name }, address: `10.251.0.${100 + index}`,
    ports: [],
  })),
  { namespace: 'kube-system', labels: {}, address: '10.251.0.2', ports: [] },
];
const NAMESPACES = Object.fromEntries(
  Object.entries({ rastro: {}, 'kube-system': {}, ...VISITORS })
    .map(([name, labels]) => [name, { 'kubernetes.io/metadata.name': name, ...labels }]),
);

/** Reads rules as the kernel does: whether the first packet of a connection passes. */
function passes(rules: string, from: string, to: string, port: number): boolean {
  const walk = (chain: string): boolean => {
    for (const line of rules.split('\n').filter((each) => each.startsWith(`-A ${chain} `))) {
      const word = (flag: string): string | undefined => new RegExp(` ${flag} (\\S+)`).exec(line)?.[1];
      const [low = port, high = low] = word('--dport')?.split(':').map(Number) ?? [];
      const isMatch = !line.includes('--ctstate') && isWithin(from, word('-s')) && isWithin(to, word('-d'))
        && (word('-p') ?? 'tcp') === 'tcp' && port >= low && port <= high;
      if (!isMatch) continue;
      const target = word('-j') ?? '';
      if (target === 'DROP') return false;
      if (target === 'RETURN') return true;
      if (!walk(target)) return false;
    }
    return true;
  };
  return walk(CHAIN);
}

function isWithin(address: string, block = '0.0.0.0/0'): boolean {
  const number = (text: string): number => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const [base = '', bits = '32'] = block.split('/');
  const size = 2 ** (32 - Number(bits));
  return Math.floor(number(address) / size) === Math.floor(number(base) / size);
}

const addressOf = (app: string): string => (
  PODS.find(({ labels }) => labels['app.kubernetes.io/name'] === app)?.address ?? `no ${app}`);
/** The address of a name server is that of its Pod once the node has translated it. */
const endAddress = ({ name, app, address = '' }: WayEnd): string => (
  name === 'names' ? '10.251.0.2' : app === undefined ? address : addressOf(app));

function reachedBy(source: string, policies: readonly NetworkPolicy[]): readonly string[] {
  const rules = rulesFrom({ pods: PODS, policies, namespaces: NAMESPACES });
  const from = addressOf(source);
  return WAY_ENDS.filter((end) => endAddress(end) !== from)
    .filter((end) => passes(rules, from, endAddress(end), end.port)).map(({ name }) => name);
}

describe('the policies of the manifests', () => {
  it.each(Object.entries(MAY_REACH))('let %s reach what it must, and nothing else', (source, may) => {
    const expected = may.filter((end) => endAddress(end) !== addressOf(source))
      .map(({ name }) => name);
    expect(reachedBy(source, POLICIES).toSorted()).toEqual(expected.toSorted());
  });

  it('would let a stranger in if calls were open to all', () => {
    const opened = POLICIES.map((policy) => (policy.metadata.name !== 'calls' ? policy : {
      ...policy, spec: { ...policy.spec, ingress: [{ ports: [{ port: 'http' }] }] },
    }));
    expect(reachedBy('stranger', opened)).toContain('calls of ingest');
  });

  it('would keep ours from the log without the policy of the parts', () => {
    const without = POLICIES.filter(({ metadata }) => metadata.name !== 'parts');
    expect(reachedBy('ingest', without)).toEqual(['names']);
  });

  it('are tried by the very ends that a source may reach', () => {
    const foreign = Object.values(MAY_REACH).flat().filter((end) => !WAY_ENDS.includes(end));
    expect(foreign).toEqual([]);
  });
});
