import { spawn, type ChildProcess } from 'node:child_process';
import { join, resolve } from 'node:path';
import { waitFor } from '../../infra/local/wait.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..', '..');
/** In which `npm start` is up, on a machine that is busy with other tests. */
export const START_MS_MAX = 400_000;
/** `npm start` brings its own stack, whatever the test run uses. */
const FOREIGN = /^(KAFKA_|REDIS_|CLICKHOUSE_|ANALYST_|SCHEMA_REGISTRY_|NODE_OPTIONS)/;

/** A run of `npm start` and what it wrote. */
export interface StartRun {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  readonly output: () => string;
}

/** The environment of a test run without the stack of the run. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN.test(name)));
}

/** Runs `npm start` on a directory of its own; the environment of all its processes has `mark`. */
export function npmStart(
  { dir, port, mark }: {
    readonly dir: string; readonly port: number; readonly mark: Readonly<Record<string, string>>;
  },
  options: readonly string[],
): StartRun {
  return startRun('node', [
    join(ROOT_DIR, 'scripts', 'bootstrap.mjs'), 'scripts/start.ts',
    ...['--dir', dir, '--port', String(port), ...options],
  ], { cwd: ROOT_DIR, env: { ...ownEnvironment(), ...mark } });
}

/** Starts the command that starts everything, and keeps what it writes. */
export function startRun(
  command: string, words: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly detached?: boolean },
): StartRun {
  const child = spawn(command, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => { output += chunk.toString(); });
  }
  const ended = new Promise<number | null>((done) => { child.once('exit', done); });
  return { child, ended, output: () => output };
}

/** Waits for the banner; fails with what was written when the run ends before. */
export async function untilReady(run: StartRun, deadlineMs = START_MS_MAX): Promise<void> {
  await waitFor(() => run.output().includes('Rastro is ready'), {
    what: 'The banner', deadlineMs,
    hopeless: () => (
      run.child.exitCode === null && run.child.signalCode === null ? undefined : run.output()
    ),
  });
}
