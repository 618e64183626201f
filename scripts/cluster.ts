/**
 * `npm run cluster`: a Kubernetes control plane in namespaces of its own, which takes our overlays,
 * and a node that runs the product (test/cluster/README.md). Each part of `rehearse` ends with
 * `N passed, N failed`.
 */
import { join, resolve } from 'node:path';
import type { Cache } from '../infra/local/cache.ts';
import { example } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { applyOverlay, type Overlay } from '../test/cluster/overlays.ts';
import { requireKubernetes } from '../test/cluster/programs/kubernetes.ts';
import { rehearseCluster } from '../test/cluster/run-cluster.ts';
import { rehearseProduct } from '../test/cluster/run-product.ts';
import { layDown, standing, standUp } from '../test/cluster/standing.ts';
import { requireCluster } from '../test/cluster/tools.ts';
import { actsFrom, overlayFrom, subjectFrom, type RehearsalSubject } from '../test/cluster/words.ts';
import { firstSignal } from './suite/signals.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..');
const STANDING_FILE = join(ROOT_DIR, '.rastro', 'cluster.json');
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
  example(command.command('up').description('A control plane with every definition, which stays.')
    .action(does(up)), 'npm run cluster -- up', CODES);
  example(command.command('apply').description('Applies an overlay to the one that is up.')
    .argument('<overlay>', 'dev or prod', overlayFrom)
    .action(does((_ports, overlay: Overlay) => apply(overlay))), 'npm run cluster -- apply prod', CODES);
  example(command.command('kubectl').description('kubectl as its administrator.')
    .argument('<words...>', 'what kubectl is asked; after --').action(does(async (_ports, words: string[]) => {
      const kubernetes = await requireKubernetes(cache);
      print((await standing(STANDING_FILE, { kubernetes }).plane.kubectl(words)).trimEnd());
      return 0;
    })), 'npm run cluster -- kubectl -- get jobs --all-namespaces', CODES);
  example(command.command('down').description('Ends it.').action(does(async () => {
    const left = await layDown(STANDING_FILE);
    left.forEach((process) => { print(`left the process ${process}`); });
    return left.length === 0 ? 0 : 1;
  })), 'npm run cluster -- down', CODES);
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

async function up(): Promise<number> {
  const { folder } = await standUp(STANDING_FILE, await requireCluster(cache, print));
  print(`up; its logs are in ${folder}`);
  return 0;
}

async function apply(overlay: Overlay): Promise<number> {
  const tools = await requireCluster(cache, print);
  const { plane, folder } = standing(STANDING_FILE, tools);
  const { taken, complaints } = await applyOverlay(plane, overlay, {
    root: ROOT_DIR, kustomize: tools.kustomize, work: join(folder, 'rendered'),
  });
  complaints.forEach(print);
  print(`${taken} resources of ${overlay} taken`);
  return complaints.length === 0 && taken > 0 ? 0 : 1;
}
