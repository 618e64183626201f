import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { childEnvironment } from '../../../infra/local/child.ts';
import { run } from '../../../infra/local/command.ts';
import { isAlive, identify } from '../../../infra/local/process-identity.ts';
import { waitFor } from '../../../infra/local/wait.ts';

/** The network in there: none but loopback, or that of the machine, which only builds may use. */
export type Network = 'own' | 'host';

/** Namespaces for processes, mounts, control groups and the network. */
export interface Namespaces {
  /** Id of their first process, as the machine sees it. */
  readonly pid: number;
  /** The words that start a command in there. */
  readonly words: (command: readonly string[]) => readonly string[];
  /** Runs a command in there until it ends; gives its output, and throws the last of it. */
  readonly run: (command: readonly string[], deadlineMs: number) => Promise<string>;
  /** Starts a command that ends with the namespaces at the latest; its output goes to a file. */
  readonly start: (command: readonly string[], output: string) => void;
  /** Ends every process in there; mounts and addresses go with them. */
  readonly close: () => Promise<void>;
}

/** In the environment of every process of a run, by which one that was left is found. */
export const RUN_VARIABLE = 'RASTRO_CONTAINERS_RUN';

/** Name of the control group of the containers of a run. */
export function groupOf(runId: string): string {
  return `rastro-${runId.slice(0, 8)}`;
}

const FIRST_PROCESS = join(import.meta.dirname, 'first-process.sh');
const READY_MS_MAX = 300_000;
const END_MS_MAX = 300_000;

/** What namespaces are opened with. */
export interface NamespacesGiven {
  readonly network: Network;
  readonly runId: string;
  /** Where their first process writes. */
  readonly output: string;
  /** True when they outlive this process, until a process that attaches to them closes them. */
  readonly stays?: boolean;
}

/** Opens namespaces that end with this process, also by `kill -9`, unless they stay; needs root. */
export async function openNamespaces(
  { network, runId, output, stays = false }: NamespacesGiven,
): Promise<Namespaces> {
  const log = openSync(output, 'w', 0o600);
  const words = ['unshare', ...unshared(network), 'sh', FIRST_PROCESS, network];
  const [program = '', ...args] = stays ? words : ['setpriv', '--pdeathsig', 'SIGKILL', '--', ...words];
  const child = spawn(program, args, {
    env: { ...childEnvironment(), [RUN_VARIABLE]: runId }, detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  await waitFor(() => readFileSync(output, 'utf8').includes('ready\n'), {
    what: 'Opening namespaces', deadlineMs: READY_MS_MAX,
    hopeless: () => (child.exitCode === null ? undefined : readFileSync(output, 'utf8').trim()),
  });
  return attachNamespaces(onlyChildOf(child.pid ?? 0), network, runId);
}

/** Namespaces that are open, by the id of their first process. */
export function attachNamespaces(pid: number, network: Network, runId: string): Namespaces {
  const first = identify(pid);
  const words = (command: readonly string[]): readonly string[] => enter(pid, network, command);
  const env = { ...childEnvironment(), [RUN_VARIABLE]: runId };
  return {
    pid, words,
    run(command, deadlineMs) {
      const [program = '', ...args] = words(command);
      return run(program, args, { deadlineMs, env: { [RUN_VARIABLE]: runId } });
    },
    start(command, output) {
      const [program = '', ...args] = words(command);
      const log = openSync(output, 'a', 0o600);
      spawn(program, args, { env, detached: true, stdio: ['ignore', log, log] }).unref();
      closeSync(log);
    },
    async close() {
      if (first === undefined || !isAlive(first)) return;
      process.kill(pid, 'SIGKILL');
      await waitFor(() => !isAlive(first), { what: 'The end of namespaces', deadlineMs: END_MS_MAX });
    },
  };
}

function unshared(network: Network): readonly string[] {
  return [
    '--pid', '--fork', '--kill-child', '--mount-proc', '--mount', '--cgroup', '--ipc', '--uts',
    ...(network === 'own' ? ['--net'] : []), '--propagation', 'private',
  ];
}

function enter(pid: number, network: Network, command: readonly string[]): readonly string[] {
  return [
    'nsenter', '--target', String(pid), '--pid', '--mount', '--cgroup', '--ipc', '--uts',
    ...(network === 'own' ? ['--net'] : []), `--wdns=${process.cwd()}`, '--', ...command,
  ];
}

function onlyChildOf(pid: number): number {
  const [first = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  return Number(first);
}
