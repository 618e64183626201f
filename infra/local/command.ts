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
  try {
    const { stdout, stderr } = await execute(program, args, {
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      env: { ...childEnvironment(), ...options.env },
      timeout: options.deadlineMs,
      maxBuffer: OUTPUT_BYTES_MAX,
    });
    return `${stdout}${stderr}`;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & Record<string, string>;
    const output = `${stdout}${stderr}`.trim().slice(-1_500);
    throw new Error(`${program} ${args[0] ?? ''} failed: ${output || message}`, { cause: error });
  }
}

/** True when the program exists and runs with these arguments. */
export async function runs(program: string, args: readonly string[]): Promise<boolean> {
  return run(program, args, { deadlineMs: 20_000 }).then(
    () => true,
    () => false,
  );
}
