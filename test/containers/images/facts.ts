import { waitFor } from '../../../infra/local/wait.ts';
import type { Engine } from '../engine/engine.ts';
import type { ImageFacts, Part } from './judge.ts';

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

/** Parts that do not answer: a process that lives says so all the same. */
const SETTINGS = {
  KAFKA_BROKERS: '127.0.0.1:9', SCHEMA_REGISTRY_URL: 'http://127.0.0.1:9', REDIS_URL: 'redis://127.0.0.1:9',
  RASTRO_SECRET_PEPPER: 'p'.repeat(32), RASTRO_ADMIN_PORT: '9080',
  RASTRO_PERSONAL_KEY: `own:${Buffer.alloc(32).toString('base64')}`,
  RASTRO_IMAGE_KEY: Buffer.alloc(32).toString('base64'), RASTRO_IMAGE_DIR: '/tmp',
} as const;
const ASK = 'fetch("http://127.0.0.1:9080/healthz").then((r) => console.log(r.status), () => console.log(0))';
const CONFINED = [
  '--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges',
  '--network', 'none',
] as const;
const LIVES_MS_MAX = 60_000;
const ENDS_SECONDS_MAX = 30;

/** Finds out about an image what it is judged by; `base` is the image that it begins with. */
export async function imageFacts(
  docker: Engine['docker'], image: string, base: string,
): Promise<ImageFacts> {
  const { Config, Size } = await inspect(docker, image);
  const { Size: baseBytes } = await inspect(docker, base);
  const contents = JSON.parse(await docker([
    'run', '--rm', '--network', 'none', '--entrypoint', 'node', image, '-e', CONTENTS,
  ])) as { packages: readonly Part[]; listed: readonly Part[]; writable: readonly string[] };
  return {
    ...contents, user: Config.User, entrypoint: Config.Entrypoint, command: Config.Cmd,
    ownBytes: Size - baseBytes, refusal: await refusalOf(docker, image), ...await lifeOf(docker, image),
  };
}

async function inspect(docker: Engine['docker'], image: string): Promise<Inspected> {
  const [found] = JSON.parse(await docker(['image', 'inspect', image])) as readonly Inspected[];
  if (found === undefined) throw new Error(`There is no image ${image}.`);
  return found;
}

async function refusalOf(docker: Engine['docker'], image: string): Promise<ImageFacts['refusal']> {
  const container = (await docker(['create', ...CONFINED, image])).trim();
  try {
    await docker(['start', container]);
    const exitCode = Number(await docker(['wait', container]));
    const lines = (await docker(['logs', container])).split('\n').filter((line) => line !== '');
    return { exitCode, lines };
  } finally {
    await docker(['rm', '--force', container]);
  }
}

async function lifeOf(
  docker: Engine['docker'], image: string,
): Promise<Pick<ImageFacts, 'health' | 'endedWith'>> {
  const env = Object.entries(SETTINGS).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const container = (await docker(['run', '--detach', ...CONFINED, ...env, image])).trim();
  let health = 0;
  try {
    await waitFor(async () => {
      health = Number(await docker(['exec', container, 'node', '-e', ASK]).catch(() => '0'));
      return health === 200;
    }, { what: 'Its health', deadlineMs: LIVES_MS_MAX, everyMs: 500 }).catch(() => undefined);
    await docker(['stop', '--time', String(ENDS_SECONDS_MAX), container]);
    return { health, endedWith: Number(await docker(['wait', container])) };
  } finally {
    await docker(['rm', '--force', container]);
  }
}
