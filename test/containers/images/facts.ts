import type { Engine } from '../engine/engine.ts';
import type { ImageFacts } from './complaints.ts';

interface Inspected {
  readonly Size: number;
  readonly Config: {
    readonly User: string;
    readonly Entrypoint: readonly string[] | null;
    readonly Cmd: readonly string[] | null;
  };
}

const CONTENTS = `
const fs = require('node:fs');
const { join } = require('node:path');
const packages = [], writable = [];
function inspect(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) inspect(path);
    try { fs.accessSync(path, fs.constants.W_OK); writable.push(path); } catch {}
  }
}
function collect(folder) {
  for (const entry of fs.existsSync(folder) ? fs.readdirSync(folder) : []) {
    if (entry.startsWith('.')) continue;
    const path = join(folder, entry);
    if (entry.startsWith('@')) { collect(path); continue; }
    const { name, version } = JSON.parse(fs.readFileSync(join(path, 'package.json'), 'utf8'));
    packages.push({ name, version });
    collect(join(path, 'node_modules'));
  }
}
inspect('/app');
collect('/app/node_modules');
let listed = [];
try {
  listed = JSON.parse(fs.readFileSync('/app/sbom.cdx.json', 'utf8')).components
    .map(({ group, name, version }) => ({ name: group ? group + '/' + name : name, version }));
} catch {}
process.stdout.write(JSON.stringify({ packages, writable, listed }));
`;

/** Programs that say what they are for without any part of a platform. */
const PROGRAMS = ['services/cli/main.ts', 'scripts/topics.ts'] as const;
const CONFINED = [
  '--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges',
  '--network', 'none',
] as const;

/** Finds out about an image what it is checked by; `base` is the image that it begins with. */
export async function imageFacts(
  docker: Engine['docker'], image: string, base: string,
): Promise<ImageFacts> {
  const { Config, Size } = await inspect(docker, image);
  const { Size: baseBytes } = await inspect(docker, base);
  const contents = JSON.parse(await docker([
    'run', '--rm', '--network', 'none', '--entrypoint', 'node', image, '-e', CONTENTS,
  ])) as Pick<ImageFacts, 'packages' | 'listed' | 'writable'>;
  return {
    ...contents, user: Config.User, entrypoint: Config.Entrypoint, command: Config.Cmd,
    ownBytes: Size - baseBytes, refusal: await endOf(docker, image, []),
    starts: await startsOf(docker, image),
  };
}

async function inspect(docker: Engine['docker'], image: string): Promise<Inspected> {
  const [found] = JSON.parse(await docker(['image', 'inspect', image])) as readonly Inspected[];
  if (found === undefined) throw new Error(`There is no image ${image}.`);
  return found;
}

/** Runs the image with a read-only root and no right of the kernel's, until it ends. */
async function endOf(
  docker: Engine['docker'], image: string, command: readonly string[],
): Promise<ImageFacts['refusal']> {
  const container = (await docker(['create', ...CONFINED, image, ...command])).trim();
  try {
    await docker(['start', container]);
    const exitCode = Number(await docker(['wait', container]));
    const lines = (await docker(['logs', container])).split('\n').filter((line) => line !== '');
    return { exitCode, lines };
  } finally {
    await docker(['rm', '--force', container]);
  }
}

async function startsOf(docker: Engine['docker'], image: string): Promise<ImageFacts['starts']> {
  const starts: ImageFacts['starts'][number][] = [];
  for (const program of PROGRAMS) {
    const { exitCode, lines } = await endOf(docker, image, [program, '--help']);
    starts.push({ program, exitCode, says: lines[0] ?? '' });
  }
  return starts;
}
