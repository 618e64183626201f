import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { installWithApt } from '../../infra/local/tools.ts';

/** Where Debian's package puts it. */
const DEBIAN = '/usr/bin/chromium';
/** Draws without a graphics card, and as root in a container. */
const WORDS = [
  '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
  '--disable-dev-shm-usage',
];
const WAIT_MS_MAX = 300_000;

/**
 * The browser of the tests: that of RASTRO_CHROMIUM, else Debian's, which is installed where it is
 * missing and this user may. Throws one sentence when there is none.
 */
export async function bringBrowser(): Promise<string> {
  const path = process.env['RASTRO_CHROMIUM'] ?? DEBIAN;
  if (existsSync(path)) return path;
  const dir = process.env['RASTRO_CACHE_DIR'] ?? join('.rastro', 'cache');
  const cache = { dir, log: () => undefined, waitMsMax: WAIT_MS_MAX };
  if (path === DEBIAN && await installWithApt(cache, ['chromium']) && existsSync(path)) return path;
  throw new Error('The tests of the console need Debian\'s package chromium, or another Chromium that'
    + ' RASTRO_CHROMIUM names.');
}

/** Starts the browser; the test closes it. */
export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await bringBrowser(), args: WORDS });
}
