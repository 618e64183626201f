import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openConsole } from '../../../services/adapters/console/open-console.ts';
import type { MapFile } from '../../../services/kernel/pages.ts';

const MAP: MapFile = {
  bytes: 1, digest: '0123456789abcdef', isSame: () => Promise.resolve(true),
  read: () => { throw new Error('not read here'); },
};
const without = openConsole();
const { files } = without;
const withMap = openConsole(MAP);
const textOf = async (address: string, of = files): Promise<string> => (
  Buffer.from(await of.get(address)!.read('identity')).toString('utf8'));
const named = (name: string): string => [...files.keys()].find((address) => address.endsWith(`/${name}`))!;
const WEIGHT_BYTES_MAX = 700_000;
const MAP_WEIGHT_BYTES_MAX = 40_000;
const weightOf = async (of: typeof files): Promise<number> => {
  const sizes = await Promise.all([...of.values()].map(async (file) => (await file.read('br')).byteLength));
  return sizes.reduce((sum, each) => sum + each, 0);
};

describe('the files of the console', () => {
  it.each([
    ['without a map', without], ['with a map', withMap],
  ])('are a page that names the rest, with its import map by digest, %s', async (_, { files, scriptDigest }) => {
    const page = await textOf('/console/', files);
    const map = /<script type="importmap">(.*?)<\/script>/s.exec(page)?.[1] ?? '';
    expect(createHash('sha256').update(map).digest('base64')).toBe(scriptDigest);
    expect(page).not.toContain('{{');
    const { imports } = JSON.parse(map) as { imports: Record<string, string> };
    const addresses = [...Object.values(imports), ...[...page.matchAll(/(?:src|href)="([^"]+)"/g)].map((found) => found[1] ?? '')];
    expect(addresses.length).toBeGreaterThan(5);
    for (const address of addresses) expect(files.has(address), address).toBe(true);
  });

  it('have every module that a module imports', async () => {
    const { files } = withMap;
    for (const [address] of files) {
      if (!/\.(ts|js)$/.test(address)) continue;
      for (const [, from = ''] of (await textOf(address, files)).matchAll(/^\s*(?:import|export)[^'"]*from\s+['"](\.[^'"]+)['"]/gm)) {
        expect(files.has(new URL(from, `http://x${address}`).pathname), `${address} imports ${from}`).toBe(true);
      }
    }
  });

  it('are JavaScript where they are TypeScript, and no test or setting is among them', async () => {
    expect(await textOf(named('ask.ts'))).not.toContain('export type Answered<');
    expect(await textOf(named('ask.ts'))).toContain('export async function ask');
    expect([...files.keys()].filter((address) => /tsconfig|\.d\.ts|README/.test(address))).toEqual([]);
  });

  it('are the same packed, and packed once', async () => {
    const file = files.get(named('maplibre-gl.css'))!;
    const plain = await file.read('identity');
    expect(brotliDecompressSync(await file.read('br')).equals(plain)).toBe(true);
    expect(gunzipSync(await file.read('gzip')).equals(plain)).toBe(true);
    expect(await file.read('br')).toBe(await file.read('br'));
  });

  it('weigh little enough for the first map', async () => {
    expect(await weightOf(files)).toBeLessThan(WEIGHT_BYTES_MAX);
  });

  it('have nothing of the map of an operator where none is mounted', async () => {
    const more = [...withMap.files.keys()]
      .map((address) => address.replace(/^\/console\/[0-9a-f]{16}\//, ''));
    expect(more).toEqual(expect.arrayContaining(['pmtiles.js', 'fflate.js', 'own-map/show-own-map.ts']));
    expect([...files.keys()].filter((address) => /own-map|pmtiles|fflate/.test(address))).toEqual([]);
    expect(without.map).toBeUndefined();
    expect(await textOf('/console/')).not.toContain('rastro-map');
    const added = await weightOf(withMap.files) - await weightOf(files);
    expect(added).toBeLessThan(MAP_WEIGHT_BYTES_MAX);
  });

  it('say where a map is, by the digest of the map', async () => {
    expect(withMap.map).toEqual({ address: '/console/map/0123456789abcdef.pmtiles', file: MAP });
    expect(await textOf('/console/', withMap.files))
      .toContain('<meta name="rastro-map" content="/console/map/0123456789abcdef.pmtiles">');
  });

  it('can all be kept permanently but the page', () => {
    expect([...files].filter(([, { isImmutable }]) => !isImmutable).map(([address]) => address)).toEqual(['/console/']);
  });
});
