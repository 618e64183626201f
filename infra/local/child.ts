import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identify, isAlive, type ProcessIdentity } from './process-identity.ts';
import { waitFor } from './wait.ts';

/** How one process is started and how it is asked to end. */
export type ChildSpec = {
  readonly name: string;
  /** Directory of the part: its output goes to `output.log`, its process id to `process.json`. */
  readonly dir: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** `stdin`: the process ends gracefully when its standard input closes. */
  readonly stopBy: 'SIGTERM' | 'stdin';
  /** As of `nice`; 0 unless given. */
  readonly niceness?: number;
};

/** A started process. `outcome` is a half sentence once it has ended. */
export type Child = {
  readonly pid: number;
  readonly ended: Promise<string>;
  outcome(): string | undefined;
  askToEnd(): void;
  kill(): void;
};

/**
 * Niceness of what works behind the log: on a busy machine it gets a third of the processor time of
 * what answers callers.
 */
export const WORK_NICENESS = 5;

const OUTPUT_BYTES_MAX = 10_000_000;
const LEFTOVER_TERM_MS_MAX = 5_000;
const LEFTOVER_KILL_MS_MAX = 5_000;

/**
 * Starts a process that dies with its parent, also when the parent is killed -9: the kernel sends
 * it SIGTERM (`setpriv --pdeathsig`), or its standard input closes. It has its own process group,
 * so Ctrl-C reaches only the launcher, which then stops everything in order.
 */
export function startChild(spec: ChildSpec): Child {
  mkdirSync(spec.dir, { recursive: true });
  const output = openOutput(spec.dir);
  const withDeathSignal = spec.stopBy === 'SIGTERM' && hasSetpriv();
  const { niceness = 0 } = spec;
  const prefix = [
    ...(niceness > 0 ? ['nice', '-n', String(niceness)] : []),
    ...(withDeathSignal ? ['setpriv', '--pdeathsig', 'SIGTERM', '--'] : []),
  ];
  const [command = spec.command, ...args] = [...prefix, spec.command, ...spec.args];
  const child = spawn(command, args, {
    cwd: spec.dir,
    env: spec.env ?? childEnvironment(),
    detached: true,
    stdio: [spec.stopBy === 'stdin' ? 'pipe' : 'ignore', output, output],
  });
  closeSync(output);
  child.stdin?.on('error', () => {});
  let outcome: string | undefined;
  const ended = new Promise<string>((resolve) => {
    const end = (text: string): void => {
      outcome ??= text;
      resolve(outcome);
    };
    child.once('error', (error) => end(`could not be started (${error.message})`));
    child.once('exit', (code, signal) => end(`ended with ${signal ?? `exit code ${code ?? 0}`}`));
  });
  if (child.pid !== undefined) recordProcess(spec.dir, child.pid);
  return {
    pid: child.pid ?? 0,
    ended,
    outcome: () => outcome,
    askToEnd: () => {
      if (spec.stopBy === 'stdin') child.stdin?.end();
      else child.kill('SIGTERM');
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

/** Ends the process that a killed launcher may have left behind in this directory. */
export async function endLeftover(dir: string): Promise<void> {
  const leftover = readRecordedProcess(dir);
  if (leftover === undefined) return;
  for (const [signal, deadlineMs] of [
    ['SIGTERM', LEFTOVER_TERM_MS_MAX],
    ['SIGKILL', LEFTOVER_KILL_MS_MAX],
  ] as const) {
    if (!isAlive(leftover)) break;
    process.kill(leftover.pid, signal);
    await waitFor(() => !isAlive(leftover), { what: 'Its end', deadlineMs }).catch(() => {});
  }
  if (isAlive(leftover)) throw new Error(`Process ${leftover.pid} of ${dir} cannot be ended.`);
  forgetProcess(dir);
}

/** Removes the record of a process that has ended in order. */
export function forgetProcess(dir: string): void {
  rmSync(join(dir, 'process.json'), { force: true });
}

/** The last lines a part wrote, for the sentence that says why it did not start. */
export function lastOutput(dir: string, charactersMax = 2_000): string {
  try {
    return readFileSync(join(dir, 'output.log'), 'utf8').slice(-charactersMax).trim();
  } catch {
    return '';
  }
}

/** The environment of this process without what would change how a child runs. */
export function childEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, JAVA_TOOL_OPTIONS: _tools, ...rest } = process.env;
  return rest;
}

function openOutput(dir: string): number {
  const path = join(dir, 'output.log');
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > OUTPUT_BYTES_MAX) renameSync(path, `${path}.1`);
  return openSync(path, 'a', 0o600);
}

function recordProcess(dir: string, pid: number): void {
  const identity = identify(pid);
  if (identity !== undefined) writeFileSync(join(dir, 'process.json'), JSON.stringify(identity));
}

/** The start time in the record: another process with a reused id has another one. */
function readRecordedProcess(dir: string): ProcessIdentity | undefined {
  try {
    const value = JSON.parse(readFileSync(join(dir, 'process.json'), 'utf8')) as ProcessIdentity;
    return typeof value.pid === 'number' && typeof value.startTicks === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

function hasSetpriv(): boolean {
  return spawnSync('setpriv', ['--pdeathsig', 'SIGTERM', 'true'], { stdio: 'ignore' }).status === 0;
}
