/**
 * `npm run containers`: the image built, inspected, run by the compose file, examined, upgraded and
 * ended, on a container engine of its own (test/containers/README.md). The last line is
 * `N passed, N failed`.
 */
import { join, resolve } from 'node:path';
import { example } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { actsFrom } from '../test/containers/words.ts';
import { runContainers } from '../test/containers/run-containers.ts';
import { firstSignal } from './suite/signals.ts';

interface Words {
  readonly prove: boolean;
  readonly bring: boolean;
  readonly only: readonly string[];
  readonly page?: boolean;
}

const ROOT_DIR = resolve(import.meta.dirname, '..');
const PAGE = join(ROOT_DIR, 'docs', 'reference', 'containers.md');
const leaving = firstSignal();

await runScript((command, does) => {
  example(command.name('npm run containers --')
    .description('Builds and runs the platform in real containers, in namespaces that it makes. Needs'
      + ' root, Go and Debian\'s apt-get; everything else is brought into the cache (RASTRO_CACHE_DIR)'
      + ' the first time. No registry of images is asked.')
    .option('--bring', 'brings what it needs into the cache, images too, and ends', false)
    .option('--only <acts>', 'acts with commas between; image and down are always played', actsFrom, [])
    .option('--prove', 'seeds an offence for each act: all must be noticed', false)
    .option('--page', 'writes docs/reference/containers.md when all acts passed', false)
    .action(does((_ports, { prove, bring, only, page }: Words) => runContainers({
      root: ROOT_DIR, cacheDir: process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache'),
      only, brings: bring, proves: prove,
      page: page === true && only.length === 0 ? PAGE : undefined, leaving: leaving.signal,
      print: (line) => { process.stdout.write(`${line}\n`); },
    }))),
  'npm run containers -- --prove', 'Exit codes: 0 all passed, 1 one failed, 2 wrong use or an error.');
}, { errorCode: 2 });
