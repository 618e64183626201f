import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second of /proc on every Linux that runs Node. */
const TICKS_PER_SECOND = 100;

/** CPU of processes and all that they started, in µs, user and system, from the kernel's books. */
export function cpuUs(pids: readonly number[]): number {
  return familyOf(pids).reduce((sum, pid) => sum + cpuUsOf(pid), 0);
}

function familyOf(pids: readonly number[]): number[] {
  const family = new Set(pids);
  const parents = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number)
    .map((pid) => ({ pid, parent: Number(fieldsOf(pid)[1] ?? 0) }));
  for (let size = 0; size !== family.size;) {
    size = family.size;
    for (const { pid, parent } of parents) if (family.has(parent)) family.add(pid);
  }
  return [...family];
}

/** CPU of those threads of one process that bear this name, in µs; ended ones are not known. */
export function threadsCpuUs(pid: number, name: string): number {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).reduce((sum, task) => {
    const stat = read(`${tasks}/${task}/stat`);
    return stat.includes(`(${name})`) ? sum + ticksOf(afterName(stat), [11, 12]) : sum;
  }, 0);
}

/** Threads that have ended count too; children that have ended and were waited for as well. */
function cpuUsOf(pid: number): number {
  return ticksOf(fieldsOf(pid), [11, 12, 13, 14]);
}

/** What these fields count together, in µs. */
function ticksOf(fields: readonly string[], places: readonly number[]): number {
  const ticks = places.reduce((sum, at) => sum + Number(fields[at] ?? 0), 0);
  return ticks * 1_000_000 / TICKS_PER_SECOND;
}

/** Fields of /proc/PID/stat after the name, which may hold blanks; proc(5) counts them from 3. */
function fieldsOf(pid: number): string[] {
  return afterName(read(`/proc/${pid}/stat`));
}

function afterName(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
