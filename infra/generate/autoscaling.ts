import { TOPICS } from '../../schemas/generated/catalog.ts';
import {
  replicaGroupOf, type ScalingSignal, type Worker, type WorkerId, type WorkerProgram,
} from '../../services/workers/workers.ts';
import { metric } from './monitoring/metric.ts';
import { projectorPace, writerPace, type Reckoned } from './measured.ts';
import { workersOf, type Process } from './processes.ts';
import { labelsOf, waveOf } from './workload.ts';
import type { Yaml } from './yaml.ts';

const PODS_MIN = 2;
const GATEWAY_PODS_MAX = 12;
/** The Service of the Prometheus Operator; an overlay says another one. */
const PROMETHEUS = 'http://prometheus-operated.monitoring.svc:9090';

/** A worker that is late because there is much to do, and not because it waits for others. */
type Scaled = Worker & { readonly scale: ScalingSignal };

/** The autoscaler of a program, or undefined for one of fixed size. */
export function autoscaler(process: Process): Yaml | undefined {
  if (process.kind === 'gateway') return scaledObject(process, GATEWAY_PODS_MAX, [cpuTrigger()]);
  const scaled = workersOf(process.program ?? process.name as WorkerProgram)
    .filter((worker): worker is Scaled => worker.scale !== undefined);
  if (scaled.length === 0) return undefined;
  const podsMax = Math.max(...scaled.map(partitionsOf));
  return scaledObject(process, podsMax, scaled.flatMap((worker) => [
    secondsTrigger(worker, process.replica), lagTrigger(worker, process.replica),
  ]));
}

/** Partitions of the largest topic of its group: a member beyond these would have none of any. */
function partitionsOf({ reads }: Worker): number {
  return Math.max(...Object.values(TOPICS).filter(({ name }) => reads.includes(name))
    .map(({ partitions }) => partitions));
}

function paceOf({ pace }: ScalingSignal): Reckoned<number> {
  if (pace === 'table-writer') return writerPace();
  if (pace === 'projector') return projectorPace();
  return { value: pace.assumed, because: `assumed, not measured: ${pace.why}` };
}

function scaledObject(process: Process, podsMax: number, triggers: readonly Yaml[]): Yaml {
  const isWorker = process.kind === 'worker';
  return {
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    metadata: {
      name: process.name, labels: labelsOf(process), annotations: waveOf(process),
    },
    spec: {
      scaleTargetRef: { name: process.name },
      pollingInterval: 15,
      minReplicaCount: PODS_MIN,
      '#max': isWorker ? 'As many as the largest topic that it reads has partitions.' : undefined,
      maxReplicaCount: podsMax,
      '#fallback': isWorker
        ? 'When Prometheus is away, the records that wait count alone; when the log is away too,\n'
          + 'more Pods would not help.'
        : undefined,
      fallback: isWorker
        ? { failureThreshold: 4, replicas: PODS_MIN, behavior: 'currentReplicasIfHigher' }
        : undefined,
      advanced: { horizontalPodAutoscalerConfig: { behavior: behavior(isWorker) } },
      triggers,
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

/** Seconds behind, whatever the reason: what is promised. Of all triggers the most Pods count. */
function secondsTrigger({ id, scale }: Scaled, replica: string | undefined): Yaml {
  const group = replicaGroupOf(id as WorkerId, replica);
  return {
    type: 'prometheus',
    '#type': 'Pods grow with what it is times too late; one partition that stands still makes them\n'
      + 'as many as may be, which is an alarm (RastroAutoscalerAtMost).',
    metricType: 'Value',
    metadata: {
      serverAddress: PROMETHEUS,
      query: `max(${metric('rastro_worker_lag_seconds', 'group')}{group="${group}"})`,
      threshold: String(scale.delaySeconds),
      '#null': 'No value is no zero: perhaps no process is read.',
      ignoreNullValues: 'false',
    },
  };
}

function lagTrigger({ id, scale }: Scaled, replica: string | undefined): Yaml {
  const { delaySeconds } = scale;
  const { value: recordsPerSecond, because } = paceOf(scale);
  return {
    type: 'kafka',
    metricType: 'AverageValue',
    metadata: {
      bootstrapServersFromEnv: 'KAFKA_BROKERS',
      consumerGroup: replicaGroupOf(id as WorkerId, replica),
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
