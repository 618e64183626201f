import { join } from 'node:path';
import { waitFor } from '../../../infra/local/wait.ts';
import { complaintOf, secondsSince, type Act, type ActFinding } from '../../containers/acts/act.ts';
import type { ProductStage } from '../product/place.ts';
import { podsOf } from '../product/pods.ts';
import { countedSince } from '../product/sender.ts';
import { fillDisk, type SmallDisk } from '../product/small-disks.ts';
import { moreRows, underLoad } from '../product/under-load.ts';
import { offenceBy } from './offences.ts';
import { stateStoreSays } from './rotation.ts';

/** A store whose disk is full. */
interface FullStore {
  readonly app: string;
  readonly disk: SmallDisk;
  /** Waits until the store shows that its disk is full; throws when it does not. */
  readonly shows: (stage: ProductStage) => Promise<string>;
  /** Whether no call may fail meanwhile. */
  readonly answersAll: boolean;
}

const SHOWS_MS_MAX = 300_000;
const BACK_MS_MAX = 300_000;
const CALLS = 60;

const STORES: readonly FullStore[] = [
  { app: 'clickhouse', disk: 'data-clickhouse-0', shows: storesNoRow, answersAll: true },
  { app: 'redis', disk: 'data-redis-0', shows: refusesWrites, answersAll: false },
  { app: 'kafka', disk: 'data-rastro-brokers-0', shows: endsItself, answersAll: false },
];

/** The disk of each store is full for a time, one after the other. */
export const fullDisk: Act<ProductStage> = {
  name: 'full-disk',
  does: 'fills the disks of the tables, the state store and the log, one after the other, until it shows;'
    + ' with room again all goes on',
  run: (stage) => underLoad(stage, {
    name: 'full-disk', disturb, touches: (app) => STORES.some((store) => store.app === app),
  }),
  offences: [offenceBy('the disks have room', 'disks-have-room', /clickhouse stored rows on a full disk/)],
};

async function disturb(stage: ProductStage): Promise<ActFinding> {
  const seen: string[] = [];
  for (const store of STORES) {
    const before = stage.product().front.counts();
    const complaints: string[] = [];
    const { namespaces } = await stage.cluster();
    const filled = stage.mistakes.has('disks-have-room') ? undefined
      : await fillDisk(namespaces, stage.folder, join(stage.folder, 'volumes', store.disk));
    try {
      seen.push(`${store.app}: ${await store.shows(stage)}`);
    } catch (error) {
      complaints.push(`${store.app} ${complaintOf(error)}`);
    } finally {
      await filled?.free();
    }
    const freed = performance.now();
    await backAgain(stage, store);
    await moreRows(stage);
    seen.push(`with room again rows came after ${secondsSince(freed)}`);
    const counted = countedSince(before, stage.product().front.counts());
    if (store.answersAll) complaints.push(...counted.complaints.map((each) => `${store.app}: ${each}`));
    if (complaints.length > 0) return { seen: seen.join(', '), complaints };
  }
  return { seen: seen.join(', '), complaints: [] };
}

/** Calls are answered, as the log takes them, while no row comes. */
async function storesNoRow(stage: ProductStage): Promise<string> {
  const { front } = stage.product();
  let rows = -1;
  await waitFor(async () => {
    const before = rows;
    rows = await moreRows(stage, 0);
    if (before === rows) return true;
    const calls = front.counts().calls + CALLS;
    await waitFor(() => front.counts().calls >= calls, {
      what: `${CALLS} calls`, deadlineMs: SHOWS_MS_MAX, everyMs: 500,
    });
    return false;
  }, { what: '', deadlineMs: SHOWS_MS_MAX }).catch(() => { throw new Error('stored rows on a full disk'); });
  return `no row in ${CALLS} calls`;
}

async function refusesWrites(stage: ProductStage): Promise<string> {
  await waitFor(async () => (
    (await stateStoreSays(stage, ['INFO', 'persistence'])).includes('aof_last_write_status:err')), {
    what: 'A failed write', deadlineMs: SHOWS_MS_MAX, everyMs: 1_000,
  });
  return 'refuses writes';
}

/** The only folder of its log cannot be written: the broker ends, and cannot start. */
async function endsItself(stage: ProductStage): Promise<string> {
  const { plane } = await stage.cluster();
  const restarts = async (): Promise<number> => (
    (await podsOf(plane)).find(({ app }) => app === 'kafka')?.restarts ?? 0);
  const before = await restarts();
  await waitFor(async () => await restarts() > before, {
    what: 'An end of the broker', deadlineMs: SHOWS_MS_MAX, everyMs: 2_000,
  });
  return 'ended itself';
}

async function backAgain(stage: ProductStage, { app }: FullStore): Promise<void> {
  const { plane } = await stage.cluster();
  await waitFor(async () => (await podsOf(plane)).some((pod) => pod.app === app && pod.isReady), {
    what: `${app}, with room on its disk`, deadlineMs: BACK_MS_MAX, everyMs: 2_000,
  });
}
