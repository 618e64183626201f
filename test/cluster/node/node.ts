import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../../infra/local/wait.ts';
import type { Namespaces } from '../../containers/machine/namespaces.ts';
import type { ControlPlane } from '../control-plane.ts';
import { NETWORK, type NodePlace } from '../network.ts';
import { partIn } from '../part.ts';
import { startContainerd, type ContainerRuntime } from './containerd.ts';
import { importImages, type SavedImages } from './import-images.ts';
import { kubeletWords, proxyWords, writeNetwork } from './settings.ts';

/** What a node is started with. */
export interface NodeStart {
  readonly place: NodePlace;
  readonly namespaces: Namespaces;
  readonly plane: ControlPlane;
  /** The program of all parts of Kubernetes. */
  readonly kubernetes: string;
  /** The control group of its Pods. */
  readonly group: string;
  /** The folder of the control plane, which has its authority. */
  readonly planeFolder: string;
  /** A folder of this run with a short path. */
  readonly folder: string;
  /** Where images stay from run to run. */
  readonly imagesFolder: string;
  readonly images: SavedImages;
}

const PREPARE = join(import.meta.dirname, 'prepare-node.sh');
const PREPARE_MS_MAX = 300_000;
/** As an init system does: a kubelet ends when containerd listens and cannot answer it yet. */
const AGAIN = ['sh', '-c', 'while :; do "$@" || true; sleep 1; done', 'sh'];
const READY_MS_MAX = 300_000;

/** Starts containerd, kubelet and the proxy of Services; gives the runtime. */
export async function startNode(given: NodeStart): Promise<ContainerRuntime> {
  const { place, namespaces, plane, kubernetes, group, planeFolder, folder } = given;
  mkdirSync(folder, { recursive: true });
  await namespaces.run(['sh', PREPARE, folder, group], PREPARE_MS_MAX);
  // A caller on the node itself needs a way to addresses that only rules translate.
  await namespaces.run([
    'ip', 'route', 'add', NETWORK.services, 'dev', 'lo', 'src', place.address,
  ], PREPARE_MS_MAX);
  const runtime = await startContainerd(namespaces, { images: given.imagesFolder, run: folder });
  await importImages(runtime, given.images, given.imagesFolder);
  writeNetwork({ folder, place });
  const authority = join(planeFolder, 'authority');
  const words = kubeletWords({ place, folder, authority, socket: runtime.socket, group });
  const kubelet = partIn(namespaces, folder, 'kubelet', [...AGAIN, kubernetes, ...words]);
  partIn(namespaces, folder, 'kube-proxy', [
    kubernetes, ...proxyWords({ place, folder, authority }),
  ]).start();
  kubelet.start();
  await waitFor(() => isReady(plane, place.name), {
    what: place.name, deadlineMs: READY_MS_MAX, everyMs: 1_000,
  }).catch((error: unknown) => { throw new Error(`${(error as Error).message} ${kubelet.said()}`); });
  return runtime;
}

/** Whether a node says that it can run Pods. */
export async function isReady(
  { kubectl }: Pick<ControlPlane, 'kubectl'>, name: string,
): Promise<boolean> {
  const status = await kubectl([
    'get', 'node', name, '--output',
    'jsonpath={.status.conditions[?(@.type=="Ready")].status}',
  ]).catch(() => '');
  return status.trim() === 'True';
}
