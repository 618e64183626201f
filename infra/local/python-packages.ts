import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buildOnce, type Cache } from './cache.ts';
import { outputOf, run } from './command.ts';

const INSTALL_MS_MAX = 900_000;

/**
 * The folder of the Python packages that a file of requirements pins, for `PYTHONPATH`: installed
 * once into the cache by pip, as wheels alone. Where the file has hashes, pip checks each of them.
 * Python compiles what is imported, which is little of it.
 */
export async function pythonPackages(
  cache: Cache, name: string, requirements: string,
): Promise<string> {
  const version = await outputOf('python3', ['-c', 'import sys, pip; print(*sys.version_info[:2])'])
    .catch((error: unknown) => {
      throw new Error(`${name} needs python3 (3.11 or later) with pip.`, { cause: error });
    });
  const hash = createHash('sha256').update(readFileSync(requirements)).update(version).digest('hex');
  return buildOnce(cache, `${name}-${hash.slice(0, 12)}`, name, async (draft) => {
    await run('python3', [
      '-m', 'pip', 'install', '--quiet', '--no-input', '--no-deps', '--only-binary', ':all:',
      '--disable-pip-version-check', '--root-user-action', 'ignore', '--no-compile',
      '--target', draft, '-r', requirements,
    ], { deadlineMs: INSTALL_MS_MAX });
  });
}
