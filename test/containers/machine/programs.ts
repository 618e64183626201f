import { join } from 'node:path';
import { buildOnce, type Cache } from '../../../infra/local/cache.ts';
import { run, runs } from '../../../infra/local/command.ts';
import { installWithApt } from '../../../infra/local/tools.ts';

/** What Debian has, and how each is asked whether it is there. */
const DEBIAN = {
  'docker.io': ['dockerd', '--version'],
  crun: ['crun', '--version'],
  iptables: ['iptables', '--version'],
  mmdebstrap: ['mmdebstrap', '--version'],
} as const satisfies Readonly<Record<string, readonly [string, string]>>;

const COMPOSE = { module: 'github.com/docker/compose/v2', version: 'v2.40.3' } as const;
const BUILD_MS_MAX = 3_600_000;

/** Makes sure that the engine and what makes a base image are there; throws one sentence if not. */
export async function requireEngine(cache: Cache): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error('Containers in namespaces of their own need root.');
  const lacking = await absent();
  if (lacking.length > 0) await installWithApt(cache, lacking);
  const left = await absent();
  if (left.length > 0) throw new Error(`Install ${left.join(', ')} (packages of Debian 12 or later).`);
}

async function absent(): Promise<readonly string[]> {
  const found = await Promise.all(Object.entries(DEBIAN).map(async ([name, [program, flag]]) => (
    await runs(program, [flag]) ? [] : [name]
  )));
  return found.flat();
}

/** Docker Compose as one program, compiled once, for minutes, from its Go module. */
export async function requireCompose(cache: Cache): Promise<string> {
  const { module, version } = COMPOSE;
  const folder = await buildOnce(cache, `docker-compose-${version}`, 'docker-compose', async (draft) => {
    if (!await runs('go', ['version'])) throw new Error('Docker Compose is compiled: install Go.');
    const output = await run('go', ['mod', 'download', '-json', `${module}@${version}`], {
      deadlineMs: BUILD_MS_MAX, env: { GOFLAGS: '-mod=mod' },
    });
    const { Dir } = JSON.parse(output.slice(output.indexOf('{'))) as { readonly Dir: string };
    await run('nice', [
      '-n', '19', 'go', 'build', '-C', Dir, '-ldflags', `-s -w -X ${module}/internal.Version=${version}`,
      '-o', join(draft, 'docker-compose'), './cmd',
    ], {
      deadlineMs: BUILD_MS_MAX,
      env: { GOFLAGS: '-buildvcs=false -trimpath -mod=readonly', GOTOOLCHAIN: 'local', CGO_ENABLED: '0' },
    });
  });
  return join(folder, 'docker-compose');
}
