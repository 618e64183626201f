import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { BroughtImages } from '../node/bring-images.ts';
import type { ScalingTools } from '../tools.ts';
import { endCluster, joinSecondNode, startCluster, type ClusterGiven } from './cluster.ts';
import type { ActSlip, NodeCluster, ProductStage, RunningProduct } from './place.ts';

/** What a run of the product has. */
export interface ProductRunGiven extends Pick<ClusterGiven, 'runId' | 'kubernetes' | 'nodeImages'> {
  readonly root: string;
  /** A folder of this run with a short path. */
  readonly folder: string;
  readonly kustomize: string;
  readonly images: BroughtImages;
  readonly scaling?: ScalingTools;
  /** True when the cluster outlives this process. */
  readonly stays?: boolean;
  readonly print: (line: string) => void;
}

/** Folders that manifests and offences are in. */
const COPIED = [
  'infra', 'test/cluster/node', 'test/cluster/product/overlay', 'test/cluster/autoscaling/manifests',
] as const;

/** Copies the manifests, and begins without a cluster. */
export function openProductStage(given: ProductRunGiven): ProductStage {
  const { root, folder, runId, kustomize, images, stays = false, print } = given;
  const copy = join(folder, 'copy');
  for (const path of COPIED) cpSync(join(root, path), join(copy, path), { recursive: true });
  let running: NodeCluster | undefined;
  let product: RunningProduct | undefined;
  let clusters = 0;

  const clusterGiven = (): ClusterGiven => ({
    ...given, stays, folder: join(folder, `c${clusters}`),
    names: join(copy, 'test/cluster/node/names.yaml'),
  });

  async function cluster(): Promise<NodeCluster> {
    if (running === undefined) {
      clusters += 1;
      running = await startCluster(clusterGiven());
    }
    return running;
  }

  return {
    runId, folder, copy, kustomize, print, cluster,
    tags: { tag: images.tag, next: images.next }, spoils: [], mistakes: new Set<ActSlip>(),
    drawn: {}, scaling: given.scaling,
    async secondNode() {
      const known = await cluster();
      return known.nodes[1] ?? joinSecondNode(clusterGiven(), known);
    },
    product() {
      if (product === undefined) throw new Error('The product does not run.');
      return product;
    },
    setProduct(started) { product = started; },
    async close() {
      const ended = running;
      running = undefined;
      product = undefined;
      if (ended !== undefined) await endCluster(ended, runId, print);
    },
  };
}
