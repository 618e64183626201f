import { canConfine, type FileAccess } from './landlock.ts';

/** What the engine asks the machine about itself, and the clock's zone: none of it is a secret. */
const OF_THE_MACHINE: readonly string[] = [
  '/proc/self', '/proc/meminfo', '/proc/cpuinfo', '/proc/stat', '/sys/fs/cgroup',
  '/sys/devices/system/cpu', '/etc/localtime', '/usr/share/zoneinfo', '/dev/null', '/dev/random',
  '/dev/urandom',
];

/** Variables that the engine gets: it shows its own to everyone who may ask it for a file. */
const VARIABLES = ['PATH', 'LANG', 'TZ', 'LD_LIBRARY_PATH'];

/**
 * The files that the engine may use, its own folders and what it needs to know of the machine;
 * undefined where the kernel cannot hold it to them.
 */
export function engineReach(folders: readonly string[]): FileAccess | undefined {
  return canConfine() ? { writes: folders, reads: OF_THE_MACHINE } : undefined;
}

/** The environment of the engine. */
export function engineEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(VARIABLES.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  }));
}
