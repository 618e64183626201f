import { complaintOf, secondsSince, type Act, type ActFinding } from '../../containers/acts/act.ts';
import { FIRST_NODE } from '../network.ts';
import { OUR_DEPLOYMENTS, OURS } from '../product/ours.ts';
import type { ProductStage } from '../product/place.ts';
import { podsOf } from '../product/pods.ts';
import { underLoad } from '../product/under-load.ts';
import { awaitAll } from '../product/waves.ts';
import { budgetRemoved } from './offences.ts';

const DRAIN_MS_MAX = 900_000;
/** With one Pod here; two of each, as the base has it, can go one by one. */
const DOUBLED = ['control', 'notifications'] as const;

/** A second node joins, and the first one is drained of all that is ours. */
export const drain: Act<ProductStage> = {
  name: 'drain',
  does: 'a second node joins, the first is drained, every Pod of ours comes up on the other:'
    + ' no call fails',
  run: (stage) => underLoad(stage, {
    name: 'drain', disturb, answersAll: true, touches: (app) => OURS.has(app),
  }),
  offences: [budgetRemoved('ingest', /\d+ calls failed/)],
};

async function disturb(stage: ProductStage): Promise<ActFinding> {
  const { plane } = await stage.cluster();
  const joining = performance.now();
  const { place } = await stage.secondNode();
  const joined = secondsSince(joining);
  const scale = (replicas: number): Promise<string> => plane.kubectl([
    '--namespace', 'rastro', 'scale', `--replicas=${replicas}`,
    ...DOUBLED.map((app) => `deployment/${app}`),
  ]);
  await plane.kubectl(['uncordon', FIRST_NODE.name]);
  await scale(2);
  const complaints = [...await awaitAll(plane, OUR_DEPLOYMENTS)];
  // All begins on the first node, also when Pods of ours are on the second.
  complaints.push(...await emptied(stage, place.name));
  complaints.push(...await awaitAll(plane, OUR_DEPLOYMENTS));
  await plane.kubectl(['uncordon', place.name]);
  const draining = performance.now();
  complaints.push(...await emptied(stage, FIRST_NODE.name));
  complaints.push(...await awaitAll(plane, OUR_DEPLOYMENTS));
  const took = secondsSince(draining);
  const left = (await podsOf(plane)).filter(({ app, node, isLeaving }) => (
    OURS.has(app) && !isLeaving && node !== place.name));
  complaints.push(...left.map(({ name, node }) => `${name} is still on ${node}`));
  await plane.kubectl(['uncordon', FIRST_NODE.name]);
  await scale(1);
  complaints.push(...await awaitAll(plane, OUR_DEPLOYMENTS));
  return { seen: `${place.name} joined in ${joined}, ${FIRST_NODE.name} drained in ${took}`, complaints };
}

/** Drains a node of what is ours, as an operator does; the parts keep their disks. */
async function emptied({ cluster }: ProductStage, node: string): Promise<readonly string[]> {
  const { plane } = await cluster();
  return plane.kubectl([
    'drain', node, '--ignore-daemonsets', '--delete-emptydir-data',
    '--pod-selector', 'app.kubernetes.io/part-of=rastro', `--timeout=${DRAIN_MS_MAX / 1_000}s`,
  ], DRAIN_MS_MAX + 30_000).then(() => [], (error: unknown) => [complaintOf(error)]);
}
