import { appendFileSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMapFile, type OpenMapFile } from '../../../services/adapters/console/open-map-file.ts';
import { mapArchive } from '../../support/map-archive.ts';
import { pngTile } from '../../support/map-tiles.ts';

const SETTING = 'RASTRO_CONSOLE_TILES_FILE';
const ARCHIVE = mapArchive({
  kind: 'png', tiles: [{ at: [0, 0, 0], bytes: pngTile([1, 2, 3]) }], attribution: 'us',
});
const PIECE_BYTES = 65_536;

let folder: string;
const opened: OpenMapFile[] = [];
beforeAll(() => { folder = mkdtempSync(join(tmpdir(), 'rastro-map-')); });
afterAll(async () => {
  await Promise.all(opened.map((file) => file.close()));
  rmSync(folder, { recursive: true });
});

function written(name: string, bytes: Buffer): string {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
}

async function openAt(path: string): Promise<OpenMapFile> {
  const file = await openMapFile(SETTING, path);
  opened.push(file);
  return file;
}

function changed(at: number, byte: number): Buffer {
  const bytes = Buffer.from(ARCHIVE);
  bytes.writeUInt8(byte, at);
  return bytes;
}

describe('a map file', () => {
  it.each([
    ['is empty', Buffer.alloc(0), 'is no PMTiles archive'],
    ['is something else', Buffer.alloc(20_000, 'PMTILES'), 'is no PMTiles archive'],
    ['ends in its header', ARCHIVE.subarray(0, 126), 'is no PMTiles archive'],
    ['is of an older version', changed(7, 2), 'is PMTiles version 2'],
    ['is not copied whole', ARCHIVE.subarray(0, -1), 'ends before the end of its tiles'],
    ['has brotli inside', changed(97, 3), 'has directories that are packed'],
    ['has tiles in zstd', changed(98, 4), 'has tiles that are packed'],
    ['has tiles of a kind that is not known', changed(99, 6), 'has tiles that are none of'],
    ['has its directory far behind', changed(9, 0xff), 'ends before the end of its root directory'],
  ])('that %s is refused in one sentence with the setting and the path', async (name, bytes, why) => {
    const path = written(`${name}.pmtiles`, bytes);
    await expect(openAt(path)).rejects.toThrow(`${SETTING}: ${path} ${why}`);
  });

  it('that is not there, or is a folder, is refused with the setting', async () => {
    for (const path of [join(folder, 'none'), folder]) {
      await expect(openAt(path)).rejects.toThrow(`${SETTING} cannot be read:`);
    }
  });

  it('may leave open how pictures are packed, and not how shapes are', async () => {
    expect((await openAt(written('picture', changed(98, 0)))).bytes).toBe(ARCHIVE.length);
    const shapes = changed(99, 1);
    shapes.writeUInt8(0, 98);
    await expect(openAt(written('shapes', shapes))).rejects.toThrow('has tiles that are packed');
  });

  it('has one digest in each copy, and another one where anything is another', async () => {
    const path = written('one', ARCHIVE);
    copyFileSync(path, join(folder, 'two'));
    const other = written('other', changed(ARCHIVE.length - 20, 0));
    const [one, two, three] = await Promise.all([path, join(folder, 'two'), other].map(openAt));
    expect(two?.digest).toBe(one?.digest);
    expect(three?.digest).not.toBe(one?.digest);
  });

  it('is read in pieces, exactly the part that is asked for', async () => {
    const more = Buffer.from(Array.from({ length: 200_000 }, (_, at) => at % 251));
    const bytes = Buffer.concat([ARCHIVE, more]);
    const file = await openAt(written('large', bytes));
    const pieces: Uint8Array[] = [];
    for await (const piece of file.read(100, 200_100)) pieces.push(piece);
    expect(pieces.every((piece) => piece.length <= PIECE_BYTES)).toBe(true);
    expect(Buffer.concat(pieces).equals(bytes.subarray(100, 200_200))).toBe(true);
  });

  it('is no more the same when it is written over', async () => {
    const path = written('growing', ARCHIVE);
    const file = await openAt(path);
    expect(await file.isSame()).toBe(true);
    appendFileSync(path, 'more');
    expect(await file.isSame()).toBe(false);
  });
});
