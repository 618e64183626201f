import { TOPICS } from '../../schemas/generated/catalog.ts';
import { keeperPace, writerPace, type Reckoned } from './measured.ts';
import type { Process, WorkerName } from './processes.ts';
import { labelsOf } from './workload.ts';
import type { Yaml } from './yaml.ts';

/** How fast a worker is, and how late it may be before it gets company. */
interface Pace {
  /** The topic of its group with most partitions: a member beyond these would have none of any. */
  readonly largest: keyof typeof TOPICS;
  /** Records that one Pod takes from the log in a second, and where that comes from. */
  readonly records: Reckoned<number>;
  /** Delay, in seconds, that one Pod may have. */
  readonly delaySeconds: number;
}

const ONE_SCRIPT = 'a script of the state store for each record';
const PODS_MIN = 2;
const GATEWAY_PODS_MAX = 12;

const assumed = (value: number, because: string): Reckoned<number> =>
  ({ value, because: `assumed, not measured: ${because}` });

/**
 * Only for workers that are late because there is much to do. Those left out wait for others: the
 * dispatcher for providers, the authorizer and the puller for carriers; more of them wait as long.
 */
function paces(): Readonly<Partial<Record<WorkerName, Pace>>> {
  return {
    'table-writer': { largest: 'locations', records: writerPace(), delaySeconds: 20 },
    // Its devices flood and may be late; one of them is one partition, and no Pod helps that.
    'quarantine-writer': {
      largest: 'quarantinedLocations', records: writerPace(), delaySeconds: 120,
    },
    'device-keeper': { largest: 'locations', records: keeperPace(), delaySeconds: 5 },
    'delivery-keeper': {
      largest: 'deliveryLocations', records: assumed(1_500, ONE_SCRIPT), delaySeconds: 5,
    },
    'access-keeper': {
      largest: 'clients', delaySeconds: 5,
      records: assumed(1_500, 'a token is good where its record is applied'),
    },
    'command-keeper': {
      largest: 'providerCommands', records: assumed(1_000, ONE_SCRIPT), delaySeconds: 5,
    },
    'authorization-keeper': {
      largest: 'authorizations', records: assumed(1_000, ONE_SCRIPT), delaySeconds: 5,
    },
    'personal-keeper': {
      largest: 'personalKeys', records: assumed(1_000, ONE_SCRIPT), delaySeconds: 5,
    },
    'shipment-keeper': {
      largest: 'notifications', delaySeconds: 10,
      records: assumed(400, 'two scripts and an append for each record'),
    },
  };
}

/** The autoscaler of a process, or undefined for one of fixed size. */
export function autoscaler(process: Process): Yaml | undefined {
  if (process.kind === 'gateway') return scaledObject(process, GATEWAY_PODS_MAX, cpuTrigger());
  const pace = paces()[process.runs as WorkerName];
  if (pace === undefined) return undefined;
  const podsMax = TOPICS[pace.largest].partitions;
  return scaledObject(process, podsMax, lagTrigger(`rastro.${process.runs}`, pace));
}

function scaledObject(process: Process, podsMax: number, trigger: Yaml): Yaml {
  const isWorker = process.kind === 'worker';
  return {
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    metadata: { name: process.name, labels: labelsOf(process) },
    spec: {
      scaleTargetRef: { name: process.name },
      pollingInterval: 15,
      minReplicaCount: PODS_MIN,
      '#max': isWorker ? 'As many as the largest topic of the group has partitions.' : undefined,
      maxReplicaCount: podsMax,
      '#fallback': isWorker
        ? 'When the lag cannot be read, the log is away, and more Pods would not help.'
        : undefined,
      fallback: isWorker
        ? { failureThreshold: 4, replicas: PODS_MIN, behavior: 'currentReplicasIfHigher' }
        : undefined,
      advanced: { horizontalPodAutoscalerConfig: { behavior: behavior(isWorker) } },
      triggers: [trigger],
    },
  };
}

/** Each change of members stops a group for a moment: fast enough up, slow and one by one down. */
function behavior(isWorker: boolean): Yaml {
  return {
    scaleUp: {
      stabilizationWindowSeconds: isWorker ? 60 : 0,
      policies: [{ type: 'Pods', value: isWorker ? 2 : 4, periodSeconds: 60 }],
    },
    scaleDown: {
      stabilizationWindowSeconds: isWorker ? 600 : 300,
      policies: [{ type: 'Pods', value: 1, periodSeconds: isWorker ? 300 : 60 }],
    },
  };
}

function cpuTrigger(): Yaml {
  return { type: 'cpu', metricType: 'Utilization', metadata: { value: '65' } };
}

function lagTrigger(group: string, { records, delaySeconds }: Pace): Yaml {
  const { value: recordsPerSecond, because } = records;
  return {
    type: 'kafka',
    metricType: 'AverageValue',
    metadata: {
      bootstrapServersFromEnv: 'KAFKA_BROKERS',
      consumerGroup: group,
      version: '2.8.0',
      sasl: 'scram_sha512',
      tls: 'enable',
      '#arithmetic': `${delaySeconds} s of delay x ${recordsPerSecond} records a second of one Pod`
        + ` = ${delaySeconds * recordsPerSecond}.\nThe pace is ${because}.`,
      lagThreshold: String(delaySeconds * recordsPerSecond),
      activationLagThreshold: '0',
      '#no topic': 'Without a topic: the lag of all topics of the group together.',
      '#held': 'A partition that does not move at all is held by what Pods do not mend.',
      excludePersistentLag: 'true',
      allowIdleConsumers: 'false',
      offsetResetPolicy: 'earliest',
      scaleToZeroOnInvalidOffset: 'false',
    },
    authenticationRef: { name: 'rastro-log' },
  };
}
