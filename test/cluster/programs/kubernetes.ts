import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce, type Cache } from '../../../infra/local/cache.ts';
import { run, runs } from '../../../infra/local/command.ts';
import { installWithApt } from '../../../infra/local/tools.ts';

// One minor version behind the schemas of `check:infra`, which a deployment may be too.
const KUBERNETES_VERSION = 'v1.34.4';

const MODULE = 'k8s.io/kubernetes';
const SOURCE = join(import.meta.dirname, 'main.go');
const BUILD_MS_MAX = 7_200_000;

/**
 * The program of all parts of Kubernetes, compiled once, which takes long, from its Go
 * module. `go install` refuses a module that replaces others, so a module of ours asks for it.
 */
export async function requireKubernetes(cache: Cache): Promise<string> {
  const hash = createHash('sha256').update(readFileSync(SOURCE)).digest('hex').slice(0, 8);
  const name = `kubernetes-${KUBERNETES_VERSION}-${hash}`;
  const folder = await buildOnce(cache, name, 'kubernetes-go', async (draft) => {
    if (!await runs('go', ['version'])) throw new Error('Kubernetes is compiled: install Go 1.24 or later.');
    const source = join(draft, 'source');
    mkdirSync(join(source, 'cmd'), { recursive: true });
    copyFileSync(SOURCE, join(source, 'cmd', 'main.go'));
    writeFileSync(join(source, 'go.mod'), moduleText(readFileSync(await moduleFile(draft), 'utf8')));
    await go(source, ['mod', 'tidy']);
    await go(source, ['build', '-ldflags', linkFlags(), '-o', join(draft, 'kubernetes'), './cmd']);
  });
  return join(folder, 'kubernetes');
}

/** etcd of Debian; installed when it is missing and this user may. */
export async function requireEtcd(cache: Cache): Promise<void> {
  if (await runs('etcd', ['--version'])) return;
  await installWithApt(cache, ['etcd-server']);
  if (!await runs('etcd', ['--version'])) throw new Error('Install etcd-server (a package of Debian).');
}

/**
 * The module that builds it: its version of Go, and for each library the release that Kubernetes
 * keeps as a folder beside itself.
 */
export function moduleText(goMod: string, version = KUBERNETES_VERSION): string {
  const head = [...goMod.matchAll(/^(?:go|godebug) .+$/gm)].map(([line]) => line);
  const library = version.replace(/^v1\./, 'v0.');
  const replaced = [...goMod.matchAll(/^\s*(k8s\.io\/[a-z-]+) => \.\/staging/gm)]
    .map(([, name = '']) => `\t${name} => ${name} ${library}`);
  return [
    'module rastro.test/kubernetes', '', ...head, `require ${MODULE} ${version}`,
    'replace (', ...replaced, ')', '',
  ].join('\n');
}

async function moduleFile(cwd: string): Promise<string> {
  const output = await run('go', ['mod', 'download', '-json', `${MODULE}@${KUBERNETES_VERSION}`], {
    cwd, deadlineMs: BUILD_MS_MAX, env: { GOFLAGS: '-mod=mod' },
  });
  const { GoMod } = JSON.parse(output.slice(output.indexOf('{'))) as { readonly GoMod: string };
  return GoMod;
}

async function go(cwd: string, args: readonly string[]): Promise<void> {
  await run('nice', ['-n', '19', 'go', ...args], {
    cwd, deadlineMs: BUILD_MS_MAX,
    env: { GOFLAGS: '-buildvcs=false -trimpath', GOTOOLCHAIN: 'local', CGO_ENABLED: '0' },
  });
}

function linkFlags(): string {
  const version = 'k8s.io/component-base/version';
  const [, major, minor] = /^v(\d+)\.(\d+)/.exec(KUBERNETES_VERSION) ?? [];
  return `-s -w -X ${version}.gitVersion=${KUBERNETES_VERSION} -X ${version}.gitMajor=${major ?? ''}`
    + ` -X ${version}.gitMinor=${minor ?? ''}`;
}
