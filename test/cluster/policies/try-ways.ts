import { join } from 'node:path';
import { ask } from '../../containers/machine/ask.ts';
import type { ActFinding } from '../../containers/acts/act.ts';
import type { NodeCluster } from '../product/place.ts';
import type { Pod } from '../product/pods.ts';
import { MAY_REACH, WAY_ENDS, type WayEnd } from './ways.ts';

const REACH = join(import.meta.dirname, '..', 'inside', 'reach.ts');
const SILENT_MS = 3_000;
const ASK_MS_MAX = 300_000;

/** One way from a Pod, and what is to come of it. */
interface Way {
  readonly end: WayEnd;
  readonly target: string;
  readonly may: boolean;
}

/** Opens a connection from every source to every end; complains of each that is not as it must. */
export async function tryWays(
  cluster: NodeCluster, pods: readonly Pod[], isOpen: (way: Pick<Way, 'may'>) => boolean,
): Promise<ActFinding> {
  const complaints: string[] = [];
  let reachedCount = 0;
  let all = 0;
  for (const [source, may] of Object.entries(MAY_REACH)) {
    const from = podOf(pods, source);
    const ways = WAY_ENDS.map((end): Way => ({
      end, may: may.includes(end),
      target: `${end.address ?? podOf(pods, end.app ?? '').address}:${end.port}`,
    })).filter(({ target }) => !target.startsWith(`${from.address}:`));
    const reached = await reachedFrom(cluster, from, ways.map(({ target }) => target));
    all += ways.length;
    reachedCount += reached.length;
    complaints.push(...ways.flatMap((way) => {
      const isReached = reached.includes(way.target);
      if (isReached === isOpen(way)) return [];
      return [`${source} ${isReached ? 'reaches' : 'does not reach'} ${way.end.name}`];
    }));
  }
  return { seen: `${reachedCount} of ${all} ways open`, complaints };
}

function podOf(pods: readonly Pod[], app: string): Pod {
  const found = pods.find((pod) => pod.app === app && pod.isReady && !pod.isLeaving);
  if (found === undefined) throw new Error(`No Pod of ${app} is ready.`);
  return found;
}

/** Tries from within the network of a Pod. */
async function reachedFrom(
  { nodes }: NodeCluster, { name, node, container }: Pod, targets: readonly string[],
): Promise<readonly string[]> {
  const its = nodes.find(({ place }) => place.name === node);
  if (its === undefined) throw new Error(`${name} is on no node of ours.`);
  const tasks = await its.runtime.ctr(['tasks', 'ls']);
  const [, pid] = new RegExp(`^${container}\\s+(\\d+)\\s`, 'm').exec(tasks) ?? [];
  if (pid === undefined) throw new Error(`${name} has no process.`);
  const words = (command: readonly string[]): readonly string[] => its.namespaces.words([
    'nsenter', '--target', pid, '--net', '--', ...command,
  ]);
  const { reached } = await ask<{ readonly reached: readonly string[] }>(
    { words }, REACH, { targets, silentMs: SILENT_MS }, ASK_MS_MAX,
  );
  return reached;
}
