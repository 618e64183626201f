import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastOutput, startChild, childEnvironment } from '../../../infra/local/child.ts';
import { run, runs } from '../../../infra/local/command.ts';
import { waitFor } from '../../../infra/local/wait.ts';
import { removeGroups } from '../machine/groups.ts';
import {
  groupOf, openNamespaces, RUN_VARIABLE, type Namespaces, type Network,
} from '../machine/namespaces.ts';

/** A Docker engine of its own, in namespaces of its own. */
export interface Engine {
  readonly namespaces: Namespaces;
  /** What `DOCKER_HOST` has to be. */
  readonly host: string;
  /** Runs the client and gives its output; throws the last of it when it fails. */
  readonly docker: (args: readonly string[], deadlineMs?: number) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** Where an engine works. */
export interface EngineFolders {
  /** Images, kept from run to run; one engine at a time has them. */
  readonly images: string;
  /** Sockets and logs of this run; its path must be short, as that of a socket may be. */
  readonly run: string;
}

const START_MS_MAX = 300_000;
const STOP_MS_MAX = 60_000;
const COMMAND_MS_MAX = 120_000;

/** Starts an engine. On the machine's network it is for builds alone, and changes nothing there. */
export async function startEngine(
  network: Network, folders: EngineFolders, runId: string,
): Promise<Engine> {
  const dir = join(folders.run, network);
  mkdirSync(dir, { recursive: true });
  const socket = join(dir, 'docker.sock');
  const host = `unix://${socket}`;
  const pidFile = join(dir, 'docker.pid');
  rmSync(pidFile, { force: true });
  const settings = join(dir, 'daemon.json');
  writeFileSync(settings, JSON.stringify({
    'data-root': folders.images, 'exec-root': join(dir, 'exec'), pidfile: pidFile, hosts: [host],
    'cgroup-parent': `/${groupOf(runId)}`, 'storage-driver': 'overlay2', 'log-level': 'warn', ...networkSettings(network),
    // runc before 1.2 forgets the mode of a tmpfs over a folder of the image.
    runtimes: { crun: { path: 'crun' } }, 'default-runtime': 'crun',
  }));
  const namespaces = await openNamespaces({ network, runId, output: join(dir, 'namespaces.log') });
  const [command = '', ...args] = namespaces.words(['dockerd', '--config-file', settings]);
  const child = startChild({
    name: 'dockerd', dir, command, args, stopBy: 'SIGTERM',
    env: { ...childEnvironment(), [RUN_VARIABLE]: runId },
  });
  const docker = (words: readonly string[], deadlineMs = COMMAND_MS_MAX): Promise<string> => (
    run('docker', ['--host', host, ...words], {
      // Its builder of today is a package of its own, which Debian 12 does not have.
      deadlineMs, env: { DOCKER_BUILDKIT: '0', DOCKER_CLI_HINTS: 'false', [RUN_VARIABLE]: runId },
    })
  );
  async function close(): Promise<void> {
    if (child.outcome() === undefined) {
      await namespaces.run(['sh', '-c', 'kill "$(cat "$0")"', pidFile], STOP_MS_MAX)
        .catch(() => undefined);
      await waitFor(() => child.outcome() !== undefined, {
        what: 'The end of the engine', deadlineMs: STOP_MS_MAX,
      }).catch(() => undefined);
      // The engine leaves the group of its containers.
      await removeGroups(namespaces, runId).catch(() => undefined);
    }
    await namespaces.close();
  }
  try {
    await waitFor(() => runs('docker', ['--host', host, 'version']), {
      what: 'The start of the engine', deadlineMs: START_MS_MAX, everyMs: 250,
      hopeless: () => (child.outcome() === undefined ? undefined : lastOutput(dir)),
    });
    await sweep(docker);
  } catch (error) {
    await close();
    throw error;
  }
  return { namespaces, host, docker, close };
}

/** Removes what a run that was killed may have left beside its images. */
async function sweep(docker: Engine['docker']): Promise<void> {
  const containers = await namesOf(docker, ['ps', '--all', '--quiet']);
  if (containers.length > 0) await docker(['rm', '--force', '--volumes', ...containers]);
  const volumes = await namesOf(docker, ['volume', 'ls', '--quiet']);
  if (volumes.length > 0) await docker(['volume', 'rm', '--force', ...volumes]);
  await docker(['network', 'prune', '--force']);
}

/** The lines of an answer of the client. */
export async function namesOf(
  docker: Engine['docker'], args: readonly string[],
): Promise<readonly string[]> {
  return (await docker(args)).split('\n').filter((line) => line.trim() !== '');
}

function networkSettings(network: Network): Readonly<Record<string, unknown>> {
  if (network === 'host') return { bridge: 'none', iptables: false, ip6tables: false };
  return {
    bip: '10.76.0.1/24', 'default-address-pools': [{ base: '10.77.0.0/16', size: 24 }],
    ip6tables: false,
  };
}
