import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBlocks, startOptionsOf, TRIED_PAGES } from '../../support/pages/read-blocks.ts';

const README_LINES_MAX = 100;
const TUTORIAL_WORDS_MAX = 700;
const USERS = ['analyst', 'carrier', 'operator', 'platform', 'provider'];
/** Blocks of all pages that a reader runs: none may get lost when the reader of pages changes. */
const BLOCKS_MIN = 60;
const tutorials = readdirSync('docs/tutorials').toSorted();
const blocks = TRIED_PAGES.flatMap(readBlocks);

/** All pages to which links lead from one page, and from those on. */
function ledTo(from: string): ReadonlySet<string> {
  const found = new Set([from]);
  for (const page of found) {
    const text = readFileSync(page, 'utf8').replaceAll(/^```[^]*?^```/gm, '');
    for (const [, link = ''] of text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)) {
      const path = posix.join(posix.dirname(page), link);
      if (path.endsWith('.md') && !/^[a-z]+:/.test(link)) found.add(path);
    }
  }
  return found;
}

describe('the front page', () => {
  it('is short', () => {
    expect(readFileSync('README.md', 'utf8').split('\n').length - 1).toBeLessThanOrEqual(README_LINES_MAX);
  });

  it('leads to every page below docs', () => {
    const led = ledTo('README.md');
    const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
    expect(pages.filter((page) => !led.has(page))).toEqual([]);
  });

  it('leads to the tutorial of each user', () => {
    expect(tutorials).toEqual(USERS.map((user) => `${user}.md`));
    const text = readFileSync('README.md', 'utf8');
    for (const name of tutorials) expect(text).toContain(`(docs/tutorials/${name})`);
  });
});

describe('a tutorial', () => {
  it.each(tutorials)('%s is short, says what it needs and how it ends, starts the product and shows what it prints', (name) => {
    const page = `docs/tutorials/${name}`;
    expect(readFileSync(page, 'utf8').split(/\s+/).length).toBeLessThanOrEqual(TUTORIAL_WORDS_MAX);
    const [head = ''] = readFileSync(page, 'utf8').replaceAll(/\s+/g, ' ').split(' ## ');
    expect(head).toContain('You need [what the front page says](../../README.md#try-it)');
    expect(head).toContain('Ctrl-C');
    const own = readBlocks(page);
    expect(own.filter((block) => startOptionsOf(block) !== undefined)).toHaveLength(1);
    expect(own.filter(({ shown }) => shown !== undefined).length).toBeGreaterThanOrEqual(5);
    expect(own.filter(({ notRun }) => notRun !== undefined)).toEqual([]);
  });
});

describe('the blocks of pages', () => {
  it('are read', () => {
    expect(blocks.length).toBeGreaterThanOrEqual(BLOCKS_MIN);
    expect(blocks.filter(({ text }) => text.trim() === '')).toEqual([]);
  });

  it('have a reason that says something, where they do not run', () => {
    const reasons = blocks.flatMap(({ notRun }) => (notRun === undefined ? [] : [notRun]));
    expect(reasons.filter((reason) => reason.length < 15)).toEqual([]);
  });

  it('run, or say why they do not, on every page of the repository', () => {
    const pages = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).trim().split('\n');
    expect(pages.length).toBeGreaterThan(100);
    const silent = pages.filter((page) => !TRIED_PAGES.includes(page)).flatMap(readBlocks)
      .filter(({ notRun = '' }) => notRun.length < 15);
    expect(silent.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
  });

  it('are fenced with their language', () => {
    const bare = TRIED_PAGES.filter((page) => (
      readFileSync(page, 'utf8').split('\n').filter((line) => /^\s*```/.test(line))
        .some((line, at) => at % 2 === 0 && line.trim() === '```')
    ));
    expect(bare).toEqual([]);
  });
});
