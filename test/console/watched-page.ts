import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** A page of a browser of its own, and what went wrong in it. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors of scripts, refusals of the policy, and calls to other machines. */
  readonly problems: string[];
  close(): Promise<void>;
}

/** Where one device is drawn. */
export interface DrawnDevice {
  readonly id: string;
  readonly longitude: number;
  readonly latitude: number;
  /** What it is, such as fresh or stopped. */
  readonly state: string;
  /** In CSS pixels from the left and from the top of the map. */
  readonly left: number;
  readonly top: number;
}

/** One feature of a track as it is drawn. */
export interface DrawnFeature {
  readonly layer: string;
  readonly properties: Readonly<Record<string, string | number | undefined>>;
  readonly geometry: { readonly coordinates: unknown };
}

/** Other tests may have the machine meanwhile. */
const WAIT_MS_MAX = 100_000;

/** An answer that says no is an error in the console of a browser; tests ask for some of them. */
const REFUSED_CALL = /^Failed to load resource: the server responded with a status of 4/;

/** Opens a page without cookies that is watched from its first request on. */
export async function openPage(
  browser: Browser, url: string, options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 }, ...options });
  const page = await context.newPage();
  const problems: string[] = [];
  const own = new URL(url).origin;
  page.on('pageerror', (error) => { problems.push(`error: ${error.message}`); });
  page.on('console', (message) => {
    const text = message.text();
    if (['error', 'warning'].includes(message.type()) && !REFUSED_CALL.test(text)
      && !isOfDriver(text)) problems.push(`${message.type()}: ${text}`);
  });
  page.on('request', (request) => {
    const address = request.url();
    if (!address.startsWith(`${own}/`) && !/^(data|blob):/.test(address)) {
      problems.push(`external: ${address}`);
    }
  });
  page.setDefaultTimeout(WAIT_MS_MAX);
  await page.goto(url, { waitUntil: 'commit' });
  return { page, problems, close: () => context.close() };
}

/** Software that draws instead of a graphics card says that it is slow. */
function isOfDriver(text: string): boolean {
  return text.includes('GL Driver Message');
}

/** What the map of a page draws now; nothing before there is a map. */
export function drawnOn(page: Page): Promise<readonly DrawnDevice[]> {
  return page.evaluate(() => {
    const { rastroDrawn } = globalThis as { rastroDrawn?: () => readonly DrawnDevice[] };
    return rastroDrawn?.() ?? [];
  });
}

/** What the map draws of a track now; nothing before there is one. */
export function trackOn(page: Page): Promise<readonly DrawnFeature[]> {
  return page.evaluate(() => {
    const { rastroTrack } = globalThis as { rastroTrack?: () => readonly DrawnFeature[] };
    return rastroTrack?.() ?? [];
  });
}
