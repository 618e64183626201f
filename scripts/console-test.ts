/** `npm run console:test`: the pages of the console in a real browser, and pictures of them. */
import { randomUUID } from 'node:crypto';
import { example } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { bringBrowser } from '../test/console/browser.ts';
import { clearLeftovers } from './suite/leftovers.ts';
import { runVitest } from './suite/run-vitest.ts';

const RUN_MS_MAX = 15 * 60_000;
const LEFTOVER_GRACE_MS_MAX = 10_000;
const TESTS = ['test/console', 'test/unit/adapters-console', 'test/unit/gateways-console'];
const PICTURES = ['test/console/pictures'];

await runScript((command, does) => {
  example(command.name('npm run console:test --')
    .description('Runs the tests of the console, those in a browser too: Debian\'s Chromium, which root'
      + ' gets by apt-get, or the one that RASTRO_CHROMIUM names. The last line is N passed, N failed.')
    .option('--pictures', 'takes the pictures that the documentation shows instead')
    .action(does((_ports, { pictures }: { readonly pictures?: true }) => main(pictures === true))),
  'npm run console:test', 'Exit codes: 0 all passed, 1 one failed, 2 wrong use or no browser.');
}, { errorCode: 2 });

async function main(isTaking: boolean): Promise<number> {
  await bringBrowser();
  if (isTaking) process.env['RASTRO_PICTURES'] = 'take';
  const mark = { name: 'RASTRO_TEST_RUN', value: randomUUID() };
  const tests = await runVitest({
    root: process.cwd(), filters: isTaking ? PICTURES : TESTS, mark, runMsMax: RUN_MS_MAX,
  });
  const left = await clearLeftovers(`${mark.name}=${mark.value}`, LEFTOVER_GRACE_MS_MAX);
  const failed = tests.failed + left.length;
  console.log(`${tests.passed} passed, ${failed} failed`);
  return tests.passed > 0 && failed === 0 ? 0 : 1;
}
