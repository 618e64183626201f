/**
 * `npm run cluster`: a Kubernetes control plane in namespaces of its own, which takes our overlays,
 * and a node that runs the product (test/cluster/README.md). Each part of `rehearse` ends with
 * `N passed, N failed`.
 */
import { join, resolve } from 'node:path';
import type { Cache } from '../infra/local/cache.ts';
import { example } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { rehearseCluster } from '../test/cluster/run-cluster.ts';
import { rehearseProduct } from '../test/cluster/run-product.ts';
import { actsFrom, subjectFrom, type RehearsalSubject } from '../test/cluster/words.ts';
import { standingCommands } from './cluster/standing-commands.ts';
import { firstSignal } from './suite/signals.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..');
const BRING_MS_MAX = 7_200_000;
const CODES = 'Exit codes: 0 all went well, 1 something was refused or is left, 2 wrong use or an error.';
const print = (line: string): void => { process.stdout.write(`${line}\n`); };
const cache: Cache = {
  dir: process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache'),
  log: (_grade, line) => { print(line); }, waitMsMax: BRING_MS_MAX,
};
const leaving = firstSignal();
const PAGE = join(ROOT_DIR, 'docs', 'reference', 'cluster.md');

interface Words {
  readonly prove: boolean;
  readonly bring: boolean;
  readonly only: readonly string[];
  readonly page: boolean;
}

await runScript((command, does) => {
  command.name('npm run cluster --')
    .description('A real Kubernetes API server for our manifests. Needs root, Go, Maven and a Java from'
      + ' 21 on; the first time it compiles Kubernetes into the cache (RASTRO_CACHE_DIR).');
  example(command.command('rehearse')
    .description('Overlays: both on API servers of their own, twice each. Product: on a node of its'
      + ' own, with devices that drive, while Pods, parts and the API server go. Nothing is left.')
    .argument('[what]', 'overlays or product; both when absent', subjectFrom)
    .option('--bring', 'brings what it needs into the cache, and ends', false)
    .option('--prove', 'seeds an offence for each act: all must be noticed', false)
    .option('--only <acts>', 'acts of the product, with commas between', actsFrom, [])
    .option('--page', 'writes docs/reference/cluster.md when all of the product passed', false)
    .action(does((_ports, what: RehearsalSubject | undefined, words: Words) => (
      rehearse(what, words)
    ))),
  'npm run cluster -- rehearse product --only release', CODES);
  standingCommands(command, does, { root: ROOT_DIR, cache, codes: CODES, print });
}, { errorCode: 2 });

async function rehearse(
  what: RehearsalSubject | undefined, { prove, bring, only, page }: Words,
): Promise<number> {
  const { signal } = leaving;
  const run = { root: ROOT_DIR, cache, proves: prove, brings: bring, leaving: signal, print };
  const codes: number[] = [];
  if (what !== 'product') codes.push(await rehearseCluster(run));
  if (what !== 'overlays') {
    codes.push(await rehearseProduct({ ...run, only, page: page ? PAGE : undefined }));
  }
  return Math.max(...codes);
}
