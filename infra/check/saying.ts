import { execFile } from 'node:child_process';

const TOOL_MS_MAX = 600_000;
const OUTPUT_BYTES_MAX = 50_000_000;

/** What a tool wrote, content or not; rejects when it cannot be run or ran over its time. */
export function saying(
  program: string, args: readonly string[], env: NodeJS.ProcessEnv = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, {
      env: { ...process.env, ...env }, timeout: TOOL_MS_MAX, maxBuffer: OUTPUT_BYTES_MAX,
    }, (error, stdout, stderr) => {
      const isContent = error === null || typeof error.code === 'number';
      if (!isContent) return reject(new Error(`${program} did not run`, { cause: error }));
      resolve(`${stdout}${stderr}`);
    });
  });
}
