import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { endAll } from '../../containers/machine/groups.ts';
import { groupOf, openNamespaces } from '../../containers/machine/namespaces.ts';
import { startControlPlane } from '../control-plane.ts';
import { FIRST_NODE, SECOND_NODE } from '../network.ts';
import { connectNodes } from '../node/connect.ts';
import type { SavedImages } from '../node/import-images.ts';
import { startNode } from '../node/node.ts';
import { linkImages, secondImages } from '../node/second-images.ts';
import type { PlacedNode, NodeCluster } from './place.ts';

/** What a cluster is made with. */
export interface ClusterGiven {
  /** A folder of this cluster with a short path. */
  readonly folder: string;
  readonly runId: string;
  readonly kubernetes: string;
  readonly images: SavedImages;
  /** Where the first node has its images from run to run. */
  readonly nodeImages: string;
  /** The manifest of cluster DNS. */
  readonly names: string;
  /** True when it outlives this process. */
  readonly stays: boolean;
}

/** Starts a control plane and the first node. */
export async function startCluster(given: ClusterGiven): Promise<NodeCluster> {
  const { folder, runId, kubernetes, images, nodeImages, stays } = given;
  mkdirSync(folder);
  const namespaces = await openNamespaces({
    network: 'own', runId, output: join(folder, 'namespaces.log'), stays,
  });
  const nodes: PlacedNode[] = [];
  try {
    const plane = await startControlPlane(namespaces, kubernetes, folder);
    await linkImages(nodeImages);
    const runtime = await startNode({
      place: FIRST_NODE, namespaces, plane, kubernetes, group: groupOf(runId), planeFolder: folder,
      images, imagesFolder: nodeImages, folder: join(folder, 'n1'),
    });
    await plane.kubectl(['apply', '--server-side', '--filename', given.names]);
    nodes.push({ place: FIRST_NODE, namespaces, runtime });
    return { namespaces, plane, nodes };
  } catch (error) {
    await endAll(namespaces, runId).catch(() => undefined);
    await namespaces.close();
    throw error;
  }
}

/** Lets a second node join, with processes, mounts and a network of its own. */
export async function joinSecondNode(
  { folder, runId, kubernetes, images, nodeImages, stays }: ClusterGiven,
  { plane, nodes }: NodeCluster,
): Promise<PlacedNode> {
  const [first] = nodes;
  if (first === undefined) throw new Error('A second node needs a first one.');
  const namespaces = await openNamespaces({
    network: 'own', runId, output: join(folder, 'namespaces-2.log'), stays,
  });
  try {
    await connectNodes(first, { place: SECOND_NODE, namespaces });
    const runtime = await startNode({
      place: SECOND_NODE, namespaces, plane, kubernetes,
      group: join(groupOf(runId), SECOND_NODE.name), planeFolder: folder, images,
      imagesFolder: secondImages(nodeImages), folder: join(folder, 'n2'),
    });
    const node = { place: SECOND_NODE, namespaces, runtime };
    nodes.push(node);
    return node;
  } catch (error) {
    await namespaces.close();
    throw error;
  }
}

/** Ends every process of a cluster, and removes its control groups. */
export async function endCluster(
  { namespaces, nodes }: NodeCluster, runId: string, print: (line: string) => void,
): Promise<void> {
  // What ran on the others is in groups below those of the first.
  for (const node of nodes.slice(1)) await node.namespaces.close();
  await endAll(namespaces, runId).catch((error: unknown) => {
    print(error instanceof Error ? error.message : String(error));
  });
  await namespaces.close();
}
