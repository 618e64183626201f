import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../../infra/local/wait.ts';
import { groupOf, type Namespaces } from '../../containers/machine/namespaces.ts';
import { NETWORK, type ControlPlane } from '../control-plane.ts';
import { partIn } from '../part.ts';
import { startContainerd, type ContainerRuntime } from './containerd.ts';
import { importImages, type SavedImages } from './import-images.ts';
import { kubeletWords, NODE_NAME, proxyWords, writeNetwork } from './settings.ts';

/** What a node is started with. */
export interface NodeStart {
  readonly namespaces: Namespaces;
  readonly plane: ControlPlane;
  /** The program of all parts of Kubernetes. */
  readonly kubernetes: string;
  readonly runId: string;
  /** The folder of the control plane, which has its authority. */
  readonly planeFolder: string;
  /** A folder of this run with a short path. */
  readonly folder: string;
  /** Where images stay from run to run. */
  readonly imagesFolder: string;
  readonly images: SavedImages;
  /** The manifest of cluster DNS. */
  readonly names: string;
}

const PREPARE = join(import.meta.dirname, 'prepare-node.sh');
const PREPARE_MS_MAX = 60_000;
const READY_MS_MAX = 300_000;

/** Starts containerd, kubelet, the proxy of Services and cluster DNS; gives the runtime. */
export async function startNode(given: NodeStart): Promise<ContainerRuntime> {
  const { namespaces, plane, kubernetes, runId, planeFolder, folder } = given;
  mkdirSync(folder, { recursive: true });
  const group = groupOf(runId);
  await namespaces.run(['sh', PREPARE, folder, group], PREPARE_MS_MAX);
  // A caller on the node itself needs a way to addresses that only rules translate.
  await namespaces.run([
    'ip', 'route', 'add', NETWORK.services, 'dev', 'lo', 'src', NETWORK.address,
  ], PREPARE_MS_MAX);
  const runtime = await startContainerd(namespaces, { images: given.imagesFolder, run: folder });
  await importImages(runtime, given.images, given.imagesFolder);
  writeNetwork(folder);
  const authority = join(planeFolder, 'authority');
  const words = kubeletWords({ folder, authority, socket: runtime.socket, group });
  const kubelet = partIn(namespaces, folder, 'kubelet', [kubernetes, ...words]);
  kubelet.start();
  partIn(namespaces, folder, 'kube-proxy', [
    kubernetes, ...proxyWords({ folder, authority }),
  ]).start();
  await waitFor(() => isReady(plane), {
    what: 'The node', deadlineMs: READY_MS_MAX, everyMs: 1_000,
  }).catch((error: unknown) => { throw new Error(`${(error as Error).message} ${kubelet.said()}`); });
  await plane.kubectl(['apply', '--server-side', '--filename', given.names]);
  return runtime;
}

/** Whether the node says that it can run Pods. */
export async function isReady({ kubectl }: Pick<ControlPlane, 'kubectl'>): Promise<boolean> {
  const status = await kubectl([
    'get', 'node', NODE_NAME, '--output',
    'jsonpath={.status.conditions[?(@.type=="Ready")].status}',
  ]).catch(() => '');
  return status.trim() === 'True';
}
