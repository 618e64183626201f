import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../../../infra/local/wait.ts';
import { RUN_VARIABLE } from './namespaces.ts';

/** What a run could leave on a machine. */
export interface MachineState {
  readonly mounts: readonly string[];
  readonly addresses: readonly string[];
  /** Network interfaces, also those without an address. */
  readonly links: readonly string[];
  readonly controlGroups: readonly string[];
  /** Process namespaces, each a process that lives in one of its own. */
  readonly processNamespaces: readonly string[];
}

const GROUPS = '/sys/fs/cgroup';
/** Groups of an engine are two levels below the controller. */
const GROUP_DEPTH = 3;
const LEAVES_MS_MAX = 10_000;

/** What is there now. */
export function machineState(): MachineState {
  return {
    mounts: readFileSync('/proc/self/mountinfo', 'utf8').split('\n').filter((line) => line !== '')
      .map((line) => line.split(' ')[4] ?? ''),
    addresses: Object.entries(networkInterfaces()).flatMap(([name, all = []]) => (
      all.map(({ cidr }) => `${cidr ?? ''} of ${name}`))),
    links: existsSync('/sys/class/net') ? readdirSync('/sys/class/net') : [],
    controlGroups: existsSync(GROUPS) ? groupsBelow(GROUPS, GROUP_DEPTH) : [],
    processNamespaces: processIds().flatMap((pid) => linkOf(`/proc/${pid}/ns/pid`)),
  };
}

/** Processes of a run that live, by the variable that each of them has. */
export function processesOf(runId: string): readonly string[] {
  const mark = `${RUN_VARIABLE}=${runId}`;
  return processIds().filter((pid) => read(`/proc/${pid}/environ`).split('\0').includes(mark))
    .map((pid) => `${pid} (${read(`/proc/${pid}/cmdline`).split('\0').join(' ').trim()})`);
}

/** What a run left, once what was ended has had time to go; a sentence each. */
export async function leftBy(runId: string, before: MachineState): Promise<readonly string[]> {
  let left: readonly string[] = [];
  await waitFor(() => {
    left = [
      ...processesOf(runId).map((process) => `left the process ${process}`),
      ...tracesOf(before, machineState()),
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
    ...more(before.controlGroups, after.controlGroups)
      .map((group) => `left the control group ${group}`),
    ...more(before.processNamespaces, after.processNamespaces)
      .map((namespace) => `left a process in ${namespace}`),
  ];
}

function more(before: readonly string[], after: readonly string[]): readonly string[] {
  const known = new Set(before);
  return [...new Set(after.filter((each) => !known.has(each)))];
}

function processIds(): readonly string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
}

function groupsBelow(folder: string, depth: number): readonly string[] {
  if (depth === 0) return [];
  return entriesOf(folder).flatMap((name) => {
    const path = join(folder, name);
    return [path, ...groupsBelow(path, depth - 1)];
  });
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function linkOf(path: string): readonly string[] {
  try {
    return [readlinkSync(path)];
  } catch {
    return [];
  }
}
