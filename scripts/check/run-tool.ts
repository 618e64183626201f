import { spawn } from 'node:child_process';

/** What a finished tool left: its exit code (null when a signal ended it) and its output. */
export interface ToolRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const limits = { toolMsMax: 420_000, outputBytesMax: 64 * 1024 * 1024 };

/**
 * Runs a JavaScript tool with this same Node in `cwd` and collects its output.
 * Rejects when the tool cannot be started, says too much or runs over its time.
 */
export function runTool(cwd: string, script: string, args: readonly string[]): Promise<ToolRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
    });
    const output = { stdout: '', stderr: '' };
    const give = (reason: string): void => {
      child.kill('SIGKILL');
      reject(new Error(`${script} ${reason}`));
    };
    const timer = setTimeout(() => give('ran over its time'), limits.toolMsMax);
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] += text;
        if (output[name].length > limits.outputBytesMax) give('said too much');
      });
    }
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, ...output });
    });
  });
}

/** The complaints of a tool that failed without naming one: its own last words. */
export function lastWords(run: ToolRun): string[] {
  const words = `${run.stdout}\n${run.stderr}`.trim().split('\n').slice(-20);
  return [`exit ${run.code ?? 'by signal'}`, ...words];
}
