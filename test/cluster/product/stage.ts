import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { endAll } from '../../containers/machine/groups.ts';
import { openNamespaces } from '../../containers/machine/namespaces.ts';
import { startControlPlane } from '../control-plane.ts';
import type { BroughtImages } from '../node/bring-images.ts';
import { startNode } from '../node/node.ts';
import type { ActSlip, NodeCluster, ProductStage, RunningProduct } from './place.ts';

/** What a run of the product has. */
export interface ProductRunGiven {
  readonly root: string;
  /** A folder of this run with a short path. */
  readonly folder: string;
  readonly runId: string;
  readonly kubernetes: string;
  readonly kustomize: string;
  readonly images: BroughtImages;
  readonly nodeImages: string;
  /** True when the cluster outlives this process. */
  readonly stays?: boolean;
  readonly print: (line: string) => void;
}

/** Folders that manifests and offences are in. */
const COPIED = ['infra', 'test/cluster/node', 'test/cluster/product/overlay'] as const;

/** Copies the manifests, and begins without a cluster. */
export function openProductStage(given: ProductRunGiven): ProductStage {
  const { root, folder, runId, kubernetes, kustomize, images, nodeImages, print } = given;
  const copy = join(folder, 'copy');
  for (const path of COPIED) cpSync(join(root, path), join(copy, path), { recursive: true });
  let running: NodeCluster | undefined;
  let product: RunningProduct | undefined;
  let clusters = 0;

  async function close(): Promise<void> {
    const ended = running;
    running = undefined;
    product = undefined;
    if (ended === undefined) return;
    await endAll(ended.namespaces, runId).catch((error: unknown) => {
      print(error instanceof Error ? error.message : String(error));
    });
    await ended.namespaces.close();
  }

  async function start(): Promise<NodeCluster> {
    clusters += 1;
    const planeFolder = join(folder, `plane-${clusters}`);
    mkdirSync(planeFolder);
    const namespaces = await openNamespaces({
      network: 'own', runId, output: join(planeFolder, 'namespaces.log'), stays: given.stays ?? false,
    });
    try {
      const plane = await startControlPlane(namespaces, kubernetes, planeFolder);
      const runtime = await startNode({
        namespaces, plane, kubernetes, runId, planeFolder, images, imagesFolder: nodeImages,
        folder: join(folder, `n${clusters}`), names: join(copy, 'test/cluster/node/names.yaml'),
      });
      return { namespaces, plane, runtime };
    } catch (error) {
      await endAll(namespaces, runId).catch(() => undefined);
      await namespaces.close();
      throw error;
    }
  }

  return {
    runId, folder, copy, kustomize, print, close,
    tags: { tag: images.tag, next: images.next }, spoils: [], mistakes: new Set<ActSlip>(),
    drawn: {},
    async cluster() {
      running ??= await start();
      return running;
    },
    product() {
      if (product === undefined) throw new Error('The product does not run.');
      return product;
    },
    setProduct(started) { product = started; },
  };
}
