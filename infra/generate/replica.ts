import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { REPLICA, replicaProcess } from './processes.ts';
import { autoscaler } from './autoscaling.ts';
import { workload } from './workload.ts';
import type { Yaml } from './yaml.ts';

const KUBERNETES = join(import.meta.dirname, '..', 'kubernetes');
const SERVER = 'clickhouse';
const MIGRATIONS = 'rastro-migrations';

interface Resource {
  readonly [name: string]: Yaml;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** A second ClickHouse with its writers, by file: as the first one is, under names of its own. */
export function replicaFiles(): Readonly<Record<string, readonly Yaml[]>> {
  const process = replicaProcess();
  const scaler = autoscaler(process);
  const migrations = resourcesOf('base/jobs.yaml').find(({ metadata }) => (
    metadata.name === MIGRATIONS
  ));
  return {
    'clickhouse.yaml': [
      ...resourcesOf('components/clickhouse/clickhouse.yaml'),
      ...resourcesOf('components/clickhouse/backup-policy.yaml'),
    ].map((each) => apart(renamed(each) as Resource)),
    'migrations.yaml': [filling(renamed(migrations) as Resource)],
    'table-writer.yaml': [...workload(process, scaler !== undefined), scaler],
  };
}

function resourcesOf(path: string): readonly Resource[] {
  return parseAllDocuments(readFileSync(join(KUBERNETES, path), 'utf8'))
    .map((document) => document.toJS() as Resource);
}

/** Every name of the server and its policies, whole: users, settings and secrets are shared. */
function renamed(value: Yaml): Yaml {
  const names = [SERVER, `${SERVER}-backups`, MIGRATIONS];
  if (typeof value === 'string') return names.includes(value) ? `${value}-${REPLICA}` : value;
  if (Array.isArray(value)) return (value as readonly Yaml[]).map(renamed);
  if (typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, renamed(each)]),
  );
}

/** Never on the node of the first one: neither its queries nor its loss may reach the other. */
function apart(resource: Resource): Yaml {
  if (resource.kind !== 'StatefulSet') return resource;
  const spec = resource['spec'] as { readonly template: { readonly spec: object } };
  const { template } = spec;
  const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{
    topologyKey: 'kubernetes.io/hostname',
    labelSelector: { matchLabels: { 'app.kubernetes.io/name': SERVER } },
  }] } };
  return {
    ...resource, spec: { ...spec, template: { ...template, spec: { ...template.spec, affinity } } },
  };
}

/** The same Job for the tables of the replica. */
function filling(job: Resource): Yaml {
  const copy = structuredClone(job) as unknown as { readonly spec: { readonly template: {
    readonly spec: { readonly containers: readonly [{ readonly env: Yaml[] }] };
  } } };
  copy.spec.template.spec.containers[0].env.push({
    name: 'RASTRO_CLICKHOUSE_REPLICA', value: REPLICA,
  });
  return copy;
}
