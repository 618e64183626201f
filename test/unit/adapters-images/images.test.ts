import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openImages } from '../../../services/adapters/images/images.ts';
import type { ProofImage, ProofImages } from '../../../services/kernel/images.ts';
import { IMAGE_BYTES_MAX } from '../../../services/kernel/limits.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { jpegBase64, PNG_BASE64 } from '../../support/pictures.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');

describe('Images kept apart', () => {
  let folder: string;
  let images: ProofImages;
  let picture: ProofImage;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rastro-images-'));
    images = openImages({ folder, key: KEY }, { signals: silentSignals });
    picture = images.read(PNG_BASE64)!;
  });
  afterEach(() => rm(folder, { recursive: true }));

  const filesOf = async () => (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)).sort();

  it('[NOT-24] reads strict Base64 of PNG and JPEG, and nothing else', () => {
    expect(picture.media_type).toBe('image/png');
    expect(images.read(jpegBase64(100))?.media_type).toBe('image/jpeg');
    for (const text of [
      '', 'hello', PNG_BASE64.slice(0, -1), `${PNG_BASE64}=`, ` ${PNG_BASE64}`, 'R0lGODlhAQABAAAAACw=',
      PNG_BASE64.replace('mNk', 'mN-'), `data:image/png;base64,${PNG_BASE64}`,
    ]) expect(images.read(text), text).toBeUndefined();
  });

  it('[NOT-24] takes an image of the largest size and none above', () => {
    expect(images.read(jpegBase64(IMAGE_BYTES_MAX))).toBeDefined();
    expect(images.read(jpegBase64(IMAGE_BYTES_MAX + 1))).toBeUndefined();
  });

  it('[NOT-23] gives back what was kept, and keeps the same image once', async () => {
    const reference = await images.keep('RST1', picture);
    expect(await images.keep('RST1', picture)).toEqual(reference);
    expect(reference).toMatchObject({ bytes: picture.bytes.length, media_type: 'image/png' });
    expect(await filesOf()).toHaveLength(2);
    expect(Buffer.from(await images.find('RST1', reference) ?? []).equals(picture.bytes)).toBe(true);
    expect(await images.find('RST2', reference)).toBeUndefined();
  });

  it('keeps many images of one shipment under one key, also when they come at once', async () => {
    const many = Array.from({ length: 8 }, (_, at) => images.read(jpegBase64(50 + at))!);
    const references = await Promise.all(many.map((each) => images.keep('RST1', each)));
    const found = await Promise.all(references.map((each) => images.find('RST1', each)));
    expect(found.map((bytes) => bytes?.length)).toEqual(many.map(({ bytes }) => bytes.length));
  });

  it('writes neither the picture nor the tracking number in clear', async () => {
    await images.keep('RST-SECRET-1', picture);
    for (const file of await filesOf()) {
      expect(file).not.toContain('SECRET');
      expect((await readFile(file)).includes(Buffer.from('IHDR'))).toBe(false);
    }
  });

  it('does not take one object for another', async () => {
    const other = images.read(jpegBase64(60))!;
    const a = await images.keep('RST1', picture);
    const b = await images.keep('RST1', other);
    await writeFile(join(folder, b.object), await readFile(join(folder, a.object)));
    await expect(images.find('RST1', b)).rejects.toMatchObject({ code: 'images_unavailable' });
  });

  it('opens nothing under another wrapping key', async () => {
    const reference = await images.keep('RST1', picture);
    const key = Buffer.alloc(32, 8).toString('base64');
    const stranger = openImages({ folder, key }, { signals: silentSignals });
    await expect(stranger.find('RST1', reference)).rejects
      .toMatchObject({ code: 'images_unavailable' });
    expect(() => openImages({ folder, key: 'short' }, { signals: silentSignals })).toThrow(/32 bytes/);
  });

  it('opens with several wrapping keys what each of them wrapped, and wraps by the first', async () => {
    const old = await images.keep('RST1', picture);
    const next = Buffer.alloc(32, 8).toString('base64');
    const both = openImages({ folder, key: `${next},${KEY}` }, { signals: silentSignals });
    const own = await both.keep('RST2', picture);
    expect(await both.find('RST1', old)).toBeDefined();
    expect(await openImages({ folder, key: next }, { signals: silentSignals }).find('RST2', own)).toBeDefined();
    await expect(images.find('RST2', own)).rejects.toMatchObject({ code: 'images_unavailable' });
  });

  it('erases all images of a shipment and none of another', async () => {
    const mine = await images.keep('RST1', picture);
    const others = await images.keep('RST2', picture);
    await images.erase('RST1');
    await images.erase('RST1');
    expect(await images.find('RST1', mine)).toBeUndefined();
    expect(await images.find('RST2', others)).toBeDefined();
  });

  it('is unavailable where it cannot write', async () => {
    await writeFile(join(folder, 'file'), '');
    const broken = openImages({ folder: join(folder, 'file'), key: KEY }, { signals: silentSignals });
    await expect(broken.keep('RST1', picture)).rejects
      .toMatchObject({ code: 'images_unavailable', retryable: true });
  });
});
