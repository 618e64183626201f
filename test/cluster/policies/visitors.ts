import { join } from 'node:path';
import { waitFor } from '../../../infra/local/wait.ts';
import { applyObjects } from '../product/deploy.ts';
import type { ProductStage } from '../product/place.ts';
import { podsOf, type Pod } from '../product/pods.ts';
import { PAUSE } from '../node/containerd.ts';
import { VISITORS, ANYWHERE } from './ways.ts';

const ARRIVE_MS_MAX = 300_000;
const COMMAND_MS_MAX = 300_000;

/** A Pod in each namespace beside ours, and an address of the Internet; they stay. */
export async function visitorsIn(stage: ProductStage): Promise<readonly Pod[]> {
  const { plane, nodes } = await stage.cluster();
  for (const { namespaces } of nodes) {
    await namespaces.run(['ip', 'address', 'replace', `${ANYWHERE}/32`, 'dev', 'lo'], COMMAND_MS_MAX);
  }
  const names = Object.keys(VISITORS);
  const file = join(stage.folder, 'visitors.json');
  // A namespace refuses Pods until it has its account.
  await waitFor(() => applyObjects(plane, file, objects()).then(() => true, () => false), {
    what: 'Visitors', deadlineMs: ARRIVE_MS_MAX, everyMs: 1_000,
  });
  let pods: readonly Pod[] = [];
  await waitFor(async () => {
    pods = (await Promise.all(names.map((name) => podsOf(plane, name)))).flat();
    return pods.length === names.length && pods.every(({ isReady }) => isReady);
  }, { what: 'Pods of the visitors', deadlineMs: ARRIVE_MS_MAX, everyMs: 1_000 });
  return pods;
}

function objects(): readonly object[] {
  return Object.entries(VISITORS).flatMap(([name, labels]) => [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } },
    {
      apiVersion: 'v1', kind: 'Pod',
      metadata: { name, namespace: name, labels: { 'app.kubernetes.io/name': name } },
      spec: {
        automountServiceAccountToken: false, terminationGracePeriodSeconds: 0,
        containers: [{ name: 'visitor', image: PAUSE, imagePullPolicy: 'Never' }],
      },
    },
  ]);
}
