/** `npm run docs:test`: runs every fenced block of the pages, and names those that cannot run. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { example } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { readBlocks } from '../test/support/pages/read-blocks.ts';
import { clearLeftovers } from './suite/leftovers.ts';
import { runVitest } from './suite/run-vitest.ts';

const RUN_MS_MAX = 30 * 60_000;
const LEFTOVER_GRACE_MS_MAX = 10_000;
const TESTS = ['test/contract/docs', 'test/e2e/pages'];

await runScript((command, does) => {
  example(command.name('npm run docs:test --')
    .description('Runs the fenced blocks of README, tutorials, how-to pages and others in the order of'
      + ' each page, in one shell, on a stack of its own, and compares what they print. Then it names the'
      + ' blocks of all pages that do not run, with their reasons; a block without one is a failure.')
    .action(does(() => main())),
  'npm run docs:test', 'Exit codes: 0 all as shown, 1 one is not, 2 wrong use.');
});

async function main(): Promise<number> {
  const mark = { name: 'RASTRO_TEST_RUN', value: randomUUID() };
  const tests = await runVitest({
    root: process.cwd(), filters: TESTS, mark, runMsMax: RUN_MS_MAX,
  });
  const left = await clearLeftovers(`${mark.name}=${mark.value}`, LEFTOVER_GRACE_MS_MAX);
  const pages = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).trim().split('\n');
  const blocks = pages.flatMap(readBlocks);
  const excused = blocks.flatMap(({ page, line, notRun }) => (
    notRun === undefined ? [] : [`not run  ${page}:${line}  ${notRun}`]
  ));
  for (const each of excused) console.log(each);
  console.log(`${blocks.length - excused.length} blocks run, ${excused.length} do not and say why;`
    + ` ${tests.passed} passed, ${tests.failed + left.length} failed`);
  return tests.passed > 0 && tests.failed + left.length === 0 ? 0 : 1;
}
