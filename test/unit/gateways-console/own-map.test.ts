import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openConsole } from '../../../services/adapters/console/open-console.ts';
import { openMapFile, type OpenMapFile } from '../../../services/adapters/console/open-map-file.ts';
import { consoleOf } from '../../../services/gateways/assemble-console.ts';
import { createConsolePages } from '../../../services/gateways/console/find-console.ts';
import { openEdge, type Edge } from '../../support/edge.ts';
import { mapArchive } from '../../support/map-archive.ts';
import { pngTile } from '../../support/map-tiles.ts';

const SETTING = 'RASTRO_CONSOLE_TILES_FILE';
const ANSWER_BYTES_MAX = 4_194_304;
/** More than one answer may have. */
const ARCHIVE = Buffer.concat([
  mapArchive({ kind: 'png', tiles: [{ at: [0, 0, 0], bytes: pngTile([1, 2, 3]) }] }),
  Buffer.alloc(ANSWER_BYTES_MAX, 'tile'),
]);

let folder: string;
let path: string;
let file: OpenMapFile;
let edge: Edge;
let address: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rastro-own-map-'));
  path = join(folder, 'map.pmtiles');
  writeFileSync(path, ARCHIVE);
  file = await openMapFile(SETTING, path);
  const console = openConsole(file);
  address = console.map?.address ?? '';
  edge = await openEdge({ pages: createConsolePages(console) });
});
afterAll(async () => {
  await edge.close();
  await file.close();
  rmSync(folder, { recursive: true });
});

const ask = (range?: string, more: Readonly<Record<string, string>> = {}, method = 'GET') => (
  fetch(edge.url + address, {
    method, headers: { ...range === undefined ? {} : { range }, ...more },
  }));

describe('the map of an operator', () => {
  it('is sent in the parts that are asked for, which may be kept permanently', async () => {
    const answer = await ask('bytes=100-299');
    expect(answer.status).toBe(206);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-range': `bytes 100-299/${ARCHIVE.length}`, 'content-length': '200',
      'accept-ranges': 'bytes', 'etag': `"${file.digest}"`,
      'content-type': 'application/vnd.pmtiles',
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin', 'x-content-type-options': 'nosniff',
    });
    expect(Buffer.from(await answer.arrayBuffer()).equals(ARCHIVE.subarray(100, 300))).toBe(true);
  });

  it('is sent from its end too, and not beyond it', async () => {
    const last = await ask('bytes=-7');
    expect(Buffer.from(await last.arrayBuffer()).equals(ARCHIVE.subarray(-7))).toBe(true);
    const beyond = await ask(`bytes=${ARCHIVE.length - 3}-${ARCHIVE.length + 100}`);
    expect([beyond.status, (await beyond.arrayBuffer()).byteLength]).toEqual([206, 3]);
  });

  it('is never sent with more bytes than an answer may have', async () => {
    const answer = await ask('bytes=1-');
    expect(answer.headers.get('content-range')).toBe(`bytes 1-${ANSWER_BYTES_MAX}/${ARCHIVE.length}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.equals(ARCHIVE.subarray(1, 1 + ANSWER_BYTES_MAX))).toBe(true);
  });

  it.each([
    [undefined, {}], ['bytes=5-1', {}], ['bytes=0-1,5-6', {}], ['bytes=99999999999-', {}],
    ['lines=0-1', {}], ['bytes=0-1', { 'if-range': '"another"' }],
  ])('has no answer for the range %j with %j: 416 with its size', async (range, more) => {
    const answer = await ask(range, more);
    expect([answer.status, answer.headers.get('content-range'), answer.headers.get('cache-control')])
      .toEqual([416, `bytes */${ARCHIVE.length}`, 'no-store']);
    expect(await answer.text()).toContain('Ask for one range');
  });

  it('is not sent twice, and to HEAD without its bytes', async () => {
    const etag = `"${file.digest}"`;
    expect((await ask('bytes=0-9', { 'if-none-match': etag })).status).toBe(304);
    expect((await ask('bytes=0-9', { 'if-range': etag })).status).toBe(206);
    const head = await ask('bytes=0-9', {}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([206, '10', '']);
  });

  it('is at its own address alone', async () => {
    for (const other of [address.replace(/[0-9a-f]\./, 'x.'), '/console/map/', '/console/map/../map.pmtiles']) {
      expect((await fetch(edge.url + other, { headers: { range: 'bytes=0-1' } })).status).toBe(404);
    }
  });
});

describe('a gateway', () => {
  const start = (given: string | undefined, released: string[] = []) => consoleOf(['console'], {
    RASTRO_COUNTRIES: ['BR'], [SETTING]: given,
  }, { states: { access: {} } } as never, {
    onRelease: (name, release) => {
      released.push(name);
      void release();
    },
  });

  it('does not start with a map that is not there, or is no map', async () => {
    await expect(start(join(folder, 'none'))).rejects.toThrow(`${SETTING} cannot be read: ENOENT`);
    writeFileSync(join(folder, 'text'), 'text');
    await expect(start(join(folder, 'text'))).rejects.toThrow('is no PMTiles archive.');
  });

  it('gives a map back when it ends, and needs none', async () => {
    const released: string[] = [];
    await start(path, released);
    expect(released).toEqual(['map']);
    await start(undefined, released);
    expect(released).toEqual(['map']);
  });
});

describe('a map that is written over', () => {
  it('is not there until the next start: parts of two maps are never sent', async () => {
    const other = join(folder, 'other.pmtiles');
    writeFileSync(other, ARCHIVE);
    const map = await openMapFile(SETTING, other);
    const served = createConsolePages(openConsole(map));
    const call = { path: address, header: (name: string) => (name === 'range' ? 'bytes=0-1' : undefined) };
    expect((await served.find(call))?.status).toBe(206);
    appendFileSync(other, 'more');
    expect(await served.find(call)).toBeUndefined();
    await map.close();
  });
});
