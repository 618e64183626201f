import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Act, ActFinding } from '../../containers/acts/act.ts';
import { ask } from '../../containers/machine/ask.ts';
import { applyObjects } from '../product/deploy.ts';
import type { ProductStage } from '../product/place.ts';
import { moreRows, underLoad } from '../product/under-load.ts';
import { awaitAll } from '../product/waves.ts';
import { offenceBy } from './offences.ts';

const INSIDE = join(import.meta.dirname, '..', 'inside');
const ASK_MS_MAX = 300_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** What a gateway may be ahead, as tokens live for an hour; workers are off by more. */
const AHEAD_MS = 5 * MINUTE_MS;
const CLOCKS: Readonly<Record<string, number>> = {
  ingest: AHEAD_MS, 'table-writer': -2 * HOUR_MS, projector: 2 * HOUR_MS,
};
const NAME = 'wrong-clock';
const MOUNT = `/${NAME}`;
const FILE = 'clock-shift.ts';

/** Pods whose clock is off, to both sides; then back. */
export const wrongClock: Act<ProductStage> = {
  name: 'wrong-clock',
  does: 'gateways five minutes ahead, workers two hours to both sides, and back: no call fails',
  run: (stage) => underLoad(stage, {
    name: 'wrong-clock', disturb, answersAll: true, touches: (app) => app in CLOCKS,
  }),
  offences: [offenceBy('the clocks are right', 'clocks-are-right', /no row was received ahead of time/)],
};

async function disturb(stage: ProductStage): Promise<ActFinding> {
  const { plane, namespaces } = await stage.cluster();
  const clocks = stage.mistakes.has('clocks-are-right')
    ? Object.fromEntries(Object.keys(CLOCKS).map((app) => [app, 0])) : CLOCKS;
  await applyObjects(plane, join(stage.folder, 'clock.json'), [{
    apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: NAME, namespace: 'rastro' },
    data: { [FILE]: readFileSync(join(INSIDE, FILE), 'utf8') },
  }]);
  const names = Object.keys(CLOCKS).map((app) => `deployment/${app}`);
  for (const [app, offsetMs] of Object.entries(clocks)) {
    await patch(stage, app, {
      env: [
        { name: 'NODE_OPTIONS', value: `--import=${MOUNT}/${FILE}` },
        { name: 'TEST_CLOCK_MS', value: String(offsetMs) },
      ],
      mount: { name: NAME, readOnly: true }, volume: { configMap: { name: NAME } },
    });
  }
  const complaints = [...await awaitAll(plane, names)];
  await moreRows(stage);
  const { rows } = await ask<{ readonly rows: number }>(
    namespaces, join(INSIDE, 'rows-ahead.ts'),
    { ...stage.product().analyst, aheadMs: MINUTE_MS }, ASK_MS_MAX,
  );
  for (const app of Object.keys(clocks)) {
    const gone = { $patch: 'delete' };
    await patch(stage, app, {
      env: [{ name: 'NODE_OPTIONS', ...gone }, { name: 'TEST_CLOCK_MS', ...gone }],
      mount: gone, volume: gone,
    });
  }
  complaints.push(...await awaitAll(plane, names));
  return {
    seen: `${rows} rows received ahead of time`,
    complaints: rows > 0 ? complaints : [...complaints, 'no row was received ahead of time'],
  };
}

/** What a Deployment gets, or what is taken from it. */
interface Changes {
  readonly env: readonly object[];
  readonly mount: object;
  readonly volume: object;
}

async function patch(
  { cluster }: ProductStage, app: string, { env, mount, volume }: Changes,
): Promise<void> {
  const { plane } = await cluster();
  const name = app === 'ingest' ? 'gateway' : 'worker';
  const spec = {
    containers: [{ name, env, volumeMounts: [{ mountPath: MOUNT, ...mount }] }],
    volumes: [{ name: NAME, ...volume }],
  };
  await plane.kubectl([
    '--namespace', 'rastro', 'patch', 'deployment', app, '--type', 'strategic',
    '--patch', JSON.stringify({ spec: { template: { spec } } }),
  ]);
}
