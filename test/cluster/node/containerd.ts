import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../../infra/local/wait.ts';
import type { Namespaces } from '../../containers/machine/namespaces.ts';
import { partIn, type ClusterPart } from '../part.ts';

/** What runs the containers of a node. */
export interface ContainerRuntime {
  readonly socket: string;
  /** Its client, among what the kubelet sees. */
  readonly ctr: (args: readonly string[], deadlineMs?: number) => Promise<string>;
}

/** Where it works. */
export interface RuntimeFolders {
  /** Images, kept from run to run; one node at a time has them. */
  readonly images: string;
  /** Of this run; its path must be short, as that of a socket may be. */
  readonly run: string;
}

/** The name of the image of the first process of every Pod. */
export const PAUSE = 'rastro-stand-in/pause:1';

const COMMAND_MS_MAX = 300_000;
const START_MS_MAX = 300_000;

/** Starts containerd; what a run that was killed left beside the images goes first. */
export async function startContainerd(
  namespaces: Namespaces, folders: RuntimeFolders,
): Promise<ContainerRuntime> {
  const { run } = folders;
  mkdirSync(join(run, 'network'), { recursive: true });
  const socket = join(run, 'containerd.sock');
  const settings = join(run, 'containerd.toml');
  writeFileSync(settings, settingsOf(folders, socket));
  const part = partIn(namespaces, run, 'containerd', ['containerd', '--config', settings]);
  const ctr: ContainerRuntime['ctr'] = (args, deadlineMs = COMMAND_MS_MAX) => (
    namespaces.run(['ctr', '--address', socket, '--namespace', 'k8s.io', ...args], deadlineMs));
  await begin(part, ctr);
  const left = (await ctr(['containers', 'ls', '--quiet'])).split('\n').filter((id) => id !== '');
  if (left.length > 0) {
    await ctr(['containers', 'rm', ...left]);
    // It has read them at its start.
    await part.end('TERM');
    await begin(part, ctr);
  }
  return { socket, ctr };
}

async function begin(part: ClusterPart, ctr: ContainerRuntime['ctr']): Promise<void> {
  part.start();
  await waitFor(() => ctr(['version']).then(() => true, () => false), {
    what: 'The start of containerd', deadlineMs: START_MS_MAX, everyMs: 500,
  }).catch((error: unknown) => { throw new Error(`${(error as Error).message} ${part.said()}`); });
}

function settingsOf({ images, run }: RuntimeFolders, socket: string): string {
  return `version = 2
root = "${images}"
state = "${join(run, 'containerd-state')}"
disabled_plugins = [
  "io.containerd.snapshotter.v1.devmapper", "io.containerd.snapshotter.v1.btrfs",
  "io.containerd.snapshotter.v1.zfs",
]
[grpc]
  address = "${socket}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "docker.io/${PAUSE}"
  # Root of this machine may not make a process safer from the end of all memory than it is.
  restrict_oom_score_adj = true
  disable_apparmor = true
  disable_hugetlb_controller = true
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${join(run, 'network')}"
`;
}
