import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import parsers from '@stoplight/spectral-parsers';
import { describe, expect, it } from 'vitest';
import { writeClickHouseConfig } from '../../../infra/local/clickhouse-config.ts';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { autoscaler } from '../../../infra/generate/autoscaling.ts';
import { gatewayProcesses, workerProcesses, workersOf } from '../../../infra/generate/processes.ts';
import { kafkaTopics, kafkaUsers } from '../../../infra/generate/strimzi.ts';
import { workload } from '../../../infra/generate/workload.ts';
import { grantsOfCatalog } from '../../../infra/kafka/grants.ts';
import { backupSettings } from '../../../services/adapters/config/backup.ts';
import { gatewaysSettings } from '../../../services/adapters/config/gateways.ts';
import { readConfig } from '../../../services/adapters/config/read-config.ts';
import { workersSettings } from '../../../services/adapters/config/workers.ts';
import { LIVE_TOPICS } from '../../../services/gateways/live/follow-log.ts';
import { GATEWAYS } from '../../../services/gateways/gateways.ts';
import { REPLAYED_TOPICS } from '../../../services/operator/dead-letters/plan-replay.ts';
import { chooseParts } from '../../../services/process/choose-parts.ts';
import {
  groupOf, WORKERS, type WorkerId, type WorkerProgram,
} from '../../../services/workers/workers.ts';
import { baseSettings } from './base-settings.ts';

const KUBERNETES = join(process.cwd(), 'infra/kubernetes');

/** Fields that are looked at below; everything else of a manifest is kubeconform's matter. */
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas?: number;
    readonly template: { readonly spec: {
      readonly terminationGracePeriodSeconds: number;
      readonly containers: readonly [{
        readonly args: readonly string[];
        readonly env: readonly {
          name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } };
        }[];
        readonly lifecycle?: { preStop: { sleep: { seconds: number } } };
      }];
    } };
    readonly data?: readonly { readonly secretKey: string }[];
    readonly partitions?: number;
    readonly config?: Readonly<Record<string, string | number>>;
    readonly authorization?: { readonly acls: readonly object[] };
    readonly maxReplicaCount?: number;
    readonly minReplicaCount?: number;
    readonly triggers?: readonly { readonly metadata: Readonly<Record<string, string>> }[];
  };
}

function manifests(path: string): readonly Manifest[] {
  return readFileSync(join(KUBERNETES, path), 'utf8').split(/^---$/m)
    .map((text) => parsers.Yaml.parse(text).data as Manifest | null)
    .filter((one) => one?.kind !== undefined) as Manifest[];
}

/** As the generator makes them; that the files are what it makes is tested beside this. */
const made = (documents: readonly unknown[]): readonly Manifest[] =>
  documents as readonly Manifest[];

const processes = [...gatewayProcesses(), ...workerProcesses()];
const scaled = made(processes.flatMap((process) => autoscaler(process) ?? []));
const deployments = made(processes.flatMap((process) =>
  workload(process, autoscaler(process) !== undefined)))
  .filter(({ kind }) => kind === 'Deployment');
const jobs = manifests('base/jobs.yaml');
const settings = baseSettings();

/** Values of the right form for what a cluster keeps in Secrets. */
const SECRET_VALUES: Readonly<Record<string, string>> = {
  REDIS_URL: 'redis://gateways:secret@redis:6379',
  RASTRO_IMAGE_KEY: Buffer.alloc(32).toString('base64'),
  RASTRO_PERSONAL_KEY: `own:${Buffer.alloc(32).toString('base64')}`,
  RASTRO_VAULT_KEY: Buffer.alloc(32).toString('base64'),
};

describe('the manifests', () => {
  it('run each gateway and each worker in one of eight Deployments, and none in two', () => {
    expect(deployments).toHaveLength(8);
    const running = (main: string): readonly string[] => deployments.flatMap(({ spec }) => {
      const [entry = '', ...args] = spec.template.spec.containers[0].args;
      if (entry !== `services/${main}/main.ts`) return [];
      return chooseParts<string>(args, main === 'gateways' ? GATEWAYS : WORKERS);
    });
    expect(running('gateways').toSorted()).toEqual(GATEWAYS.map(({ id }) => id).toSorted());
    expect(running('workers')).toEqual(WORKERS.map(({ id }) => id));
  });

  it('ask for at most three cores and a quarter with the fewest Pods', () => {
    const pods = 2 * deployments.length;
    const cores = 2 * processes.reduce((sum, { cpu }) => sum + cpu.value, 0) / 1_000;
    expect({ pods, cores: cores <= 3.25 }).toEqual({ pods: 16, cores: true });
  });

  it.each(deployments)('give $metadata.name an environment that it starts with', ({ spec }) => {
    const [{ args, env }] = spec.template.spec.containers;
    const own = env.map(({ name, value }) =>
      [name, value ?? SECRET_VALUES[name] ?? 'a-secret-of-sixteen-or-more'] as const);
    const isGateway = args[0]?.includes('gateways');
    const read = (): object => isGateway
      ? readConfig('gateways', gatewaysSettings, { ...settings, ...Object.fromEntries(own) })
      : readConfig('workers', workersSettings, { ...settings, ...Object.fromEntries(own) });
    expect(read()).toMatchObject({ RASTRO_ADMIN_HOST: '0.0.0.0', KAFKA_TLS: true });
  });

  it.each(deployments)('let $metadata.name end in the time that it may take', ({ spec }) => {
    const { containers: [container], terminationGracePeriodSeconds } = spec.template.spec;
    const stop = container.lifecycle?.preStop.sleep.seconds ?? 0;
    const leaving = stop === 0 ? 0 : Number(settings['RASTRO_LAME_DUCK_MS']) / 1000;
    const drain = Number(settings['RASTRO_DRAIN_MS_MAX']) / 1000;
    const patience = 5;
    expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(stop + leaving + drain + patience);
  });

  it('leave the number of Pods open just where an autoscaler owns it', () => {
    for (const process of processes) {
      const one = deployments.find(({ metadata }) => metadata.name === process.name);
      expect([process.name, one?.spec.replicas === undefined])
        .toEqual([process.name, autoscaler(process) !== undefined]);
    }
  });

  it('name only secrets that the external store brings, or those of Kafka users', () => {
    const brought = manifests('components/external-secrets/secrets.yaml').flatMap(
      ({ metadata, spec }) => (spec.data ?? []).map(({ secretKey }) => `${metadata.name}/${secretKey}`),
    );
    const asked = [...deployments, ...jobs].flatMap(({ spec }) =>
      spec.template.spec.containers[0].env.flatMap(({ valueFrom }) =>
        valueFrom === undefined ? [] : [valueFrom.secretKeyRef]));
    const missing = asked.filter(({ name, key }) =>
      !brought.includes(`${name}/${key}`) && !/^kafka-user-\w+$/.test(name));
    expect(missing).toEqual([]);
    expect(asked.length).toBeGreaterThan(deployments.length);
  });
});

describe('what the manifests ask for', () => {
  const { chain, catchUp } = JSON.parse(
    readFileSync('docs/reference/performance/bench.json', 'utf8'),
  ) as { chain: { cpuUs: Record<string, number> }; catchUp: Record<string, number> };

  it.each([
    ['ingest', 'gateway', 0], ['table-writer', 'table-writer', 0],
    // What else it applies was not measured.
    ['projector', 'projectors', 100],
  ])('is for %s what the committed run of the bench says, rounded up by 50m', (name, group, more) => {
    const asked = (processes.find((process) => process.name === name)?.cpu.value ?? 0) - more;
    const needed = 10_000 * (chain.cpuUs[group] ?? Number.NaN) / 1_000 / 0.65;
    expect(asked - needed).toBeGreaterThanOrEqual(0);
    expect(asked - needed).toBeLessThan(50);
  });

  it('lets a writer be as late as the run caught up in so many seconds', () => {
    const writer = scaled.find(({ metadata }) => metadata.name === 'table-writer')?.spec;
    const [, lag] = writer?.triggers ?? [];
    const threshold = Number(lag?.metadata['lagThreshold']);
    const pace = (catchUp['catchUpLocationsPerSecond'] ?? Number.NaN) / 10;
    expect(threshold).toBe(20 * Math.floor(pace));
  });
});

describe('the autoscalers', () => {
  it.each(workerProcesses().filter((each) => autoscaler(each) !== undefined))(
    'give $name never more Pods than its largest topic has partitions', ({ name }) => {
      const own = workersOf(name as WorkerProgram).filter(({ scale }) => scale !== undefined);
      const topics = own.flatMap(({ reads }) => reads);
      const partitions = Object.values(TOPICS)
        .filter((topic) => topics.includes(topic.name)).map((topic) => topic.partitions);
      const one = scaled.find(({ metadata }) => metadata.name === name)?.spec;
      expect(one?.maxReplicaCount).toBe(Math.max(...partitions));
      expect(one?.minReplicaCount).toBe(2);
      expect(one?.triggers?.flatMap(({ metadata }) => metadata['consumerGroup'] ?? []))
        .toEqual(own.map(({ id }) => groupOf(id as WorkerId)));
      expect(one?.triggers?.flatMap(({ metadata }) => metadata['query'] ?? [])).toEqual(own.map(
        ({ id }) => `max(rastro_worker_lag_seconds{group="${groupOf(id as WorkerId)}"})`,
      ));
    },
  );
});

describe('the users of ClickHouse', () => {
  it('have the same rights in a cluster as in the local stack', () => {
    const own = mkdtempSync(join(tmpdir(), 'rastro-users-'));
    const dir = join(own, 'clickhouse');
    const credentials = { admin: 'a', ingest: 'b', analyst: 'c', history: 'd', pictures: 'f', backup: 'e' };
    writeClickHouseConfig({ dir, credentials, databases: ['tracking'], memoryBytesMax: 1 });
    const grants = (text: string): readonly string[] =>
      [...text.matchAll(/GRANT ([^<]+ ON tracking\.[^<]+)</g)].map((match) => match[1] ?? '').toSorted();
    const local = grants(readFileSync(join(dir, 'users.xml'), 'utf8'));
    rmSync(own, { recursive: true });
    const cluster = readFileSync(join(KUBERNETES, 'components/clickhouse/users.xml'), 'utf8');
    expect(local.length).toBeGreaterThan(5);
    expect(grants(cluster)).toEqual(local);
  });

  it('let all queries of analysts together have half of the memory, two threads each, after writers', () => {
    const own = mkdtempSync(join(tmpdir(), 'rastro-users-'));
    const dir = join(own, 'clickhouse');
    const credentials = { admin: 'a', ingest: 'b', analyst: 'c', history: 'd', pictures: 'f', backup: 'e' };
    writeClickHouseConfig({ dir, credentials, databases: ['tracking'], memoryBytesMax: 6_000 });
    const local = readFileSync(join(dir, 'users.xml'), 'utf8');
    rmSync(own, { recursive: true });
    const of = (file: string): string => (
      readFileSync(join(KUBERNETES, 'components/clickhouse', file), 'utf8')
    );
    const [, gib] = /limits:[^]*?memory: (\d+)Gi/.exec(of('clickhouse.yaml')) ?? [];
    for (const [text, half] of [[local, 3_000], [of('users.xml'), Number(gib) * 2 ** 29]] as const) {
      const [analyst = ''] = /<analyst>[^]*?<\/analyst>/.exec(text) ?? [];
      const [, bytes] = /<max_memory_usage_for_user>(\d+)</.exec(analyst) ?? [];
      expect(Number(bytes)).toBeLessThanOrEqual(half);
      expect(analyst).toContain('<max_memory_usage_for_user><const/>');
      expect(analyst).toContain('<max_threads><min>1</min><max>2</max></max_threads>');
      expect(analyst).toContain('<os_threads_nice_value_query>19<');
      expect(analyst).toContain('<os_threads_nice_value_query><const/>');
    }
  });
});

describe('the logs of ClickHouse about itself', () => {
  it('are the same two in the compose file and in a cluster, and end', () => {
    const of = (path: string): string => readFileSync(join(KUBERNETES, path), 'utf8');
    const mounted = '/etc/clickhouse-server/config.d/server.xml';
    expect(of('components/clickhouse/clickhouse.yaml')).toContain(`mountPath: ${mounted}`);
    expect(of('../compose/compose.yaml')).toContain(`target: ${mounted}`);
    const server = of('components/clickhouse/server.xml');
    const kept = [...server.matchAll(/<(\w+_log)>\s*<ttl>/g)].map((match) => match[1]);
    expect(kept).toEqual(['query_log', 'part_log']);
    expect(server.match(/<\w+_log remove="remove"\/>/g)).toHaveLength(12);
  });
});

describe('the disk of backups', () => {
  it('has the name that the product asks for, in the compose file and in a cluster', () => {
    const of = (path: string): string => readFileSync(join(KUBERNETES, path), 'utf8');
    const disk = backupSettings.RASTRO_BACKUP_DISK.default;
    const mounted = '/etc/clickhouse-server/config.d/backups.xml';
    for (const [disks, manifest] of [
      ['components/clickhouse/backups.xml', 'components/clickhouse/clickhouse.yaml'],
      ['../compose/backups.xml', '../compose/compose.yaml'],
    ] as const) {
      expect(of(disks)).toContain(`<allowed_disk>${disk}</allowed_disk>`);
      expect(of(disks)).toMatch(new RegExp(`<disks>\\s*<${disk}>`));
      expect(of(manifest)).toContain(mounted);
    }
  });

  it('has its address and its keys from a Secret, and nothing of it in a file', () => {
    const disk = readFileSync(join(KUBERNETES, 'components/clickhouse/backups.xml'), 'utf8');
    const asked = [...disk.matchAll(/from_env="(\w+)"/g)].map((match) => match[1] ?? '');
    expect(asked).toHaveLength(3);
    const secrets = readFileSync(
      join(KUBERNETES, 'components/external-secrets/secrets.yaml'), 'utf8',
    );
    for (const name of asked) expect(secrets).toContain(`secretKey: ${name}`);
  });
});

describe('Strimzi\'s resources', () => {
  it('make each topic as the catalog says', () => {
    const topics = made(kafkaTopics()).map(({ metadata, spec }) => [
      metadata.name, spec.partitions, spec.config?.['cleanup.policy'],
      Number(spec.config?.['retention.ms']), Number(spec.config?.['max.message.bytes']),
      spec.config?.['max.compaction.lag.ms'] !== undefined,
    ]);
    expect(topics).toEqual(Object.values(TOPICS).map((topic) => [
      topic.name, topic.partitions, topic.cleanup, topic.retention_ms, topic.message_bytes_max,
      topic.cleanup === 'compact',
    ]));
  });

  it('give each user of the table of rights its own', () => {
    const users = made(kafkaUsers());
    const names = new Set(grantsOfCatalog().map(({ user }) => user));
    expect(users.map(({ metadata }) => metadata.name)).toEqual([...names]);
    interface Acl {
      readonly resource: { readonly type: string; readonly name: string };
      readonly operations: readonly string[];
    }
    const topicsOf = (user: string, operation: string): readonly string[] => {
      const found = users.find(({ metadata }) => metadata.name === user) as unknown as {
        readonly spec: { readonly authorization: { readonly acls: readonly Acl[] } };
      };
      return found.spec.authorization.acls.filter(({ resource, operations }) => (
        resource.type === 'topic' && operations.includes(operation)
      )).map(({ resource }) => resource.name).toSorted();
    };
    const repairs = TOPICS.deadLetterRepairs.name;
    expect(topicsOf('gateways', 'Read')).toEqual([]);
    expect(topicsOf('gateways', 'Write')).not.toContain(repairs);
    expect(topicsOf('gateways', 'Write')).not.toContain(TOPICS.audit.name);
    expect(topicsOf('live', 'Read')).toEqual([...LIVE_TOPICS, repairs].toSorted());
    // It puts dead letters back, and of topics that keep the newest record writes overflow alone.
    expect(topicsOf('live', 'Write'))
      .toEqual([...REPLAYED_TOPICS, repairs, TOPICS.overflow.name].toSorted());
    expect(REPLAYED_TOPICS).toContain(TOPICS.audit.name);
  });
});
