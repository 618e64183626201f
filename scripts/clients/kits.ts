import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { run } from '../../infra/local/command.ts';
import { pythonPackages } from '../../infra/local/python-packages.ts';
import type { Client } from './clients.ts';
import { cacheOf, type KitTools } from './tools.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..', '..');
const KITS_DIR = join(ROOT_DIR, 'services', 'clients');
const COMPILER = join(ROOT_DIR, 'node_modules', 'typescript', 'bin', 'tsc');
const STEP_MS_MAX = 600_000;

/** Brings what the kits are built and checked with: pip packages. */
export async function requireKitTools(
  stories: string, cacheDir: string, print: (line: string) => void,
): Promise<KitTools> {
  const requirements = join(stories, 'kit-python', 'requirements.txt');
  return { python: await pythonPackages(cacheOf(cacheDir, print), 'kits', requirements) };
}

const typescriptKit: Client<KitTools> = {
  name: 'kit-typescript', generator: 'client kit, TypeScript',
  async generate({ dir, stories }) {
    cpSync(join(stories, 'kit-typescript'), dir, { recursive: true });
    const source = join(KITS_DIR, 'typescript');
    const draft = join(dir, 'package');
    mkdirSync(draft);
    for (const file of ['package.json', 'README.md']) cpSync(join(source, file), join(draft, file));
    await step(process.execPath, [COMPILER, '-p', source, '--outDir', join(draft, 'dist')], dir);
    await step('npm', ['pack', '--silent', '--pack-destination', dir], draft);
    rmSync(draft, { recursive: true });
    await step('npm', [
      'install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save', archive(dir, '.tgz'),
    ], dir);
  },
  compile: ({ dir }) => step(process.execPath, [
    COMPILER, '-p', '.', '--typeRoots', join(ROOT_DIR, 'node_modules', '@types'),
  ], dir),
  use: ({ dir }, env) => step(process.execPath, ['story.ts'], dir, env),
};

const pythonKit: Client<KitTools> = {
  name: 'kit-python', generator: 'client kit, Python',
  async generate({ dir, stories, tools }) {
    cpSync(join(stories, 'kit-python'), dir, { recursive: true });
    const draft = join(dir, 'package');
    cpSync(join(KITS_DIR, 'python'), draft, { recursive: true });
    await pip(dir, tools, ['wheel', '--no-build-isolation', '--wheel-dir', dir, draft]);
    rmSync(draft, { recursive: true });
    await pip(dir, tools, ['install', '--target', join(dir, 'installed'), archive(dir, '.whl')]);
  },
  compile: ({ dir, tools }) => step(
    'python3', ['-m', 'mypy'], dir, pythonPath(join(dir, 'installed'), tools.python),
  ),
  use: ({ dir }, env) => step(
    'python3', ['story.py'], dir, { ...pythonPath(join(dir, 'installed')), ...env },
  ),
};

/** The kits of `services/clients`: built, packed, and installed into an empty folder. */
export const KITS: readonly Client<KitTools>[] = [typescriptKit, pythonKit];

function pip(dir: string, { python }: KitTools, args: readonly string[]): Promise<string> {
  return step('python3', [
    '-m', 'pip', ...args, '--no-deps', '--no-index', '--quiet', '--no-input',
    '--disable-pip-version-check',
  ], dir, { ...pythonPath(python), PIP_ROOT_USER_ACTION: 'ignore' });
}

function pythonPath(...folders: readonly string[]): Readonly<Record<string, string>> {
  return { PYTHONPATH: folders.join(delimiter), PYTHONDONTWRITEBYTECODE: '1' };
}

function archive(dir: string, ending: string): string {
  const [file, ...others] = readdirSync(dir).filter((name) => name.endsWith(ending));
  if (file === undefined || others.length > 0) throw new Error(`${dir} has not one ${ending}.`);
  return join(dir, file);
}

function step(
  program: string, args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {},
): Promise<string> {
  return run(program, args, { cwd, deadlineMs: STEP_MS_MAX, env });
}
