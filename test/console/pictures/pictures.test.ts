import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { waitFor } from '../../../infra/local/wait.ts';
import { openPages } from '../open-pages.ts';
import { differenceOf } from './alike.ts';
import { PICTURES, preparePictures, type Picture, type Pictured } from './pictures.ts';

const IMAGES_DIR = resolve(import.meta.dirname, '..', '..', '..', 'docs', 'images');
const VIEWPORT = { width: 1_200, height: 760 };
const DIFFERENCE_MAX = 0.03;
const ALIKE_MS_MAX = 60_000;
/** `npm run console:test -- --pictures` sets it: they are taken then, and nothing is compared. */
const isTaking = process.env['RASTRO_PICTURES'] === 'take';

let pictured: Pictured;
const pages = openPages(async (opened) => {
  pictured = await preparePictures(opened);
});

const pathOf = (name: string): string => join(IMAGES_DIR, `console-${name}.png`);

async function take({ open }: Picture, colorScheme: 'light' | 'dark' = 'light'): Promise<[Buffer, Page]> {
  const at = await pages.signedIn(['--operator'], { viewport: VIEWPORT, colorScheme });
  pictured.fillMinutes();
  await open(at, pictured);
  return [await at.screenshot({ animations: 'disabled' }), at];
}

describe.runIf(isTaking)('pictures of the console', () => {
  it.each(PICTURES)('$name is taken', async (each) => {
    const [picture] = await take(each);
    writeFileSync(pathOf(each.name), picture);
  });
});

describe.skipIf(isTaking)('the pictures in the documentation', () => {
  // If not: npm run console:test -- --pictures
  it.each(PICTURES)('show $name as it is', async (each) => {
    const [, at] = await take(each);
    // The coasts of a map are drawn when it has loaded them.
    await waitFor(async () => {
      pictured.fillMinutes();
      const shown = readFileSync(pathOf(each.name));
      return await differenceOf(at, await at.screenshot(), shown) < DIFFERENCE_MAX;
    }, { what: `The page ${each.name} as docs/images shows it`, deadlineMs: ALIKE_MS_MAX });
  });

  it('would not pass for another page or another theme', async () => {
    const [fleet, device] = PICTURES as readonly [Picture, Picture];
    const [dark, at] = await take(fleet, 'dark');
    const shown = readFileSync(pathOf(fleet.name));
    expect(await differenceOf(at, dark, shown)).toBeGreaterThan(DIFFERENCE_MAX);
    expect(await differenceOf(at, readFileSync(pathOf(device.name)), shown))
      .toBeGreaterThan(DIFFERENCE_MAX);
  });
});
