import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { describe, expect, it } from 'vitest';
import { replicaFiles } from '../../../infra/generate/replica.ts';
import { backupSettings } from '../../../services/adapters/config/backup.ts';
import { readConfig } from '../../../services/adapters/config/read-config.ts';
import { rebuildSettings } from '../../../services/adapters/config/rebuild.ts';
import { openBackupStorage } from '../../../services/workers/assemble-backup-storage.ts';
import { clickHouseConfigOf } from '../../../services/workers/assemble-config.ts';

const KUBERNETES = join(process.cwd(), 'infra/kubernetes');

/** Fields that are looked at below. */
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly [{
      readonly args: readonly string[];
      readonly env: readonly { readonly name: string; readonly value?: string }[];
    }] } };
    readonly triggers?: readonly { readonly metadata: Readonly<Record<string, string>> }[];
  };
}

const of = (path: string): string => readFileSync(join(KUBERNETES, path), 'utf8');
const base = parse(of('base/kustomization.yaml')) as {
  readonly configMapGenerator: readonly [{ readonly literals: readonly string[] }];
};
const settings = Object.fromEntries(base.configMapGenerator[0].literals.map((line) => {
  const [name = '', value = ''] = line.split(/=(.*)/s);
  return [name, value];
}));

describe('the second ClickHouse', () => {
  const resources = Object.values(replicaFiles()).flat() as unknown as readonly Manifest[];
  const one = (kind: string, name: string): Manifest => {
    const found = resources.find((each) => each.kind === kind && each.metadata.name === name);
    if (found === undefined) throw new Error(`no ${kind} ${name}`);
    return found;
  };

  it('is the first one under names of its own, on another node', () => {
    const [first] = parseAllDocuments(of('components/clickhouse/clickhouse.yaml'))
      .map((document) => document.toJS() as Manifest)
      .filter(({ kind }) => kind === 'StatefulSet');
    const second = one('StatefulSet', 'clickhouse-b');
    const [own, its] = [first, second].map((each) => each?.spec.template.spec.containers);
    expect(its).toMatchObject([{ ...own?.[0], name: 'clickhouse-b' }]);
    expect(JSON.stringify(second)).toContain(
      '"topologyKey":"kubernetes.io/hostname","labelSelector":{"matchLabels":'
      + '{"app.kubernetes.io/name":"clickhouse"}}',
    );
    expect(resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'Service clickhouse-b', 'StatefulSet clickhouse-b', 'NetworkPolicy clickhouse-b',
      'NetworkPolicy clickhouse-backups-b', 'Job rastro-migrations-b', 'Deployment table-writer-b',
      'PodDisruptionBudget table-writer-b', 'ScaledObject table-writer-b',
    ]);
  });

  it('has migrations and writers of its own, which an environment lets start', () => {
    const [prod, standard] = [
      of('overlays/prod/kustomization.yaml'), of('profiles/generated/standard/processes/kustomization.yaml'),
    ];
    const [, CLICKHOUSE_REPLICAS = ''] = /- CLICKHOUSE_REPLICAS=(.*)/.exec(standard) ?? [];
    const listed = (text: string): readonly (string | undefined)[] =>
      [...text.matchAll(/(?:components|values)\/([\w-]+)$/gm)].map(([, each]) => each);
    // Each patches what those before it bring.
    expect(listed(prod).filter((each) => /processes|clickhouse|tls/.test(each ?? '')))
      .toEqual(['clickhouse', 'processes', 'tls']);
    expect(listed(standard)).toEqual(['keda', 'clickhouse-replica']);
    for (const [kind, name] of [
      ['Job', 'rastro-migrations-b'], ['Deployment', 'table-writer-b'],
    ] as const) {
      const { env } = one(kind, name).spec.template.spec.containers[0];
      const own = Object.fromEntries(env.map((each) => (
        [each.name, each.value ?? 'redis://a-secret']
      )));
      const at = { ...settings, CLICKHOUSE_REPLICAS, REDIS_URL: 'redis://r', ...own };
      expect(clickHouseConfigOf(readConfig('rebuild', rebuildSettings, at)).url)
        .toBe('https://clickhouse-b:8443');
    }
    const { args } = one('Deployment', 'table-writer-b').spec.template.spec.containers[0];
    expect(args).toEqual(['services/workers/main.ts', 'table-writer']);
    expect(one('ScaledObject', 'table-writer-b').spec.triggers?.flatMap(({ metadata }) => (
      metadata['consumerGroup'] ?? []
    ))).toEqual(['rastro.table-writer@b', 'rastro.table-writer.overflow@b']);
  });
});

describe('what runs by the clock', () => {
  it('trusts the authority of Kafka and of the other parts, as Pods do', () => {
    for (const [component, file] of [
      ['strimzi', 'rastro-cluster-ca-cert'], ['tls', 'rastro-parts-authority'],
    ] as const) {
      expect(of(`components/${component}/kustomization.yaml`)).toMatch(
        /kind: CronJob\n +labelSelector: app.kubernetes.io\/part-of=rastro\n +path: trust-in-cron-jobs/,
      );
      expect(of(`components/${component}/trust-in-cron-jobs.yaml`)).toContain(file);
    }
    expect(of('components/strimzi/trust-in-cron-jobs.yaml')).toContain('name: KAFKA_TLS_CA_FILE');
  });

  it('deletes old backups where the server writes them, with settings that a backup takes', () => {
    const job = parse(of('components/clickhouse/backup.yaml')) as {
      readonly spec: { readonly jobTemplate: Manifest };
    };
    const { args, env } = job.spec.jobTemplate.spec.template.spec.containers[0];
    expect(args).toEqual(['services/cli/main.ts', 'backup', '--keep', '2']);
    const own = Object.fromEntries(env.map(({ name, value }) => (
      [name, value ?? (name === 'RASTRO_BACKUP_STORAGE' ? 'https://host/bucket/tables/' : 'secret')]
    )));
    expect(() => openBackupStorage(readConfig('backup', backupSettings, { ...settings, ...own })))
      .not.toThrow();
  });
});
