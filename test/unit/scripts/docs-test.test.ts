import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allBlocks } from '../../../scripts/docs-test/all-blocks.ts';
import { pageOfBlocks, tablesOfBlocks } from '../../../scripts/docs-test/page.ts';
import { TRIED_PAGES, type Block } from '../../support/pages/read-blocks.ts';

describe('docs/reference/blocks.md', () => {
  it('lists the blocks and the excuses that the pages have today', () => {
    const page = readFileSync('docs/reference/blocks.md', 'utf8');
    const tables = tablesOfBlocks(allBlocks());
    const after = page.slice(page.indexOf('**'));
    expect(after, 'npm run docs:test -- --page writes it').toBe(tables);
  });

  it('counts no block as run whose page no test tries', () => {
    const ran = allBlocks().filter(({ notRun }) => notRun === undefined);
    expect([...new Set(ran.map(({ page }) => page))].filter((page) => !TRIED_PAGES.includes(page)))
      .toEqual([]);
  });

  it('has a row for each page, and one for each reason of it', () => {
    const block = (page: string, notRun?: string): Block => ({
      page, line: 1, language: 'sh', text: 'ls', repeats: false,
      ...(notRun === undefined ? {} : { notRun }),
    });
    const text = pageOfBlocks([
      block('README.md'), block('README.md', 'it | takes long'), block('docs/how-to/a.md', 'root'),
      block('docs/how-to/a.md', 'root'),
    ], { commit: 'abcd1234', passed: 7 });
    expect(text).toContain('at commit `abcd1234`: 7 tests passed, 0 failed.');
    expect(text).toContain('\n**1 blocks run, 3 do not.**\n');
    expect(text).toContain('\n| [README.md](../../README.md) | 2 | 1 | 1 |\n'
      + '| [docs/how-to/a.md](../how-to/a.md) | 2 | 0 | 2 |\n');
    expect(text).toContain('\n| [README.md](../../README.md) | 1 | it \\| takes long |\n'
      + '| [docs/how-to/a.md](../how-to/a.md) | 2 | root |\n');
  });
});
