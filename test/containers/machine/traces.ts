import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../../../infra/local/wait.ts';
import { groupOf, RUN_VARIABLE } from './namespaces.ts';

/** What of a machine a run could change; others may run beside it and change the rest. */
export interface MachineState {
  /** Mounts below the folder of the run. */
  readonly mounts: readonly string[];
  readonly addresses: readonly string[];
  /** Network interfaces, also those without an address. */
  readonly links: readonly string[];
  /** Folders that parts of a cluster make wherever they run. */
  readonly folders: readonly string[];
}

/** What is known of a run. */
export interface RunOfTraces {
  readonly runId: string;
  readonly folder: string;
}

const GROUPS = '/sys/fs/cgroup';
const FOLDERS = [
  '/run/netns', '/var/lib/cni', '/var/lib/kubelet', '/var/log/containers', '/var/log/pods',
];
const LEAVES_MS_MAX = 60_000;

/** What is there now. */
export function machineState(folder: string): MachineState {
  return {
    mounts: read('/proc/self/mountinfo').split('\n').map((line) => line.split(' ')[4] ?? '')
      .filter((path) => path.startsWith(`${folder}/`)),
    addresses: Object.entries(networkInterfaces()).flatMap(([name, all = []]) => (
      all.map(({ cidr }) => `${cidr ?? ''} of ${name}`))),
    links: existsSync('/sys/class/net') ? readdirSync('/sys/class/net') : [],
    folders: FOLDERS.filter((path) => existsSync(path)),
  };
}

/** Processes of a run that live, by the variable that each of them has. */
export function processesOf(runId: string): readonly string[] {
  const mark = `${RUN_VARIABLE}=${runId}`;
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    .filter((pid) => read(`/proc/${pid}/environ`).split('\0').includes(mark))
    .map((pid) => `${pid} (${read(`/proc/${pid}/cmdline`).split('\0').join(' ').trim()})`);
}

/** Control groups of the containers of a run, below the root or below the caller's. */
export function controlGroupsOf(runId: string): readonly string[] {
  const controllers = existsSync(GROUPS) ? readdirSync(GROUPS) : [];
  const callers = read('/proc/self/cgroup').split('\n').map((line) => {
    const [, controller = '', path = ''] = line.split(':');
    return join(controller.replace(/^name=/, ''), path);
  });
  return [...new Set(['', ...controllers, ...callers])]
    .map((group) => join(GROUPS, group, groupOf(runId))).filter((path) => existsSync(path));
}

/** What a run left, once what was ended has had time to go; a sentence each. */
export async function leftBy(
  { runId, folder }: RunOfTraces, before: MachineState,
): Promise<readonly string[]> {
  let left: readonly string[] = [];
  await waitFor(() => {
    left = [
      ...processesOf(runId).map((process) => `left the process ${process}`),
      ...controlGroupsOf(runId).map((path) => `left the control group ${path}`),
      ...tracesOf(before, machineState(folder)),
    ];
    return left.length === 0;
  }, { what: 'The end of all', deadlineMs: LEAVES_MS_MAX, everyMs: 200 }).catch(() => undefined);
  return left;
}

/** What was not there before, a sentence each. */
export function tracesOf(before: MachineState, after: MachineState): readonly string[] {
  return [
    ...more(before.mounts, after.mounts).map((path) => `left a mount at ${path}`),
    ...more(before.addresses, after.addresses).map((address) => `left the address ${address}`),
    ...more(before.links, after.links).map((link) => `left the network interface ${link}`),
    ...more(before.folders, after.folders).map((path) => `left the folder ${path}`),
  ];
}

function more(before: readonly string[], after: readonly string[]): readonly string[] {
  const known = new Set(before);
  return [...new Set(after.filter((each) => !known.has(each)))];
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
