import { join } from 'node:path';
import { waitFor } from '../../../infra/local/wait.ts';
import { groupOf } from '../../../services/workers/workers.ts';
import { complaintOf, secondsSince, type Act, type ActFinding } from '../../containers/acts/act.ts';
import { openKeda, type ClusterKeda } from '../autoscaling/keda.ts';
import { startPrometheus, type ClusterPrometheus } from '../autoscaling/prometheus.ts';
import {
  conditionOf, partitionsIn, recordsFigure, secondsTrigger, unanswered, type ScaledObject,
} from '../autoscaling/scaled-object.ts';
import type { ProductStage } from '../product/place.ts';
import { podsOf, type Pod } from '../product/pods.ts';
import { fillDisk } from '../product/small-disks.ts';
import { moreRows, underLoad } from '../product/under-load.ts';
import { awaitAll } from '../product/waves.ts';
import { misedited } from './offences.ts';

/** What the steps of the act work with. */
interface Scaling {
  readonly stage: ProductStage;
  readonly keda: ClusterKeda;
  readonly prometheus: ClusterPrometheus;
}

const APP = 'table-writer';
const GROUP = groupOf('table-writer');
const WAIT_MS_MAX = 300_000;
const SCALE_MS_MAX = 600_000;

/** KEDA and Prometheus scale a worker that is late, and one of them goes. */
export const autoscale: Act<ProductStage> = {
  name: 'autoscale',
  does: 'KEDA scales writers by what Prometheus reads: the tables refuse rows until a second Pod is a member,'
    + ' and take them until it is gone; without Prometheus the log is asked, and Pods are two',
  run: (stage) => underLoad(stage, {
    name: 'autoscale', disturb, touches: (app) => app === APP,
  }),
  offences: [misedited('an autoscaler asks about a group that is not there', {
    file: 'infra/kubernetes/components/keda/generated/scaled-objects.yaml',
    text: GROUP, instead: 'rastro.absent',
  }, /s0-prometheus of table-writer has no value/)],
};

async function disturb(stage: ProductStage): Promise<ActFinding> {
  const { plane } = await stage.cluster();
  if (stage.scaling === undefined) throw new Error('KEDA and Prometheus were not brought.');
  const seen: string[] = [];
  const complaints: string[] = [];
  const keda = await openKeda(stage, stage.scaling.keda);
  const prometheus = await startPrometheus(stage, stage.scaling.prometheus);
  try {
    await prometheus.value('count(rastro_worker_lag_seconds)');
    const beganMs = performance.now();
    await keda.install();
    seen.push(`KEDA ready after ${secondsSince(beganMs)}`);
    for (const step of [untilAnswered, scaleOut, scaleIn, withoutPrometheus]) {
      const found = await step({ stage, keda, prometheus });
      seen.push(found.seen);
      complaints.push(...found.complaints);
      if (complaints.length > 0) break;
    }
  } finally {
    await keda.remove();
    await prometheus.end();
    await plane.kubectl(['--namespace', 'rastro', 'scale', `deployment/${APP}`, '--replicas=1']);
  }
  complaints.push(...await awaitAll(plane, [`deployment/${APP}`]));
  return { seen: seen.join(', '), complaints };
}

/** Every trigger of every worker has a figure before anything is late. */
async function untilAnswered({ keda }: Scaling): Promise<ActFinding> {
  let all: readonly ScaledObject[] = [];
  const lacking = (): readonly string[] => all.flatMap(unanswered);
  const complaints = await waitFor(async () => {
    all = await keda.scaledObjects();
    return all.length > 0 && lacking().length === 0;
  }, {
    what: 'Figures', deadlineMs: WAIT_MS_MAX, everyMs: 3_000,
    hopeless: () => (all.some((each) => isByFallback(each)) ? 'some stay away' : undefined),
  }).then(() => [], (error: unknown) => [complaintOf(error), ...lacking()]);
  const triggers = all.reduce((sum, { spec }) => sum + spec.triggers.length, 0);
  return { seen: `${triggers} triggers answered`, complaints };
}

/** The tables refuse rows, so that the worker is late, until a second Pod of it has partitions. */
async function scaleOut({ stage, keda, prometheus }: Scaling): Promise<ActFinding> {
  const { namespaces } = await stage.cluster();
  const { query, threshold } = secondsTrigger(await keda.scaledObject(APP));
  const [first] = await writers(stage);
  const refusedMs = performance.now();
  const filled = await fillDisk(
    namespaces, stage.folder, join(stage.folder, 'volumes', 'data-clickhouse-0'),
  );
  try {
    await prometheus.value(query, threshold);
    const [lateMs, late] = [performance.now(), secondsSince(refusedMs)];
    const second = await untilWriters(stage, 2, (pod) => pod.uid !== first?.uid);
    const ready = secondsSince(lateMs);
    await untilMember(stage, second);
    const member = secondsSince(lateMs);
    const scaled = await keda.scaledObject(APP);
    return {
      seen: `over ${threshold} s late ${late} after the tables refused rows,`
        + ` from then ${ready} to a second Pod that is ready, ${member} until it has partitions`,
      complaints: isByFallback(scaled) ? [`${APP} was scaled without a figure`] : [],
    };
  } finally {
    await filled.free();
  }
}

async function scaleIn({ stage }: Scaling): Promise<ActFinding> {
  const takenMs = performance.now();
  await moreRows(stage);
  const rows = secondsSince(takenMs);
  await untilWriters(stage, 1, () => true);
  return {
    seen: `rows ${rows} after the tables took them again, one Pod after ${secondsSince(takenMs)}`,
    complaints: [],
  };
}

/** Without Prometheus KEDA keeps two Pods at least, and still counts the records that wait. */
async function withoutPrometheus({ stage, keda, prometheus }: Scaling): Promise<ActFinding> {
  await prometheus.end();
  const goneMs = performance.now();
  await waitFor(async () => isByFallback(await keda.scaledObject(APP)), {
    what: 'The fallback', deadlineMs: WAIT_MS_MAX, everyMs: 2_000,
  });
  const fallback = secondsSince(goneMs);
  await untilWriters(stage, 2, () => true);
  const pods = secondsSince(goneMs);
  const scaled = await keda.scaledObject(APP);
  const name = recordsFigure(scaled);
  let records = 0;
  await waitFor(async () => {
    records = await keda.figure(APP, name);
    return records > 0;
  }, { what: `Waiting records by ${name}`, deadlineMs: WAIT_MS_MAX, everyMs: 1_000 });
  return {
    seen: `without Prometheus falls back after ${fallback}, two Pods after ${pods},`
      + ` ${name} says ${records}`,
    complaints: conditionOf(scaled, 'Ready') === 'True' ? []
      : [`${APP} is not Ready without Prometheus`],
  };
}

function isByFallback(scaled: ScaledObject): boolean {
  return conditionOf(scaled, 'Fallback') === 'True';
}

async function writers(stage: ProductStage): Promise<readonly Pod[]> {
  const { plane } = await stage.cluster();
  return (await podsOf(plane)).filter(({ app }) => app === APP);
}

/** Waits for so many ready Pods and no other; gives the first that is meant. */
async function untilWriters(
  stage: ProductStage, count: number, isMeant: (pod: Pod) => boolean,
): Promise<Pod> {
  let pods: readonly Pod[] = [];
  await waitFor(async () => {
    pods = await writers(stage);
    return pods.length === count && pods.every(({ isReady, isLeaving }) => isReady && !isLeaving);
  }, { what: `${count} Pods of ${APP}`, deadlineMs: SCALE_MS_MAX, everyMs: 1_000 });
  const meant = pods.find(isMeant);
  if (meant === undefined) throw new Error(`No Pod of ${APP} is another than before.`);
  return meant;
}

/** Waits until a Pod says that it has partitions. */
async function untilMember(stage: ProductStage, { name }: Pod): Promise<void> {
  const { plane } = await stage.cluster();
  await waitFor(async () => (
    partitionsIn(await plane.kubectl(['--namespace', 'rastro', 'logs', name]), GROUP) > 0), {
    what: `Partitions of ${name}`, deadlineMs: WAIT_MS_MAX, everyMs: 1_000,
  });
}
