import { waitFor } from '../../../infra/local/wait.ts';
import { WORKER_PROGRAMS } from '../../../services/workers/workers.ts';
import { secondsSince, type Act, type ActFinding } from '../../containers/acts/act.ts';
import type { ProductStage } from '../product/place.ts';
import { podsOf } from '../product/pods.ts';
import { moreRows, underLoad } from '../product/under-load.ts';
import { lostRow } from './offences.ts';

const BACK_MS_MAX = 300_000;

/** Pods of ours, killed as `kill -9` does, one after the other. */
export const podsKilled: Act<ProductStage> = killing('pods-killed', [
  'ingest', 'control', ...WORKER_PROGRAMS,
]);

/** The parts, killed so. */
export const partsKilled: Act<ProductStage> = killing('parts-killed', [
  'kafka', 'redis', 'clickhouse', 'registry',
]);

function killing(name: string, apps: readonly string[]): Act<ProductStage> {
  return {
    name,
    does: `kills ${apps.join(', ')} by SIGKILL, one after the other, while devices drive`,
    run: (stage) => underLoad(stage, {
      name, touches: (app) => apps.includes(app), disturb: (place) => killEach(place, apps),
    }),
    offences: [lostRow],
  };
}

/** Kills one container of each, and waits until it is back and rows come. */
export async function killEach(
  stage: ProductStage, apps: readonly string[],
): Promise<ActFinding> {
  const seen: string[] = [];
  for (const app of apps) {
    const beganMs = performance.now();
    await killOne(stage, app);
    seen.push(`${app} ready again after ${secondsSince(beganMs)}`);
    await moreRows(stage);
  }
  return { seen: seen.join(', '), complaints: [] };
}

/** Kills one container, and waits until the kubelet has started another that is ready. */
async function killOne(stage: ProductStage, app: string): Promise<void> {
  const { plane, nodes } = await stage.cluster();
  const victim = (await podsOf(plane)).find((pod) => pod.app === app && pod.isReady);
  if (victim === undefined) throw new Error(`No Pod of ${app} is ready.`);
  const node = nodes.find(({ place }) => place.name === victim.node);
  if (node === undefined) throw new Error(`${victim.name} is on no node of ours.`);
  await node.runtime.ctr(['tasks', 'kill', '--signal', 'SIGKILL', victim.container]);
  await waitFor(async () => {
    const now = (await podsOf(plane)).find(({ uid }) => uid === victim.uid);
    return now?.isReady === true && now.restarts > victim.restarts;
  }, { what: `A container of ${app} after the killed one`, deadlineMs: BACK_MS_MAX, everyMs: 2_000 });
}
