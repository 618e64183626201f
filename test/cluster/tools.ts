import { join } from 'node:path';
import { prometheusOf } from '../../infra/check/prometheus.ts';
import { definitionFiles, requireKustomize } from '../../infra/check/tools.ts';
import type { Cache } from '../../infra/local/cache.ts';
import { runs } from '../../infra/local/command.ts';
import { installWithApt } from '../../infra/local/tools.ts';
import { requireEngine } from '../containers/machine/programs.ts';
import { requireCoreDns } from './programs/coredns.ts';
import { requireKeda, type Keda } from './programs/keda.ts';
import { requireEtcd, requireKubernetes } from './programs/kubernetes.ts';
import type { ClusterTools } from './stage.ts';

/** Programs and folders of a node. */
export interface NodeTools extends Pick<ClusterTools, 'kubernetes' | 'kustomize'> {
  readonly coreDns: string;
  /** Where a node keeps its images from run to run. */
  readonly nodeImages: string;
  /** Absent where nothing is scaled: KEDA takes long to compile. */
  readonly scaling?: ScalingTools;
}

/** What scales Pods by figures. */
export interface ScalingTools {
  readonly keda: Keda;
  /** The program of Prometheus. */
  readonly prometheus: string;
}

/** What of a node is brought. */
interface NodeWish {
  readonly cache: Cache;
  /** Whether Pods are scaled on it. */
  readonly scales?: boolean;
  readonly print: (line: string) => void;
}

/** What Debian has for a node, and how each is asked whether it is there. */
const DEBIAN = {
  'containerd': ['containerd', '--version'],
  'runc': ['runc', '--version'],
  'containernetworking-plugins': ['test', '-x', '/usr/lib/cni/bridge'],
  'catatonit': ['catatonit', '--version'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Brings everything that a control plane and its overlays need, the first time. */
export async function requireCluster(
  cache: Cache, print: (line: string) => void,
): Promise<ClusterTools> {
  if (process.getuid?.() !== 0) throw new Error('A cluster in namespaces of its own needs root.');
  await requireEtcd(cache);
  return {
    kubernetes: await requireKubernetes(cache),
    kustomize: await requireKustomize(cache.dir, print),
    definitions: await definitionFiles(cache),
  };
}

/** Brings everything that a control plane with a node needs, the first time. */
export async function requireNode(
  { cache, scales = false, print }: NodeWish,
): Promise<NodeTools> {
  if (process.getuid?.() !== 0) throw new Error('A cluster in namespaces of its own needs root.');
  await requireEtcd(cache);
  await requireEngine(cache);
  const lacking = await absent();
  if (lacking.length > 0) await installWithApt(cache, lacking);
  const left = await absent();
  if (left.length > 0) throw new Error(`Install ${left.join(', ')} (packages of Debian 12 or later).`);
  return {
    kubernetes: await requireKubernetes(cache),
    kustomize: await requireKustomize(cache.dir, print),
    coreDns: await requireCoreDns(cache),
    nodeImages: join(cache.dir, 'node-images'),
    ...(scales ? { scaling: await requireScaling(cache) } : {}),
  };
}

async function requireScaling(cache: Cache): Promise<ScalingTools> {
  return { keda: await requireKeda(cache), prometheus: await prometheusOf(cache) };
}

async function absent(): Promise<readonly string[]> {
  const found = await Promise.all(Object.entries(DEBIAN).map(async ([name, [program, ...args]]) => (
    await runs(program, args) ? [] : [name]
  )));
  return found.flat();
}
