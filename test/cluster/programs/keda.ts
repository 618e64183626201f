import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { KEDA, moduleFolder } from '../../../infra/check/tools.ts';
import { buildOnce, type Cache } from '../../../infra/local/cache.ts';
import { run, runs } from '../../../infra/local/command.ts';

/** KEDA, as it is installed. */
export interface Keda {
  readonly operator: string;
  readonly adapter: string;
  /** Its own manifests: the folder `config` of its module. */
  readonly manifests: string;
}

const BUILD_MS_MAX = 7_200_000;
const COPY_MS_MAX = 60_000;

/** Operator and metrics adapter of KEDA, compiled once, which takes long, from its Go module. */
export async function requireKeda(cache: Cache): Promise<Keda> {
  const folder = await buildOnce(cache, `keda-${KEDA.version}`, 'keda', async (draft) => {
    if (!await runs('go', ['version'])) throw new Error('KEDA is compiled: install Go 1.26 or later.');
    const module = await moduleFolder(KEDA);
    await run('nice', [
      '-n', '19', 'go', 'build', '-C', module, '-ldflags', '-s -w', '-o', `${draft}/`,
      './cmd/operator', './cmd/adapter',
    ], {
      deadlineMs: BUILD_MS_MAX,
      env: { GOFLAGS: '-buildvcs=false -trimpath -mod=readonly', GOTOOLCHAIN: 'local', CGO_ENABLED: '0' },
    });
    const manifests = join(draft, 'manifests');
    cpSync(join(module, 'config'), manifests, { recursive: true });
    // As Go keeps them, no one may write them.
    await run('chmod', ['-R', 'u+w', manifests], { deadlineMs: COPY_MS_MAX });
  });
  return {
    operator: join(folder, 'operator'), adapter: join(folder, 'adapter'),
    manifests: join(folder, 'manifests'),
  };
}
