import { waitFor } from '../../../infra/local/wait.ts';
import { type Act, type ActFinding } from '../../containers/acts/act.ts';
import { FIRST_NODE } from '../network.ts';
import { isReady } from '../node/node.ts';
import type { ProductStage } from '../product/place.ts';
import { awaitAll } from '../product/waves.ts';
import { moreRows, underLoad } from '../product/under-load.ts';
import { offenceBy } from './offences.ts';

const BACK_MS_MAX = 300_000;
const ROWS_AWAY = 100;

/** The API server is killed and stays away for a time: nothing of the product stops. */
export const apiAway: Act<ProductStage> = {
  name: 'api-away',
  does: 'kills the API server while devices drive: no call fails, and no Pod starts again',
  run: (stage) => underLoad(stage, {
    name: 'api-away', disturb, touches: () => false, answersAll: true,
  }),
  offences: [offenceBy('the API server stays', 'api-stays', /the API server answered/)],
};

async function disturb(stage: ProductStage): Promise<ActFinding> {
  const { plane } = await stage.cluster();
  if (!stage.mistakes.has('api-stays')) await plane.apiServer.end('KILL');
  await moreRows(stage, ROWS_AWAY);
  const answered = await plane.serves();
  if (!await plane.apiServer.lives()) plane.apiServer.start();
  await waitFor(() => isReady(plane, FIRST_NODE.name), {
    what: 'The node, after the API server', deadlineMs: BACK_MS_MAX, everyMs: 2_000,
  });
  const complaints = await awaitAll(plane, [
    'deployment/ingest', 'deployment/control', 'deployment/table-writer',
  ]);
  return {
    seen: `${ROWS_AWAY} rows without it`,
    complaints: [...complaints, ...(answered ? ['the API server answered while it was away'] : [])],
  };
}
