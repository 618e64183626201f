import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { pythonPackages } from '../../infra/local/python-packages.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..', '..');
/** The packages that the pages for analysts name. */
const PYTHON = join(ROOT_DIR, 'docs', 'analysts', 'python', 'requirements.txt');
const RUN_MS_MAX = 240_000;

/** A file of requirements, and what its folder and its lock in the cache are called. */
export interface PythonPackages {
  readonly name: string;
  readonly requirements: string;
}

/** Longest time to bring the packages once, some 800 MB, and to run what needs them. */
export const PYTHON_MS_MAX = 900_000;

/** Runs Python with the analysts' packages; what it prints, or an error with its last lines. */
export function runPython(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  return runPythonWith({ name: 'analysts', requirements: PYTHON }, args, env);
}

/**
 * The same with packages of another file. The name is of its own, so that who brings few packages
 * does not wait for who brings many.
 */
export async function runPythonWith(
  { name, requirements }: PythonPackages, args: readonly string[], env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const cacheDir = process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache');
  const packages = await pythonPackages(
    { dir: cacheDir, log: () => undefined, waitMsMax: PYTHON_MS_MAX }, name, requirements,
  );
  try {
    const { stdout } = await promisify(execFile)('python3', [...args], {
      cwd: ROOT_DIR, timeout: RUN_MS_MAX, maxBuffer: 10_000_000,
      // What one process compiled of the packages, the next ones need not; nothing goes elsewhere.
      env: {
        ...process.env, ...env, PYTHONPATH: packages, PYTHONPYCACHEPREFIX: `${packages}-compiled`,
      },
    });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as Record<string, string>;
    throw new Error(`python3 failed: ${`${stdout}${stderr}`.slice(-2_500)}`, { cause: error });
  }
}
