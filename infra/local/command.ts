import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { childEnvironment } from './child.ts';

const execute = promisify(execFile);
const OUTPUT_BYTES_MAX = 10_000_000;

/** Runs a program until it ends and returns its output; a failure throws its last lines. */
export async function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly deadlineMs: number; readonly env?: NodeJS.ProcessEnv },
): Promise<string> {
  const { stdout, stderr } = await ended(program, args, options);
  return `${stdout}${stderr}`;
}

/** What a program prints on standard output; a failure throws its last lines. */
export async function outputOf(program: string, args: readonly string[]): Promise<string> {
  return (await ended(program, args, { deadlineMs: 20_000 })).stdout;
}

async function ended(
  program: string,
  args: readonly string[],
  options: Parameters<typeof run>[2],
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  try {
    return await execute(program, args, {
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      env: { ...childEnvironment(), ...options.env },
      timeout: options.deadlineMs,
      maxBuffer: OUTPUT_BYTES_MAX,
    });
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & Record<string, string>;
    const output = `${stdout}${stderr}`.trim().slice(-1_500);
    throw new Error(`${program} ${args[0] ?? ''} failed: ${output || message}`, { cause: error });
  }
}

/** A full machine takes a minute to start Python; a program that is not there fails at once. */
const RUNS_MS_MAX = 180_000;

/** True when the program exists and runs with these arguments. */
export async function runs(program: string, args: readonly string[]): Promise<boolean> {
  return run(program, args, { deadlineMs: RUNS_MS_MAX }).then(
    () => true,
    () => false,
  );
}
