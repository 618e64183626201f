import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { pythonPackages } from '../../infra/local/python-packages.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..', '..');
/** The packages that the pages for analysts name. */
const PYTHON = join(ROOT_DIR, 'docs', 'analysts', 'python', 'requirements.txt');
const RUN_MS_MAX = 240_000;
/** Longest time to bring the packages once, some 800 MB, and to run what needs them. */
export const PYTHON_MS_MAX = 900_000;

/** Runs Python with the analysts' packages; what it prints, or an error with its last lines. */
export async function runPython(
  args: readonly string[], env: NodeJS.ProcessEnv = {}, requirements = PYTHON,
): Promise<string> {
  const cacheDir = process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache');
  const packages = await pythonPackages(
    { dir: cacheDir, log: () => undefined, waitMsMax: PYTHON_MS_MAX }, 'analysts', requirements,
  );
  try {
    const { stdout } = await promisify(execFile)('python3', [...args], {
      cwd: ROOT_DIR, timeout: RUN_MS_MAX, maxBuffer: 10_000_000,
      env: { ...process.env, ...env, PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: '1' },
    });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as Record<string, string>;
    throw new Error(`python3 failed: ${`${stdout}${stderr}`.slice(-2_500)}`, { cause: error });
  }
}
