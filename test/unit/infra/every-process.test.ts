import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { readFileSync } from 'node:fs';
import parsers from '@stoplight/spectral-parsers';
import { describe, expect, it } from 'vitest';
import { autoscaler } from '../../../infra/generate/autoscaling.ts';
import { gatewayProcesses, workerProcesses } from '../../../infra/generate/processes.ts';
import { workload } from '../../../infra/generate/workload.ts';
import { grantsOfCatalog } from '../../../infra/kafka/grants.ts';
import { consumerConfigOf, type WorkersConfig } from '../../../services/workers/assemble-config.ts';
import { WORKERS } from '../../../services/workers/workers.ts';

type Labels = Readonly<Record<string, string>>;

interface Probe { readonly httpGet: { readonly path: string } }

/** The fields that are read here; schemas check the rest. */
interface Manifest {
  readonly kind: string;
  readonly spec: {
    readonly replicas?: number;
    readonly minReplicaCount?: number;
    readonly scaleTargetRef?: { readonly name: string };
    readonly podSelector?: { readonly matchLabels?: Labels };
    readonly selector?: { readonly matchLabels: Labels };
    readonly template?: {
      readonly metadata: { readonly labels: Labels };
      readonly spec: { readonly containers: readonly [{
        readonly startupProbe: Probe; readonly livenessProbe: Probe; readonly readinessProbe: Probe;
        readonly ports: readonly { readonly name: string }[];
      }] };
    };
  };
  readonly metadata: { readonly name: string };
}

function manifests(path: string): readonly Manifest[] {
  return readFileSync(`infra/kubernetes/${path}`, 'utf8').split(/^---$/m)
    .map((text) => parsers.Yaml.parse(text).data as Manifest | null)
    .filter((one) => one?.kind !== undefined) as Manifest[];
}

const policies = manifests('base/network-policies.yaml');
const monitors = manifests('components/monitoring/pod-monitor.yaml');
const processes = [...gatewayProcesses(), ...workerProcesses()];

/** Whether a selector takes Pods with these labels. */
const takes = (wanted: Labels | undefined, labels: Labels): boolean =>
  Object.entries(wanted ?? {}).every(([name, value]) => labels[name] === value);

function partsOf(process: (typeof processes)[number]) {
  const scaler = autoscaler(process) as Manifest | undefined;
  const made = workload(process, scaler !== undefined) as unknown as readonly Manifest[];
  const pods = made.find(({ kind }) => kind === 'Deployment')?.spec;
  const labels = pods?.template?.metadata.labels ?? {};
  return { scaler, made, pods, labels, container: pods?.template?.spec.containers[0] };
}

describe('every process of the platform', () => {
  it.each(processes)('$name is probed, its life without a look at any other part', (process) => {
    const { container } = partsOf(process);
    expect(container?.startupProbe.httpGet.path).toBe('/healthz');
    expect(container?.livenessProbe.httpGet.path).toBe('/healthz');
    expect(container?.readinessProbe.httpGet.path).toBe('/readyz');
    expect(container?.ports.map(({ name }) => name)).toContain('admin');
  });

  it.each(processes)('$name has a budget of Pods that may be away, and two Pods at least', (process) => {
    const { scaler, made, pods, labels } = partsOf(process);
    const budgets = made.filter(({ kind, spec }) =>
      kind === 'PodDisruptionBudget' && takes(spec.selector?.matchLabels, labels));
    expect(budgets).toHaveLength(1);
    expect(scaler?.spec.minReplicaCount ?? pods?.replicas).toBe(2);
    if (scaler !== undefined) expect(scaler.spec.scaleTargetRef?.name).toBe(process.name);
  });

  it.each(processes)('$name reaches, is reached and is read for metrics by rules', (process) => {
    const { labels } = partsOf(process);
    const applied = policies.filter(({ spec }) => takes(spec.podSelector?.matchLabels, labels))
      .map(({ metadata }) => metadata.name);
    expect(applied).toEqual([
      'default-deny', 'names', ...(process.kind === 'gateway' ? ['calls'] : []), 'metrics', 'parts',
      ...(process.callsParties ? ['parties'] : []),
    ]);
    const readBy = monitors.filter(({ spec }) => takes(spec.selector?.matchLabels, labels));
    expect(readBy).toHaveLength(1);
  });

  const inGroups = WORKERS.filter(({ reads }) => reads.length > 0);
  it.each(inGroups)('$id may read its topics and commit in its group', ({ id }) => {
    const { group, topics } = consumerConfigOf({} as WorkersConfig, id);
    const own = grantsOfCatalog()
      .filter((grant) => grant.user === 'workers' && grant.may.includes('read'));
    const readable = own.flatMap((grant) => ('topic' in grant ? [grant.topic] : []));
    expect(topics.filter((topic) => !readable.includes(topic))).toEqual([]);
    const groups = own.flatMap((grant) => ('groupsFrom' in grant ? [grant.groupsFrom] : []));
    expect(groups.some((prefix) => group.startsWith(prefix))).toBe(true);
  });

  it.each(WORKERS)('$id may read and write what the table of workers says', (worker) => {
    const may = (what: 'read' | 'write'): readonly (string | undefined)[] => grantsOfCatalog()
      .filter((grant) => grant.user === 'workers' && grant.may.includes(what))
      .map(({ topic }) => topic);
    const { reads, replays, writes, rebuild } = worker;
    const read = [...reads, ...replays, ...rebuild?.before ?? [], ...rebuild?.after ?? []];
    expect(read.filter((topic) => !may('read').includes(topic))).toEqual([]);
    expect(writes.filter((topic) => !may('write').includes(topic))).toEqual([]);
  });

  it.each(Object.values(TOPICS))('the catalog says of $name what the table of workers says', (topic) => {
    const may = (what: 'read' | 'write'): boolean => grantsOfCatalog().some((grant) => (
      grant.user === 'workers' && grant.topic === topic.name && grant.may.includes(what)));
    expect(may('write')).toBe((topic.written_by as readonly string[]).includes('workers'));
    expect(may('read')).toBe((topic.read_by as readonly string[]).includes('workers'));
  });
});
