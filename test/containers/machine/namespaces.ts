import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
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
  /** Ends every process in there; mounts and addresses go with them. */
  readonly close: () => Promise<void>;
}

/** In the environment of every process of a run, by which one that was left is found. */
export const RUN_VARIABLE = 'RASTRO_CONTAINERS_RUN';
const FIRST_PROCESS = join(import.meta.dirname, 'first-process.sh');
const READY_MS_MAX = 20_000;
const END_MS_MAX = 20_000;

/** Opens namespaces that end with this process, also by `kill -9`; needs root. */
export async function openNamespaces(network: Network, runId: string): Promise<Namespaces> {
  const child = spawn('setpriv', [
    '--pdeathsig', 'SIGKILL', '--', 'unshare', ...unshared(network), 'sh', FIRST_PROCESS, network,
  ], {
    env: { ...childEnvironment(), [RUN_VARIABLE]: runId }, detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => { said += chunk.toString(); });
  }
  await waitFor(() => said.includes('ready\n'), {
    what: 'Opening namespaces', deadlineMs: READY_MS_MAX,
    hopeless: () => (child.exitCode === null ? undefined : said.trim()),
  });
  const pid = onlyChildOf(child.pid ?? 0);
  const first = identify(pid);
  const words = (command: readonly string[]): readonly string[] => enter(pid, network, command);

  return {
    pid, words,
    run(command, deadlineMs) {
      const [program = '', ...args] = words(command);
      return run(program, args, { deadlineMs, env: { [RUN_VARIABLE]: runId } });
    },
    async close() {
      if (first === undefined || !isAlive(first)) return;
      const ended = once(child, 'exit');
      process.kill(pid, 'SIGKILL');
      await ended;
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
