import product from '../../package.json' with { type: 'json' };
import type { Process } from './processes.ts';
import type { Yaml } from './yaml.ts';

/** Where a process answers operators; the same in all Pods, so that one monitor finds them. */
export const ADMIN_PORT = 9080;
const HTTP_PORT = 8080;
const SERVICE_PORT = 80;
const IMAGE = `rastro:${product.version}`;
const IMAGE_FOLDER = '/var/lib/rastro/images';

/** Node's own user in its image is 1000; one that no host has is safer. */
const USER_ID = 10_001;

/**
 * Seconds that Kubernetes waits: 5 for the routes to forget the Pod, 5 in which it still serves and
 * says unready (RASTRO_LAME_DUCK_MS), 15 to drain (RASTRO_DRAIN_MS_MAX), 5 for a part that hangs,
 * and 5 to spare. Nothing is routed to a worker, so it begins to drain at once.
 */
const GRACE_SECONDS = { gateway: 35, worker: 25 } as const;
const PRE_STOP_SECONDS = 5;
const READY_SECONDS = 10;

/** Pods of a process that nothing scales. */
const PODS_FIXED = 2;

/**
 * Everything one process needs in a cluster: its Pods, its budget, and the Service of a gateway.
 * The number of Pods is left open where an autoscaler owns it.
 */
export function workload(process: Process, isScaled: boolean): readonly Yaml[] {
  const own = [deployment(process, isScaled), disruptionBudget(process)];
  return process.kind === 'gateway' ? [...own, service(process)] : own;
}

/** Its turn for a GitOps tool: after the Jobs, and workers first; its autoscaler comes with it. */
export function waveOf({ kind }: Process): Record<string, string> {
  return { 'argocd.argoproj.io/sync-wave': kind === 'gateway' ? '4' : '3' };
}

/** What the parts of one process have in common. */
export function labelsOf({ name, kind }: Process): Record<string, string> {
  return {
    'app.kubernetes.io/name': name,
    'app.kubernetes.io/component': kind,
    'app.kubernetes.io/part-of': 'rastro',
  };
}

function selectorOf({ name }: Process): Record<string, string> {
  return { 'app.kubernetes.io/name': name };
}

function deployment(process: Process, isScaled: boolean): Yaml {
  const isGateway = process.kind === 'gateway';
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: process.name,
      labels: labelsOf(process),
      annotations: waveOf(process),
    },
    spec: {
      '#replicas': isScaled ? 'No replicas: the autoscaler owns them.' : fixedBecause(process),
      replicas: isScaled ? undefined : PODS_FIXED,
      revisionHistoryLimit: 5,
      '#ready': 'A release that ends soon after it began stops the rollout.',
      minReadySeconds: READY_SECONDS,
      strategy: {
        type: 'RollingUpdate',
        '#strategy': isGateway
          ? 'A new one is ready before an old one goes.'
          : 'One goes before another comes: each change of members moves partitions.',
        rollingUpdate: isGateway
          ? { maxSurge: 1, maxUnavailable: 0 }
          : { maxSurge: 0, maxUnavailable: 1 },
      },
      selector: { matchLabels: selectorOf(process) },
      template: {
        metadata: {
          labels: {
            ...labelsOf(process),
            ...(process.callsParties ? { 'rastro/calls-parties': 'true' } : {}),
          },
        },
        spec: podSpec(process),
      },
    },
  };
}

function fixedBecause({ isWhole }: Process): string {
  return isWhole === true
    ? 'Two, so that one may go; autoscalers are for larger profiles.'
    : 'What it waits for are others; more of it would wait as long.';
}

function podSpec(process: Process): Yaml {
  return {
    serviceAccountName: 'rastro',
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: GRACE_SECONDS[process.kind],
    priorityClassName: process.kind === 'gateway' ? 'rastro-gateways' : undefined,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: USER_ID,
      runAsGroup: USER_ID,
      fsGroup: USER_ID,
      fsGroupChangePolicy: 'OnRootMismatch',
      seccompProfile: { type: 'RuntimeDefault' },
    },
    topologySpreadConstraints: ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].map(
      (topologyKey) => ({
        maxSkew: 1,
        topologyKey,
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: selectorOf(process) },
      }),
    ),
    containers: [container(process)],
    volumes: process.hasImages
      ? [{ name: 'images', persistentVolumeClaim: { claimName: 'rastro-images' } }]
      : [],
  };
}

function container(process: Process): Yaml {
  const isGateway = process.kind === 'gateway';
  const admin = { path: '/healthz', port: 'admin' };
  return {
    name: process.kind,
    image: IMAGE,
    imagePullPolicy: 'IfNotPresent',
    args: [
      `services/${process.kind}s/main.ts`,
      process.isWhole === true ? 'all' : process.program ?? process.name,
    ],
    envFrom: [{ configMapRef: { name: 'rastro-settings' } }],
    env: environment(process),
    ports: [
      ...(isGateway ? [{ name: 'http', containerPort: HTTP_PORT }] : []),
      { name: 'admin', containerPort: ADMIN_PORT },
    ],
    '#startup': 'The process ends when the log or the registry stays away for 60 s.',
    startupProbe: { httpGet: admin, periodSeconds: 2, timeoutSeconds: 2, failureThreshold: 60 },
    '#liveness': 'Asks the process alone: an outage of a part must not restart anything.',
    livenessProbe: { httpGet: admin, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 },
    readinessProbe: {
      httpGet: { path: '/readyz', port: 'admin' },
      periodSeconds: 2,
      timeoutSeconds: 2,
      failureThreshold: 2,
    },
    ...(isGateway
      ? { lifecycle: { preStop: { sleep: { seconds: PRE_STOP_SECONDS } } } }
      : { '#preStop': 'No preStop: nothing is routed to a worker.' }),
    '#resources': resourcesComment(process),
    resources: {
      requests: {
        'cpu': `${process.cpu.value}m`,
        'memory': `${process.memory.request.value}Mi`,
        'ephemeral-storage': '32Mi',
      },
      limits: { 'memory': `${process.memory.limit.value}Mi`, 'ephemeral-storage': '128Mi' },
    },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: process.hasImages ? [{ name: 'images', mountPath: IMAGE_FOLDER }] : [],
  };
}

function resourcesComment({ cpu, memory }: Process): string {
  return [
    `CPU: ${cpu.because}.`, 'No limit of it, which would only throttle.',
    `Memory: ${memory.request.because}.`, `Its limit: ${memory.limit.because}.`,
  ].join('\n');
}

function environment(process: Process): readonly Yaml[] {
  const adminPort = process.kind === 'gateway'
    ? 'RASTRO_GATEWAYS_ADMIN_PORT'
    : 'RASTRO_WORKERS_ADMIN_PORT';
  return [
    { name: 'KAFKA_SASL_USERNAME', value: process.logUser },
    { name: adminPort, value: String(ADMIN_PORT) },
    ...(process.nodeOptions === undefined
      ? [] : [{ name: 'NODE_OPTIONS', value: process.nodeOptions }]),
    ...(process.replica === undefined
      ? [] : [{ name: 'RASTRO_CLICKHOUSE_REPLICA', value: process.replica }]),
    ...(process.hasImages ? [{ name: 'RASTRO_IMAGE_DIR', value: IMAGE_FOLDER }] : []),
    ...process.secrets.map(({ variable, secret, key }) => ({
      name: variable, valueFrom: { secretKeyRef: { name: secret, key } },
    })),
  ];
}

function disruptionBudget(process: Process): Yaml {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: process.name, labels: labelsOf(process) },
    spec: { maxUnavailable: 1, selector: { matchLabels: selectorOf(process) } },
  };
}

function service(process: Process): Yaml {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: process.name, labels: labelsOf(process) },
    spec: {
      selector: selectorOf(process),
      ports: [{ name: 'http', port: SERVICE_PORT, targetPort: 'http' }],
    },
  };
}
