/** `npm run docs`: the documentation as a site, which a gateway serves below `/docs`. */
import { join, resolve } from 'node:path';
import { example } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { buildSite } from './docs/build-site.ts';

interface Words {
  readonly out: string;
  readonly force: boolean;
}

const ROOT_DIR = resolve(import.meta.dirname, '..');

await runScript((command, does) => {
  example(command.name('npm run docs --')
    .description('Makes the documentation a site: every page, and every file that one links to.'
      + ' A link that leads nowhere ends it. What is up to date is left as it is.')
    .option('--out <dir>', 'where sites are kept', join(ROOT_DIR, '.rastro', 'site'))
    .option('--force', 'makes it again', false)
    .action(does(async (_ports, { out, force }: Words) => {
      const beganMs = performance.now();
      const { isNew, files, undrawn } = await buildSite({
        root: ROOT_DIR, out: resolve(out), isForced: force,
      });
      const seconds = ((performance.now() - beganMs) / 1_000).toFixed(1);
      for (const line of undrawn) process.stdout.write(`shown as text: ${line}\n`);
      process.stdout.write(`${files} files ${isNew ? `made in ${seconds} s` : 'are up to date'}: ${out}\n`);
      return 0;
    })),
  'npm run docs -- --out /tmp/site', 'Exit codes: 0 done, 1 a link leads nowhere, 2 wrong use.');
});
