import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One run of Schemathesis: which operations, where, as whom, and how many cases. */
export interface FuzzRun {
  readonly document: string;
  readonly url: string;
  /** Words that choose operations, such as `--exclude-operation-id x`. */
  readonly operations: readonly string[];
  readonly seed: number;
  readonly examplesMax: number;
  /** Folder that requirements.txt was installed into. */
  readonly packages: string;
  /** Where the run leaves its report. */
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The result of a run. */
export interface FuzzResult {
  readonly operations: number;
  readonly cases: number;
  readonly failures: number;
  readonly errors: number;
}

/** The part of Schemathesis' JSON report that is counted. */
interface JsonReport {
  readonly operations: { readonly tested: number };
  readonly test_cases: { readonly generated: number; readonly unique_failures: number };
  readonly errors: readonly unknown[];
  readonly exit_code: number;
}

const RUN_MS_MAX = 900_000;

/** Runs all phases of Schemathesis, whose words go to our own output, and counts its report. */
export async function fuzz(run: FuzzRun, signal: AbortSignal): Promise<FuzzResult> {
  const report = join(run.dir, 'schemathesis.json');
  await toEnd(run, [
    '-m', 'schemathesis.cli', '--config-file', join(import.meta.dirname, 'schemathesis.toml'),
    'run', run.document, '--url', run.url, ...run.operations,
    '--phases', 'examples,coverage,fuzzing,stateful',
    '--max-examples', String(run.examplesMax), '--seed', String(run.seed),
    '--continue-on-failure', '--no-color', '--report', 'json', '--report-json-path', report,
  ], signal);
  return resultOf(JSON.parse(readFileSync(report, 'utf8')) as JsonReport);
}

/** Counts a report; one that ended badly without naming a failure has an error. */
export function resultOf({ operations, test_cases, errors, exit_code }: JsonReport): FuzzResult {
  const failures = test_cases.unique_failures;
  const silent = exit_code !== 0 && failures === 0 && errors.length === 0 ? 1 : 0;
  return {
    operations: operations.tested, cases: test_cases.generated, failures,
    errors: errors.length + silent,
  };
}

function toEnd({ packages, dir, env }: FuzzRun, args: readonly string[], signal: AbortSignal):
Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('python3', args, {
      cwd: dir,
      stdio: ['ignore', 'inherit', 'inherit'],
      signal: AbortSignal.any([signal, AbortSignal.timeout(RUN_MS_MAX)]),
      env: {
        PATH: process.env['PATH'] ?? '', HOME: dir, LANG: 'C.UTF-8', ...env,
        PYTHONPATH: `${packages}:${import.meta.dirname}`, PYTHONNOUSERSITE: '1',
        PYTHONDONTWRITEBYTECODE: '1', SCHEMATHESIS_HOOKS: 'hooks',
      },
    });
    child.once('error', reject);
    child.once('close', () => { resolve(); });
  });
}
