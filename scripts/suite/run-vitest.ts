import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tallyOf } from './tally.ts';
import type { Tally, VitestReport } from './tally.ts';

/** What a vitest run needs: where, which tests, the mark of its processes, how long at most. */
export interface VitestOptions {
  readonly root: string;
  readonly filters: readonly string[];
  readonly mark: { readonly name: string; readonly value: string };
  readonly runMsMax: number;
}

/**
 * Runs vitest once over all levels, its readable report going to our own output, and counts
 * from its JSON report. A run over its time is ended and counts as a failure.
 */
export async function runVitest(options: VitestOptions): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), 'rastro-report-'));
  const reportPath = join(folder, 'vitest.json');
  try {
    const exitCode = await runToEnd(options, reportPath);
    return tallyOf(readReport(reportPath), exitCode);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runToEnd(options: VitestOptions, reportPath: string): Promise<number | null> {
  const { root, filters, mark, runMsMax } = options;
  const args = [
    ...['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts'],
    ...['--root', '.', '--reporter=default', '--reporter=json', `--outputFile.json=${reportPath}`],
    ...filters,
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, [mark.name]: mark.value },
    });
    const end = (): void => void child.kill('SIGTERM');
    const timer = setTimeout(end, runMsMax);
    process.once('SIGTERM', end).once('SIGINT', end);
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(timer);
      process.off('SIGTERM', end).off('SIGINT', end);
      resolve(code);
    });
  });
}

function readReport(path: string): VitestReport | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as VitestReport;
  } catch {
    return undefined; // Vitest did not come as far as to report: the caller counts a failure.
  }
}
