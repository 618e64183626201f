import { WORKER_PROGRAMS } from '../../../services/workers/workers.ts';
import type { Act, ActFinding } from '../../containers/acts/act.ts';
import { enforcePolicies, withdrawPolicies } from '../policies/enforce.ts';
import { tryWays } from '../policies/try-ways.ts';
import { visitorsIn } from '../policies/visitors.ts';
import type { ProductStage } from '../product/place.ts';
import { podsOf } from '../product/pods.ts';
import { underLoad } from '../product/under-load.ts';
import { killEach } from './kills.ts';
import { changedOnServer } from './offences.ts';

/** Connect again under the policies: these keep their addresses. */
const KILLED = ['ingest', ...WORKER_PROGRAMS] as const;

/** The policies of the manifests, enforced by rules of the node, shown by packets. */
export const policies: Act<ProductStage> = {
  name: 'policies',
  does: 'enforces the network policies: what must talk can and nothing else can, tried from every Pod;'
    + ' then kills Pods, which connect again',
  run: (stage) => underLoad(stage, {
    name: 'policies', disturb, touches: (app) => KILLED.some((each) => each === app),
  }),
  offences: [
    changedOnServer('the policy of calls is opened to all', [
      'patch', 'networkpolicy', 'calls', '--type', 'json', '--patch',
      '[{"op":"remove","path":"/spec/ingress/0/from"}]',
    ], /stranger reaches calls of ingest/),
    changedOnServer('the policy that lets ours reach the parts is removed', [
      'delete', 'networkpolicy', 'parts',
    ], /ingest does not reach log/),
  ],
};

async function disturb(stage: ProductStage): Promise<ActFinding> {
  const cluster = await stage.cluster();
  const visitors = await visitorsIn(stage);
  const pods = [...await podsOf(cluster.plane), ...visitors];
  // A way that was closed all along would show nothing.
  const before = await tryWays(cluster, pods, () => true);
  if (before.complaints.length > 0) {
    return { ...before, complaints: before.complaints.map((each) => `without a rule: ${each}`) };
  }
  try {
    await enforcePolicies(cluster, stage.folder);
    const tried = await tryWays(cluster, pods, ({ may }) => may);
    if (tried.complaints.length > 0) return tried;
    const killed = await killEach(stage, KILLED);
    return {
      seen: `without rules ${before.seen}, with them ${tried.seen}; ${killed.seen}`,
      complaints: killed.complaints,
    };
  } finally {
    await withdrawPolicies(cluster);
  }
}
