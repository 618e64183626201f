/** `npm run docs:test`: runs every fenced block of the pages, and names those that cannot run. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { example } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { allBlocks } from './docs-test/all-blocks.ts';
import { pageOfBlocks } from './docs-test/page.ts';
import { commitOf } from './suite/commit.ts';
import { clearLeftovers } from './suite/leftovers.ts';
import { runVitest } from './suite/run-vitest.ts';

const RUN_MS_MAX = 30 * 60_000;
const LEFTOVER_GRACE_MS_MAX = 10_000;
const TESTS = ['test/contract/docs', 'test/e2e/pages'];
const PAGE = 'docs/reference/blocks.md';

await runScript((command, does) => {
  example(command.name('npm run docs:test --')
    .description('Runs the fenced blocks of README, tutorials, how-to pages and others in the order of'
      + ' each page, in one shell, on a stack of its own, and compares what they print. Then it names the'
      + ' blocks of all pages that do not run, with their reasons; a block without one is a failure.')
    .option('--page', `writes ${PAGE} when all are as shown`, false)
    .action(does((_ports, { page }: { readonly page: boolean }) => main(page))),
  'npm run docs:test', 'Exit codes: 0 all as shown, 1 one is not, 2 wrong use.');
});

async function main(isPage: boolean): Promise<number> {
  const mark = { name: 'RASTRO_TEST_RUN', value: randomUUID() };
  const tests = await runVitest({
    root: process.cwd(), filters: TESTS, mark, runMsMax: RUN_MS_MAX,
  });
  const left = await clearLeftovers(`${mark.name}=${mark.value}`, LEFTOVER_GRACE_MS_MAX);
  const blocks = allBlocks();
  const excused = blocks.flatMap(({ page, line, notRun }) => (
    notRun === undefined ? [] : [`not run  ${page}:${line}  ${notRun}`]
  ));
  for (const each of excused) console.log(each);
  console.log(`${blocks.length - excused.length} blocks run, ${excused.length} do not and say why;`
    + ` ${tests.passed} passed, ${tests.failed + left.length} failed`);
  const isGood = tests.passed > 0 && tests.failed + left.length === 0;
  if (isPage && isGood) {
    writeFileSync(PAGE, pageOfBlocks(blocks, { commit: commitOf(), passed: tests.passed }));
  }
  return isGood ? 0 : 1;
}
