import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, runs } from '../../../infra/local/command.ts';
import { lockWhenFree } from '../../../infra/local/lock.ts';

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
const INSTALL_MS_MAX = 600_000;

/**
 * The folder with Schemathesis and what it needs, in the exact versions of requirements.txt. It is
 * filled once per cache by pip, outside of every environment of this machine; throws one sentence
 * when Python or pip is missing.
 */
export async function requireSchemathesis(
  cacheDir: string, report: (line: string) => void,
): Promise<string> {
  const requirements = readFileSync(REQUIREMENTS);
  const name = createHash('sha256').update(requirements).digest('hex').slice(0, 12);
  const folder = join(cacheDir, `schemathesis-${name}`);
  const done = join(folder, '.complete');
  if (existsSync(done)) return folder;
  if (!await runs('python3', ['-m', 'pip', '--version'])) {
    throw new Error('Fuzzing needs python3 (3.10 or later) with pip: install both.');
  }
  mkdirSync(cacheDir, { recursive: true });
  const release = await lockWhenFree(`${folder}.lock`, INSTALL_MS_MAX);
  try {
    if (existsSync(done)) return folder;
    report('installing schemathesis with pip (once)');
    rmSync(folder, { recursive: true, force: true });
    await run('python3', [
      '-m', 'pip', 'install', '--quiet', '--no-input', '--no-deps', '--only-binary', ':all:',
      '--disable-pip-version-check', '--root-user-action', 'ignore',
      '--target', folder, '-r', REQUIREMENTS,
    ], { deadlineMs: INSTALL_MS_MAX });
    writeFileSync(done, '');
    return folder;
  } finally {
    release();
  }
}
