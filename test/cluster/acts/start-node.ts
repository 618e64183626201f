import { join } from 'node:path';
import { complaintOf, secondsSince, type Act, type ActFinding } from '../../containers/acts/act.ts';
import { ask } from '../../containers/machine/ask.ts';
import { NETWORK } from '../network.ts';
import type { ProductStage } from '../product/place.ts';
import { misedited } from './offences.ts';

const RESOLVE = join(import.meta.dirname, '..', 'inside', 'resolve.ts');
const RESOLVE_MS_MAX = 300_000;
const NAMES_MS_MAX = 300_000;
const NAME = 'kubernetes.default.svc.cluster.local';

/** A control plane and a node from nothing; names of Services are answered by a Pod of it. */
export const startNodeAct: Act<ProductStage> = {
  name: 'node',
  does: 'a control plane and a node from nothing, until a Pod answers for names of Services',
  async run(stage) {
    await stage.close();
    return bringNode(stage);
  },
  offences: [misedited('the image of cluster DNS is another', {
    file: 'test/cluster/node/names.yaml', text: 'rastro-stand-in/coredns:1',
    instead: 'rastro-stand-in/absent:1',
  }, /ErrImageNeverPull/)],
};

/** Starts the cluster of a stage, if it does not run, and waits until names are answered for. */
export async function bringNode(stage: ProductStage): Promise<ActFinding> {
  const beganMs = performance.now();
  const { namespaces, plane } = await stage.cluster();
  const ready = secondsSince(beganMs);
  const named = await plane.kubectl([
    '--namespace', 'kube-system', 'rollout', 'status', 'deployment/coredns',
    `--timeout=${NAMES_MS_MAX / 1_000}s`,
  ], NAMES_MS_MAX + 30_000).then(() => '', complaintOf);
  if (named !== '') {
    const why = await plane.kubectl([
      '--namespace', 'kube-system', 'get', 'pods', '--output',
      'jsonpath={.items[*].status.containerStatuses[*].state.waiting}',
    ]);
    await stage.close();
    return { seen: 'no names', complaints: [`${named}: ${why}`] };
  }
  const { addresses } = await ask<{ readonly addresses: readonly string[] }>(
    namespaces, RESOLVE,
    { server: NETWORK.namesAddress, name: NAME, deadlineMs: RESOLVE_MS_MAX }, 2 * RESOLVE_MS_MAX,
  );
  const isRight = addresses.join() === NETWORK.serviceAddress;
  return {
    seen: `the node is ready after ${ready}, names after ${secondsSince(beganMs)}`,
    complaints: isRight ? [] : [`${NAME} is ${addresses.join() || 'nothing'}`],
  };
}
