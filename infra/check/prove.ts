import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runGate, type Gate } from '../../scripts/check/gate.ts';

/** A fault put into one file, and what its gate has to say about it. */
interface Seed {
  readonly gate: string;
  readonly file: string;
  readonly text: string;
  readonly instead: string;
  readonly said: RegExp;
}

/** Gates that end at their first complaint: each seed of these goes in alone. */
const ENDS_EARLY = ['autoscalers', 'values'];
/** Characters of what a gate said instead: enough to see whether it broke. */
const SAID_MAX = 600;
const BASE = 'infra/kubernetes/base';
const PARTS = 'infra/kubernetes/components';
const EXAMPLE = 'infra/kubernetes/overlays/prod/example.yaml';
/** What production lists between the two folders that values are written to. */
const LATER_PARTS = [
  'tls', 'strimzi', 'external-secrets', 'gateway-api', 'monitoring', 'part-metrics',
].map((part) => `  - ../../components/${part}\n`).join('');

/** Where the Job of the migrations, and no other one, names the map of its settings. */
function migrationsRead(map: string): string {
  return 'scripts/migrate.ts\n          envFrom:\n            - configMapRef:\n'
    + `                name: ${map}`;
}

/** One of each kind that the gates are there for. */
const SEEDS: readonly Seed[] = [
  {
    gate: 'manifests', file: `${BASE}/generated/control.yaml`,
    text: 'imagePullPolicy', instead: 'pullPolicy', said: /Deployment control.*pullPolicy/s,
  },
  {
    gate: 'manifests', file: `${PARTS}/keda/generated/scaled-objects.yaml`,
    text: 'minReplicaCount', instead: 'minReplicas', said: /ScaledObject ingest.*minReplicas/s,
  },
  {
    gate: 'manifests', file: `${PARTS}/strimzi/generated/topics.yaml`,
    text: 'partitions: 12', instead: 'partition: 12', said: /KafkaTopic.*partition/s,
  },
  {
    gate: 'manifests', file: `${PARTS}/gateway-api/generated/routes.yaml`,
    text: 'PathPrefix', instead: 'Prefix', said: /HTTPRoute.*type/s,
  },
  {
    gate: 'manifests', file: `${PARTS}/external-secrets/secrets.yaml`,
    text: 'remoteRef', instead: 'remote', said: /ExternalSecret.*remote/s,
  },
  {
    gate: 'manifests', file: 'infra/monitoring/generated/prometheus-rule.yaml',
    text: 'groups:', instead: 'group:', said: /PrometheusRule.*group/s,
  },
  {
    gate: 'practice', file: `${BASE}/generated/parties.yaml`,
    text: 'readOnlyRootFilesystem: true', instead: 'readOnlyRootFilesystem: false',
    said: /parties.*filesystem/i,
  },
  {
    gate: 'autoscalers', file: `${BASE}/kustomization.yaml`,
    text: 'rastro-kafka-bootstrap.rastro.svc:', instead: 'rastro-kafka-bootstrap:',
    said: /prod ScaledObject table-writer asks rastro-kafka-bootstrap:9093/,
  },
  {
    gate: 'autoscalers', file: EXAMPLE,
    text: '//prometheus-operated.monitoring.svc:', instead: '//prometheus:',
    said: /parts\.prometheus is .*must be: the Prometheus that reads ours, with its whole name/,
  },
  {
    gate: 'second-deploy', file: 'infra/kubernetes/overlays/dev/kustomization.yaml',
    text: 'transformers:\n  - ../../jobs-by-version\n', instead: '',
    said: /dev, another version: Job rastro-migrations cannot be changed/,
  },
  {
    gate: 'second-deploy', file: `${BASE}/jobs.yaml`,
    text: migrationsRead('rastro-job-settings'), instead: migrationsRead('rastro-settings'),
    said: /prod, another setting: Job rastro-migrations-0\.1\.0 cannot be changed/,
  },
  {
    gate: 'waves', file: `${BASE}/jobs.yaml`,
    text: 'sync-wave: "2"', instead: 'sync-wave: "-1"',
    said: /dev Job rastro-migrations-0\.1\.0 waits for ConfigMap rastro-job-settings/,
  },
  {
    gate: 'values', file: EXAMPLE,
    text: 'digest: "sha256:', instead: 'digest: "', said: /image\.digest is "0123.*must be: its content/,
  },
  {
    gate: 'values', file: EXAMPLE,
    text: '  host: "tracking.example"\n', instead: '', said: /gateway\.host is missing: the name/,
  },
  {
    gate: 'values', file: EXAMPLE,
    text: '  store: "vault"', instead: '  shop: "vault"', said: /secrets\.shop is no value that is read/,
  },
  {
    gate: 'values', file: 'infra/kubernetes/overlays/prod/kustomization.yaml',
    text: `  - values/processes\n${LATER_PARTS}  - values\n`, instead: LATER_PARTS,
    said: /overlays\/prod builds without values/,
  },
  {
    gate: 'values', file: `${BASE}/command-line.yaml`,
    text: 'image: rastro:0.1.0', instead: 'image: other:0.1.0',
    said: /small Deployment command-line has the image other:0\.1\.0, without a digest/,
  },
  {
    gate: 'values', file: 'infra/kubernetes/profiles/generated/small/processes/programs.yaml',
    text: 'cpu: 200m', instead: 'cpu: 600m', said: /small asks for 1\d+m of CPU, more than a core/,
  },
  {
    gate: 'console-proxy', file: `${PARTS}/oidc/kustomization.yaml`,
    text: 'name: console\n', instead: 'name: console|ingest\n',
    said: /prod HTTPRoute ingest leads \/shipping\/rtt\/georeceiver to the proxy/,
  },
  {
    gate: 'console-proxy', file: `${PARTS}/gateway-api/generated/routes.yaml`,
    text: '            value: /shipments\n',
    instead: '            value: /shipments\n        - path:\n            type: Exact\n            value: /console/\n',
    said: /prod HTTPRoute control leads \/console\/ past the proxy/,
  },
  {
    gate: 'console-proxy', file: `${PARTS}/oidc/secret.yaml`,
    text: 'secretKey: OAUTH2_PROXY_COOKIE_SECRET', instead: 'secretKey: COOKIE_SECRET',
    said: /has no Secret rastro-console-proxy\/OAUTH2_PROXY_COOKIE_SECRET for the proxy/,
  },
  {
    gate: 'yaml', file: 'infra/compose/prometheus.yaml',
    text: 'rule_files:', instead: 'global: {}\nrule_files:', said: /duplication of key "global"/,
  },
  {
    gate: 'image', file: 'infra/images/Dockerfile',
    text: 'FROM node:24.21.0-bookworm-slim AS base\n', instead: 'FROM node:latest AS base\n', said: /DL3007/,
  },
  {
    gate: 'packages', file: 'infra/images/Dockerfile',
    text: 'node_modules/ffi-rs', instead: 'node_modules/other', said: /ffi-rs is in the image/,
  },
  {
    gate: 'compose', file: 'infra/compose/compose.yaml',
    text: '"127.0.0.1:8080:8080"', instead: '"8080:8080"', said: /gateways opens 8080:8080/,
  },
  {
    gate: 'compose', file: 'infra/compose/compose.yaml',
    text: 'stop_grace_period: 60s', instead: 'grace_period: 60s', said: /grace_period/,
  },
  {
    gate: 'compose', file: 'infra/compose/folders.compose.yaml',
    text: '/volumes/registry=1001', instead: '/volumes/registry=0',
    said: /registry may not write registry, whose owner is not 1001/,
  },
  {
    gate: 'compose', file: 'infra/compose/tools.compose.yaml',
    text: 'retries: 24', instead: 'start_interval: 1s', said: /grafana has a start_interval/,
  },
  {
    gate: 'settings', file: `${PARTS}/tls/kustomization.yaml`,
    text: '- CLICKHOUSE_URL=',
    instead: '- RASTRO_CLIENT_ID_REQUIRED=true\n      - CLICKHOUSE_URL=',
    said: /prod control: RASTRO_CLIENT_ID_REQUIRED/,
  },
  {
    gate: 'settings', file: 'infra/kubernetes/overlays/dev/kustomization.yaml',
    text: '      - RASTRO_TRUSTED_PROXIES=none\n', instead: '',
    said: /dev control: RASTRO_TRUSTED_PROXIES is not decided/,
  },
  {
    gate: 'settings', file: 'infra/compose/compose.yaml',
    text: 'RASTRO_CARRIER_CLIENT_ID: none', instead: 'RASTRO_CARRIER_CLIENT: none',
    said: /compose gateways: .*RASTRO_CARRIER_CLIENT is not a setting/,
  },
  {
    gate: 'settings', file: 'infra/compose/compose.yaml',
    text: 'RASTRO_REPLAY_DEVICES: "20"', instead: 'RASTRO_REPLAY_SPEED: "1"',
    said: /compose demo: RASTRO_REPLAY_DEVICES is 0/,
  },
  {
    gate: 'operator', file: `${BASE}/command-line.yaml`,
    text: '- name: RASTRO_PERSONAL_KEY', instead: '- name: RASTRO_PERSON_KEY',
    said: /dev command-line lacks RASTRO_PERSONAL_KEY.*prod command-line lacks RASTRO_PERSONAL_KEY/s,
  },
  {
    gate: 'operator', file: `${PARTS}/archive/kustomization.yaml`,
    text: 'name: RASTRO_ARCHIVE_STORAGE', instead: 'name: RASTRO_ARCHIVE_STORE',
    said: /prod command-line lacks RASTRO_ARCHIVE_STORAGE/,
  },
  {
    gate: 'operator', file: 'infra/compose/operator.compose.yaml',
    text: 'RASTRO_VAULT_KEY: ', instead: 'RASTRO_VAULT: ', said: /compose rastro lacks RASTRO_VAULT_KEY/,
  },
  {
    gate: 'rules', file: 'infra/monitoring/generated/rastro.rules.yaml',
    text: '> 5e7', instead: '> 9e7', said: /RastroLogSendBacklog/,
  },
  {
    gate: 'rules', file: 'infra/monitoring/generated/rastro.rules.yaml',
    text: 'changes(process_start_time_seconds', instead: 'resets(process_start_time_seconds',
    said: /RastroCrashLoop/,
  },
  {
    gate: 'rules', file: 'infra/monitoring/generated/rastro.rules.yaml',
    text: 'max(rastro_state_ready)', instead: 'max(rastro_state_ready', said: /parse|unclosed|unexpected/,
  },
  {
    gate: 'dashboards', file: 'infra/monitoring/generated/dashboards/rastro-gateways.json',
    text: 'rastro_http_unreadable_total', instead: 'rastro_http_illegible_total',
    said: /rastro_http_illegible_total, which no process has/,
  },
];

/**
 * Puts each fault into a copy of the tree and names those that no gate complains about. Faults of
 * one gate go in together where they are in different files.
 */
export async function unnoticed(
  root: string, gates: readonly Gate[], print: (line: string) => void,
): Promise<readonly string[]> {
  const missed: string[] = [];
  for (const seeds of rounds()) {
    const gate = gates.find(({ name }) => name === seeds[0]?.gate);
    if (gate === undefined) continue;
    const copy = copyOf(root);
    try {
      for (const { file, text, instead } of seeds) {
        const before = readFileSync(join(copy, file), 'utf8');
        if (!before.includes(text)) missed.push(`${file} has no ${text} to break`);
        writeFileSync(join(copy, file), before.replace(text, instead));
      }
      const { complaints } = await runGate(gate, copy);
      const all = complaints.join('\n');
      for (const seed of seeds) {
        const isSeen = seed.said.test(all);
        print(`${isSeen ? 'seen' : 'MISSED'} ${seed.gate}: ${seed.instead.trim()} in ${seed.file}`);
        if (isSeen) continue;
        missed.push(`${seed.gate} did not see ${seed.instead.trim()} in ${seed.file}`);
        print(`     it said: ${all.slice(0, SAID_MAX) || 'nothing'}`);
      }
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  }
  return missed;
}

/** Seeds that go in together: of one gate, each in a file of its own. */
function rounds(): readonly (readonly Seed[])[] {
  const all: Seed[][] = [];
  for (const seed of SEEDS) {
    const round = all.find((each) => each[0]?.gate === seed.gate
      && !ENDS_EARLY.includes(seed.gate) && each.every(({ file }) => file !== seed.file));
    if (round === undefined) all.push([seed]);
    else round.push(seed);
  }
  return all;
}

function copyOf(root: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'rastro-broken-'));
  cpSync(join(root, 'infra'), join(copy, 'infra'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}
