import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openImages } from '../../../services/adapters/images/images.ts';
import type { ProofImage, ProofImages } from '../../../services/kernel/images.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { BEGINNINGS, jpegBase64, PNG_BASE64 } from '../../support/pictures.ts';

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

  it.each(Object.entries(BEGINNINGS))('[NOT-24] recognizes %s by its first bytes', (type, bytes) => {
    expect(images.read(bytes.toString('base64'))).toEqual({ bytes, media_type: type });
  });

  it('[NOT-24] reads the usual dialects of Base64 to the same bytes', () => {
    const webSafe = PNG_BASE64.replaceAll('+', '-').replaceAll('/', '_');
    for (const text of [
      PNG_BASE64, PNG_BASE64.replaceAll('=', ''), webSafe, webSafe.replaceAll('=', ''),
      PNG_BASE64.replaceAll(/.{76}/g, '$&\r\n'), ` ${PNG_BASE64}\n`,
      `data:image/png;base64,${PNG_BASE64}`, `DATA:;charset=utf-8;BASE64, ${PNG_BASE64}`,
      `data:image/png;base64,${encodeURIComponent(PNG_BASE64)}`,
    ]) expect(images.read(text), text).toEqual(picture);
    expect(images.read('data:image/svg+xml,%3Csvg%20/%3E')?.media_type).toBe('image/svg+xml');
  });

  it('[NOT-46] keeps what it does not know as the text that was sent, and says why', () => {
    const unknown = (text: string, flag: string) =>
      expect(images.read(text), text.slice(0, 40))
        .toEqual({ bytes: Buffer.from(text), media_type: 'unknown', flag });
    for (const text of ['hello', 'aGVsbG8=', 'aGVs\nbG8', 'Qk0AAA==', 'data:x;base64,aGVsbG8=']) {
      unknown(text, 'unknown_type');
    }
    for (const text of [
      'not base64!', `${PNG_BASE64}=`, `${PNG_BASE64}.`, 'data:x;base64,%zz', 'señal', 'a=b=c',
      `${' '.repeat(200_000)}!`, `${'a'.repeat(200_000)}!`,
    ]) unknown(text, 'not_base64');
    for (const text of ['', '  ', 'data:,', '====']) {
      expect(images.read(text)?.bytes.length ?? 0, text).toBe(text === '====' ? 4 : 0);
    }
  });

  it('[NOT-46] writes a picture as Base64, and an unknown text as it was sent', () => {
    const written = (text: string): string | undefined => {
      const read = images.read(text);
      return read && images.write(read.bytes, read.media_type);
    };
    expect(written(PNG_BASE64.replaceAll('=', ''))).toBe(PNG_BASE64);
    for (const text of ['no picture ü', 'aGVs bG8']) expect(written(text)).toBe(text);
  });

  it('[NOT-46] keeps the flag beside the reference', async () => {
    expect(await images.keep('RST1', images.read('no!')!))
      .toMatchObject({ media_type: 'unknown', flag: 'not_base64', bytes: 3 });
    expect(await images.keep('RST1', picture)).not.toHaveProperty('flag');
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
