import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clearLeftovers } from '../../../scripts/suite/leftovers.ts';
import { freeBlock } from '../../support/free-block.ts';
import {
  npmStart, ownEnvironment, START_MS_MAX, untilReady, type StartRun,
} from '../../support/npm-start.ts';
import { copyOfCheckout } from '../../support/pages/copy-of-checkout.ts';
import { readBlocks, startOptionsOf, TRIED_PAGES, type Block } from '../../support/pages/read-blocks.ts';
import { openReaderShell, type ReaderShell } from '../../support/pages/reader-shell.ts';
import { tryBlock } from '../../support/pages/try-block.ts';

const MARK = { name: 'RASTRO_TEST_PAGES', value: randomUUID() };
const END_MS_MAX = 20_000;
const BLOCK_MS_MAX = 300_000;
const PAGE_MS_MAX = 600_000;
/** What every tutorial asks the reader to start. */
const OPTIONS = ['--devices', '20'];

const checkout = copyOfCheckout();
let run: StartRun;
beforeAll(async () => {
  run = npmStart({
    dir: join(checkout.dir, '.rastro'), port: await freeBlock(), mark: { [MARK.name]: MARK.value },
  }, OPTIONS);
  await untilReady(run);
}, START_MS_MAX);

afterAll(async () => {
  run.child.kill('SIGINT');
  await run.ended;
  const left = await clearLeftovers(`${MARK.name}=${MARK.value}`, END_MS_MAX);
  checkout.remove();
  expect(left).toEqual([]);
}, START_MS_MAX);

let shell: ReaderShell;
beforeEach(() => {
  shell = openReaderShell({
    cwd: checkout.dir, env: { ...ownEnvironment(), [MARK.name]: MARK.value },
    blockMsMax: BLOCK_MS_MAX,
  });
});
afterEach(() => shell.close());

const runs = ({ notRun }: Block): boolean => notRun === undefined;

describe('a page', () => {
  it.each(TRIED_PAGES.filter((page) => readBlocks(page).some(runs)))('%s does what it shows, block by block in one shell', async (page) => {
    for (const block of readBlocks(page).filter(runs)) {
      const options = startOptionsOf(block);
      if (options === undefined) expect(await tryBlock(shell, block)).toBe('');
      else expect([page, options]).toEqual([page, OPTIONS]);
    }
  }, PAGE_MS_MAX);
});
