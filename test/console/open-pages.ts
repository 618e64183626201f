import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { MapFile } from '../../services/kernel/pages.ts';
import { openBrowser } from './browser.ts';
import { openMemoryPlatform, type MemoryPlatform } from './memory-platform.ts';
import { openPage, type WatchedPage } from './watched-page.ts';

const OPEN_MS_MAX = 240_000;

/** Pages of a browser, for the tests of one file. */
export interface OpenPages {
  /** Opens a page that is closed after its test, which fails where anything went wrong in it. */
  readonly open: (link: string, options?: BrowserContextOptions) => Promise<Page>;
  /** A page after it signed in, by a link with these words; an operator's where there are none. */
  readonly signedIn: (words?: readonly string[], options?: BrowserContextOptions) => Promise<Page>;
  /** What went wrong in the open pages so far; it is forgotten then. */
  readonly takeProblems: () => readonly string[];
}

/**
 * Opens a platform and a browser before the tests of a file; `prepare` fills the platform, and
 * `openMap` gives the map of its operator.
 */
export function openPages(
  prepare: (platform: MemoryPlatform) => Promise<void>,
  openMap: () => Promise<MapFile | undefined> = () => Promise.resolve(undefined),
): OpenPages {
  let platform: MemoryPlatform;
  let browser: Browser;
  const pages: WatchedPage[] = [];
  const takeProblems = (): readonly string[] => pages.flatMap(({ problems }) => problems.splice(0));

  beforeAll(async () => {
    [platform, browser] = await Promise.all([
      openMap().then(openMemoryPlatform), openBrowser(),
    ]);
    await prepare(platform);
  }, OPEN_MS_MAX);
  afterAll(async () => {
    await browser.close();
    await platform.close();
  });
  afterEach(async () => {
    const problems = takeProblems();
    await Promise.all(pages.splice(0).map((each) => each.close()));
    expect(problems).toEqual([]);
  });

  const open: OpenPages['open'] = async (link, options) => {
    const opened = await openPage(browser, link, options);
    pages.push(opened);
    return opened.page;
  };
  return {
    open,
    async signedIn(words = ['--operator'], options) {
      const at = await open(await platform.link(...words), options);
      // Until then the address has the link, which a test must not take away.
      await at.getByText('Signed in as').waitFor({ state: 'attached' });
      return at;
    },
    takeProblems,
  };
}
