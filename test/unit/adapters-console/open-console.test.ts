import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openConsole } from '../../../services/adapters/console/open-console.ts';

const { files, scriptDigest } = openConsole();
const textOf = async (address: string): Promise<string> => (
  Buffer.from(await files.get(address)!.read('identity')).toString('utf8'));
const named = (name: string): string => [...files.keys()].find((address) => address.endsWith(`/${name}`))!;
const WEIGHT_BYTES_MAX = 700_000;

describe('the files of the console', () => {
  it('are a page that names the rest, with its import map by digest', async () => {
    const page = await textOf('/console/');
    const map = /<script type="importmap">(.*?)<\/script>/s.exec(page)?.[1] ?? '';
    expect(createHash('sha256').update(map).digest('base64')).toBe(scriptDigest);
    const { imports } = JSON.parse(map) as { imports: Record<string, string> };
    const addresses = [...Object.values(imports), ...[...page.matchAll(/(?:src|href)="([^"]+)"/g)].map((found) => found[1] ?? '')];
    expect(addresses.length).toBeGreaterThan(5);
    for (const address of addresses) expect(files.has(address), address).toBe(true);
  });

  it('have every module that a module imports', async () => {
    for (const [address] of files) {
      if (!/\.(ts|js)$/.test(address)) continue;
      for (const [, from = ''] of (await textOf(address)).matchAll(/^\s*(?:import|export)[^'"]*from\s+['"](\.[^'"]+)['"]/gm)) {
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
    const sizes = await Promise.all([...files.values()].map(async (file) => (await file.read('br')).byteLength));
    expect(sizes.reduce((sum, each) => sum + each, 0)).toBeLessThan(WEIGHT_BYTES_MAX);
  });

  it('can all be kept permanently but the page', () => {
    expect([...files].filter(([, { isImmutable }]) => !isImmutable).map(([address]) => address)).toEqual(['/console/']);
  });
});
