import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../infra/local/wait.ts';
import { openMapFile, type OpenMapFile } from '../../services/adapters/console/open-map-file.ts';
import { mapArchive } from '../support/map-archive.ts';
import { pngTile, vectorTile, type Colour } from '../support/map-tiles.ts';
import { seriousFaults } from './accessibility.ts';
import { coloursOf } from './colours.ts';
import { openPages } from './open-pages.ts';

const WAIT_MS_MAX = 100_000;
const ATTRIBUTION = '<a href="https://example.org/copyright">© Cartographers</a> '
  + '<img src="https://example.org/x" onerror="alert(1)"><script>alert(2)</script>'
  + '<a href="javascript:alert(3)">and others</a>';
/** Of the quarters of the world, by row and column. */
const QUARTERS: readonly (readonly [Colour, Colour])[] = [
  [[200, 40, 40], [40, 160, 40]], [[40, 40, 200], [200, 160, 40]],
];
const SEA = '207,221,232';
const LAND = { light: '246,244,238', dark: '31,44,55' };

const folder = mkdtempSync(join(tmpdir(), 'rastro-console-map-'));
const files: OpenMapFile[] = [];
afterAll(async () => {
  await Promise.all(files.map((file) => file.close()));
  rmSync(folder, { recursive: true });
});

const nothing = (): Promise<void> => Promise.resolve();

async function opened(name: string, archive: Buffer): Promise<OpenMapFile> {
  writeFileSync(join(folder, name), archive);
  const file = await openMapFile('RASTRO_CONSOLE_TILES_FILE', join(folder, name));
  files.push(file);
  return file;
}

/** From the middle of the map, which is at 0° and 20° north with 1,448 pixels for the world. */
async function isColoured(at: Page, right: number, down: number, colour: string): Promise<void> {
  await at.locator('.map canvas').waitFor();
  const { width, height } = (await at.locator('.map').boundingBox())!;
  const part = { left: width / 2 + right, top: height / 2 + down };
  await waitFor(async () => (await coloursOf(at, part)).join() === colour, {
    what: `${colour} at ${right}, ${down} of the middle`, deadlineMs: WAIT_MS_MAX,
  });
}

describe('a map of pictures', () => {
  const pages = openPages(nothing, () => opened('pictures', mapArchive({
    kind: 'png', attribution: ATTRIBUTION,
    tiles: [
      { at: [0, 0, 0], bytes: pngTile([0, 0, 0]) },
      ...QUARTERS.flatMap((row, y) => row.map((colour, x) => (
        { at: [1, x, y] as const, bytes: pngTile(colour) }))),
    ],
  })));

  it('is drawn from ranges of its file, each tile where it belongs', async () => {
    const at = await pages.signedIn();
    const ranges: (string | undefined)[] = [];
    const statuses = new Set<number>();
    at.on('request', (request) => {
      if (request.url().includes('/console/map/')) ranges.push(request.headers()['range']);
    });
    at.on('response', (response) => {
      if (response.url().includes('/console/map/')) statuses.add(response.status());
    });
    await at.reload();
    for (const [y, row] of QUARTERS.entries()) {
      for (const [x, colour] of row.entries()) {
        await isColoured(at, x === 0 ? -120 : 120, y === 0 ? -100 : 200, colour.join());
      }
    }
    expect(ranges.length).toBeGreaterThan(4);
    expect(ranges.every((range) => /^bytes=\d+-\d+$/.test(range ?? ''))).toBe(true);
    expect([...statuses]).toEqual([206]);
  });

  it('says who made it, in texts and links alone', async () => {
    const at = await pages.signedIn();
    const text = at.locator('.attribution');
    await text.waitFor();
    expect(await text.innerText()).toBe('© Cartographers and others');
    const link = text.getByRole('link');
    expect([await link.count(), await link.getAttribute('href')])
      .toEqual([1, 'https://example.org/copyright']);
    expect(await seriousFaults(at)).toEqual([]);
  });
});

describe('a map of shapes', () => {
  const pages = openPages(nothing, () => opened('shapes', mapArchive({
    kind: 'mvt', attribution: 'Cartographers',
    tiles: [{
      at: [0, 0, 0],
      bytes: vectorTile([
        { layer: 'earth', shape: 'area', properties: { kind: 'earth' } },
        { layer: 'places', shape: 'point', properties: { kind: 'locality', name: 'Nullville' } },
      ]),
    }],
  })));

  it('is drawn by the layers of Protomaps, with names, in the colours of the theme', async () => {
    const at = await pages.signedIn(['--operator'], { colorScheme: 'light' });
    await isColoured(at, -120, 0, LAND.light);
    const { width, height } = (await at.locator('.map').boundingBox())!;
    const name = { left: width / 2 - 20, top: height / 2 + 72, width: 40, height: 20 };
    await waitFor(async () => (await coloursOf(at, name)).length > 1, {
      what: 'The name of the locality', deadlineMs: WAIT_MS_MAX,
    });
    await at.getByLabel('Colours').selectOption('dark');
    await isColoured(at, -120, 0, LAND.dark);
    expect(await seriousFaults(at)).toEqual([]);
  });

  it('is on each map that is opened after it', async () => {
    const at = await pages.signedIn(['--operator'], { colorScheme: 'dark' });
    await isColoured(at, -120, 0, LAND.dark);
    await at.getByRole('link', { name: 'Find' }).click();
    await at.getByRole('searchbox', { name: 'Paste an id' }).waitFor();
    await at.getByRole('link', { name: 'Fleet' }).click();
    await isColoured(at, -120, 0, LAND.dark);
    await at.locator('.attribution').getByText('Cartographers').waitFor();
  });
});

describe('a map that cannot be read any more', () => {
  const pages = openPages(nothing, async () => ({
    bytes: 100, digest: 'gone', isSame: () => Promise.resolve(false),
    read: () => { throw new Error('it is not there'); },
  }));

  it('leaves the borders of the world, and says so', async () => {
    const at = await pages.signedIn(['--operator'], { colorScheme: 'light' });
    await at.getByText('The map of this deployment cannot be read').waitFor();
    await isColoured(at, -120, 0, SEA);
  });
});
