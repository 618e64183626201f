/**
 * `npm run stops`: what the views of stops and trips show of drives whose truth is known, beside
 * MovingPandas (test/stops/README.md).
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { example } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { stopsPage } from '../test/stops/page.ts';
import { runStops } from '../test/stops/run-stops.ts';
import { commitOf } from './suite/commit.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..');
const PAGE = join(ROOT_DIR, 'docs', 'reference', 'performance', 'stops.md');
const print = (line: string): void => { process.stdout.write(`${line}\n`); };

await runScript((command, does) => {
  example(command.name('npm run stops --')
    .description('Compares stops, trips and distances with drives whose truth is known.')
    .option('--page', 'writes docs/reference/performance/stops.md', false)
    .action(does((_ports, { page }: { readonly page: boolean }) => run(page))),
  'npm run stops',
  'Exit codes: 0 when it ran, 2 wrong use or an error.');
}, { errorCode: 2 });

async function run(writesPage: boolean): Promise<number> {
  const cacheDir = process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache');
  const result = await runStops({ dir: cacheDir, log: () => undefined, waitMsMax: 900_000 });
  const text = stopsPage(result, commitOf());
  if (writesPage) writeFileSync(PAGE, text);
  print(text);
  return 0;
}
