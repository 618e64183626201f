import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../../infra/local/wait.ts';
import { WORKER_PROGRAMS } from '../../../services/workers/workers.ts';
import { complaintOf, type Act, type ActFinding } from '../../containers/acts/act.ts';
import type { ProductStage } from '../product/place.ts';
import { podsOf, type Pod } from '../product/pods.ts';
import { awaitAll } from '../product/waves.ts';
import { underLoad } from '../product/under-load.ts';
import { budgetRemoved } from './offences.ts';

const EVICTED_MS_MAX = 300_000;
const COMMAND_MS_MAX = 300_000;
/** With two Pods, which a budget keeps from going at once. */
const TWO = 'ingest';

/** What a drain of the node asks for, Pod by Pod; the node itself stays, as there is no other. */
export const eviction: Act<ProductStage> = {
  name: 'eviction',
  does: 'evicts Pods as a drain does: a budget refuses the second gateway until the first is replaced',
  run: (stage) => underLoad(stage, {
    name: 'eviction', disturb, answersAll: true,
    touches: isEvicted,
  }),
  offences: [budgetRemoved(TWO, /lost both Pods at once/)],
};

async function disturb(stage: ProductStage): Promise<ActFinding> {
  const { plane } = await stage.cluster();
  const [first, second] = (await podsOf(plane))
    .filter(({ app, isReady }) => app === TWO && isReady);
  if (first === undefined || second === undefined) throw new Error(`${TWO} has no two ready Pods.`);
  const complaints = [...await evict(stage, first)];
  if ((await evict(stage, second)).length === 0) {
    complaints.push(`${TWO} lost both Pods at once: no budget refused the second`);
  }
  const others = (await podsOf(plane)).filter(({ app }) => app !== TWO && isEvicted(app));
  for (const pod of others) complaints.push(...await evict(stage, pod));
  const evicted = [first, second, ...others];
  await waitFor(async () => {
    const uids = new Set((await podsOf(plane)).map(({ uid }) => uid));
    if (uids.has(second.uid)) await evict(stage, second);
    return !evicted.some(({ uid }) => uids.has(uid));
  }, { what: 'The end of every evicted Pod', deadlineMs: EVICTED_MS_MAX, everyMs: 3_000 });
  complaints.push(...await awaitAll(plane, [TWO, ...WORKER_PROGRAMS].map((app) => `deployment/${app}`)));
  return { seen: `evicted ${TWO} twice, and ${WORKER_PROGRAMS.join(', ')}`, complaints };
}

/** Asks for the end of a Pod as a drain does; gives what the API server said when it refused. */
export async function evict(
  { cluster, folder }: ProductStage, { name }: Pod,
): Promise<readonly string[]> {
  const { plane } = await cluster();
  const file = join(folder, 'eviction.json');
  writeFileSync(file, JSON.stringify({
    apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: 'rastro' },
  }));
  return plane.kubectl([
    'create', '--raw', `/api/v1/namespaces/rastro/pods/${name}/eviction`, '--filename', file,
  ], COMMAND_MS_MAX).then(() => [], (error: unknown) => [complaintOf(error)]);
}

function isEvicted(app: string): boolean {
  return app === TWO || WORKER_PROGRAMS.some((each) => each === app);
}
