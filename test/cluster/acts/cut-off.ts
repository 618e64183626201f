import { waitFor } from '../../../infra/local/wait.ts';
import { secondsSince, type Act, type ActFinding } from '../../containers/acts/act.ts';
import { FIRST_NODE } from '../network.ts';
import { linkTo } from '../node/connect.ts';
import { isReady } from '../node/node.ts';
import { OUR_DEPLOYMENTS, OURS } from '../product/ours.ts';
import type { PlacedNode, ProductStage } from '../product/place.ts';
import { podsOf, type Pod } from '../product/pods.ts';
import { moreRows, underLoad } from '../product/under-load.ts';
import { awaitAll } from '../product/waves.ts';
import { evict } from './eviction.ts';
import { lostRow, offenceBy } from './offences.ts';

const GONE_MS_MAX = 300_000;
const REPLACED_MS_MAX = 900_000;
const COMMAND_MS_MAX = 300_000;
/** It has two Pods, so that one can be on each node. */
const SPREAD = 'ingest';

/** A node that no packet reaches, and whose Pods run on: others take their place. */
export const cutOff: Act<ProductStage> = {
  name: 'cut-off',
  does: 'drops every packet to and from a node whose Pods run on: others take their place on the other'
    + ' node; then packets pass again',
  run: (stage) => underLoad(stage, { name: 'cut-off', disturb, touches: (app) => OURS.has(app) }),
  offences: [
    offenceBy('no packet is dropped', 'packets-pass', /node-2 stayed ready/), lostRow,
  ],
};

async function disturb(stage: ProductStage): Promise<ActFinding> {
  const { plane } = await stage.cluster();
  const node = await stage.secondNode();
  const { name } = node.place;
  await spread(stage, name);
  const cut = (await podsOf(plane)).filter((pod) => OURS.has(pod.app) && pod.node === name);
  const beganMs = performance.now();
  if (!stage.mistakes.has('packets-pass')) await packets(node, 'drop');
  let gone: string;
  try {
    const isGone = await waitFor(async () => !await isReady(plane, name), {
      what: `The end of ${name}`, deadlineMs: GONE_MS_MAX, everyMs: 2_000,
    }).then(() => true, () => false);
    if (!isGone) return { seen: '', complaints: [`${name} stayed ready`] };
    gone = secondsSince(beganMs);
    await waitFor(async () => isReplaced(cut, await podsOf(plane)), {
      what: `Other Pods in place of ${cut.map((pod) => pod.name).join(', ')}`,
      deadlineMs: REPLACED_MS_MAX, everyMs: 3_000,
    });
    await moreRows(stage);
  } finally {
    await packets(node, 'pass');
  }
  const replaced = secondsSince(beganMs);
  await waitFor(async () => {
    const uids = new Set((await podsOf(plane)).map(({ uid }) => uid));
    return await isReady(plane, name) && !cut.some(({ uid }) => uids.has(uid));
  }, { what: `${name}, without its old Pods`, deadlineMs: GONE_MS_MAX, everyMs: 3_000 });
  return {
    seen: `${cut.length} Pods cut off, ${name} gone after ${gone}, others in their place after ${replaced}`,
    complaints: await awaitAll(plane, OUR_DEPLOYMENTS),
  };
}

/** Whether all that ran there is asked to end, and each of it runs elsewhere. */
function isReplaced(cut: readonly Pod[], now: readonly Pod[]): boolean {
  const uids = new Set(cut.map(({ uid }) => uid));
  return cut.every(({ app }) => now.some((pod) => (
    pod.app === app && pod.isReady && pod.node === FIRST_NODE.name)))
    && now.every(({ uid, isLeaving }) => !uids.has(uid) || isLeaving);
}

/** Gateways are on both nodes then, and what writes tables is on the one to be cut off. */
async function spread(stage: ProductStage, name: string): Promise<void> {
  const { plane } = await stage.cluster();
  const ready = async (app: string): Promise<readonly Pod[]> => (await podsOf(plane))
    .filter((pod) => pod.app === app && pod.isReady && !pod.isLeaving);
  const [writer] = await ready('table-writer');
  if (writer !== undefined && writer.node !== name) await move(stage, writer, name);
  const [one, other] = await ready(SPREAD);
  if (one === undefined || other === undefined) throw new Error(`${SPREAD} has no two ready Pods.`);
  if (one.node === other.node) {
    await move(stage, one, one.node === name ? FIRST_NODE.name : name);
  }
}

/** Evicts a Pod while only one node takes others. */
async function move(stage: ProductStage, pod: Pod, node: string): Promise<void> {
  const { plane } = await stage.cluster();
  await plane.kubectl(['cordon', pod.node]);
  const refused = await evict(stage, pod);
  if (refused.length > 0) throw new Error(refused.join('; '));
  await waitFor(async () => (await podsOf(plane)).every(({ uid }) => uid !== pod.uid), {
    what: `The end of ${pod.name}`, deadlineMs: REPLACED_MS_MAX, everyMs: 2_000,
  });
  const complaints = await awaitAll(plane, [`deployment/${pod.app}`]);
  await plane.kubectl(['uncordon', pod.node]);
  if (complaints.length > 0) throw new Error(`No Pod of ${pod.app} on ${node}: ${complaints.join('; ')}`);
}

/** Drops what comes in from the other node and goes out to it, or lets it pass again. */
async function packets({ namespaces }: PlacedNode, what: 'drop' | 'pass'): Promise<void> {
  const word = what === 'drop' ? '-I' : '-D';
  const link = linkTo(FIRST_NODE);
  for (const rule of [
    ['-t', 'raw', word, 'PREROUTING', '-i', link, '-j', 'DROP'],
    ['-t', 'mangle', word, 'POSTROUTING', '-o', link, '-j', 'DROP'],
  ]) {
    await namespaces.run(['iptables', '--wait', ...rule], COMMAND_MS_MAX).catch((error: unknown) => {
      if (what === 'drop') throw error;
    });
  }
}
