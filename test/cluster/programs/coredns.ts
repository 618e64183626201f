import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce, type Cache } from '../../../infra/local/cache.ts';
import { run, runs } from '../../../infra/local/command.ts';

const VERSION = 'v1.12.4';
const SOURCE = join(import.meta.dirname, 'names', 'main.go');
const BUILD_MS_MAX = 7_200_000;
const MODULE = `module rastro.test/names

go 1.24.0

require github.com/coredns/coredns ${VERSION}
`;

/** CoreDNS with five plugins, compiled once from its Go module. */
export async function requireCoreDns(cache: Cache): Promise<string> {
  const hash = createHash('sha256').update(readFileSync(SOURCE)).digest('hex').slice(0, 8);
  const folder = await buildOnce(cache, `coredns-${VERSION}-${hash}`, 'coredns', async (draft) => {
    if (!await runs('go', ['version'])) throw new Error('CoreDNS is compiled: install Go 1.24 or later.');
    const source = join(draft, 'source');
    mkdirSync(join(source, 'cmd'), { recursive: true });
    copyFileSync(SOURCE, join(source, 'cmd', 'main.go'));
    writeFileSync(join(source, 'go.mod'), MODULE);
    await go(source, ['mod', 'tidy']);
    await go(source, ['build', '-ldflags', '-s -w', '-o', join(draft, 'coredns'), './cmd']);
  });
  return join(folder, 'coredns');
}

async function go(cwd: string, args: readonly string[]): Promise<void> {
  await run('nice', ['-n', '19', 'go', ...args], {
    cwd, deadlineMs: BUILD_MS_MAX,
    env: { GOFLAGS: '-buildvcs=false -trimpath', GOTOOLCHAIN: 'local', CGO_ENABLED: '0' },
  });
}
