import { readFileSync } from 'node:fs';

/** A process by id and start time, because the kernel reuses ids. */
export type ProcessIdentity = { readonly pid: number; readonly startTicks: string }

/** The identity of a live process, or undefined when there is none (zombies count as ended). */
export function identify(pid: number): ProcessIdentity | undefined {
  const stat = readProc(pid, 'stat');
  if (stat === undefined) return undefined;
  // The command name may hold spaces and parentheses: the fields are counted after the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  const startTicks = fields[19];
  if (state === 'Z' || state === 'X' || startTicks === undefined) return undefined;
  return { pid, startTicks };
}

/** True while exactly this process (not a later one that got its id) lives. */
export function isAlive(process: ProcessIdentity): boolean {
  return identify(process.pid)?.startTicks === process.startTicks;
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
