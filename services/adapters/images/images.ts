import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Unavailable } from '../../kernel/unavailable.ts';
import type { ImageReference, ProofImages } from '../../kernel/images.ts';
import type { Signals } from '../../kernel/signals.ts';
import { finishInSteps, type Steps, STEP_BYTES } from '../../kernel/steps.ts';
import { KEY_BYTES, openBytes, sealInSteps } from '../secrets/cipher.ts';
import { readKeyList } from '../secrets/key-list.ts';
import { decodeImage, encodeImage } from './decode.ts';
import { decodeLongImage } from './decode-long.ts';
import { createFile, readIfThere, removeFolder } from './durable-files.ts';

/** Where images are kept, and the key that wraps the keys of the shipments. */
export interface ImagesConfig {
  readonly folder: string;
  /** 32 bytes in Base64, or several with commas, newest first; without it no image is kept. */
  readonly key: string | undefined;
}

const KEY_FILE = 'key';

/**
 * Images as files, a folder for each shipment: `key` holds its own key, wrapped by the configured
 * one, and `<sha256>.bin` an image under that key. Names show neither number nor content. Throws
 * for a configured key of another size.
 */
export function openImages(
  config: ImagesConfig, ports: { readonly signals: Signals },
): ProofImages {
  if (config.key === undefined) return unavailable;
  const wrapping = readKeyList(config.key, 'The key of images');

  async function guarded<Result>(action: () => Promise<Result>): Promise<Result> {
    try {
      return await action();
    } catch (error) {
      const { code } = error as { code?: unknown };
      const reason = typeof code === 'string' ? code : 'not_readable';
      ports.signals.imagesFailed({ reason });
      throw new Unavailable('images_unavailable', 'append', reason, error);
    }
  }

  async function keyOf(shipment: string): Promise<Buffer> {
    const path = join(config.folder, shipment, KEY_FILE);
    const known = await readIfThere(path);
    if (known !== undefined) return wrapping.open(known, shipment);
    const key = randomBytes(KEY_BYTES);
    if (await createFile(path, wrapping.seal(key, shipment))) return key;
    const others = await readIfThere(path);
    if (others === undefined) throw new Error('the key of a shipment came and went');
    return wrapping.open(others, shipment);
  }

  return {
    read: decodeImage,
    readLong: decodeLongImage,
    write: encodeImage,

    keep: (trackingNumber, { bytes, media_type, flag }) => guarded(async () => {
      const shipment = folderOf(trackingNumber);
      const sha256 = await finishInSteps(hashInSteps(bytes), setImmediate);
      const object = `${shipment}/${sha256}.bin`;
      const key = await keyOf(shipment);
      const sealed = await finishInSteps(sealInSteps(key, bytes, object), setImmediate);
      await createFile(join(config.folder, object), sealed);
      const reference = { sha256, bytes: bytes.length, media_type, object };
      return flag === undefined ? reference : { ...reference, flag };
    }),

    find: (trackingNumber, { sha256 }: ImageReference) => guarded(async () => {
      const shipment = folderOf(trackingNumber);
      const object = `${shipment}/${sha256}.bin`;
      const sealed = await readIfThere(join(config.folder, object));
      if (sealed === undefined) return undefined;
      return openBytes(await keyOf(shipment), sealed, object);
    }),

    erase: (trackingNumber) =>
      guarded(() => removeFolder(join(config.folder, folderOf(trackingNumber)))),
  };
}

function* hashInSteps(bytes: Uint8Array): Steps<string> {
  const hash = createHash('sha256');
  for (let from = 0; from < bytes.length; from += STEP_BYTES) {
    if (from > 0) yield;
    hash.update(bytes.subarray(from, from + STEP_BYTES));
  }
  return hash.digest('hex');
}

/** A deployment without a key: pictures are read, and the caller is asked to come again. */
const unavailable: ProofImages = {
  read: decodeImage,
  readLong: decodeLongImage,
  write: encodeImage,
  keep: () => Promise.reject(new Unavailable('images_unavailable', 'append', 'no key is set')),
  find: () => Promise.reject(new Unavailable('images_unavailable', 'append', 'no key is set')),
  erase: () => Promise.reject(new Unavailable('images_unavailable', 'append', 'no key is set')),
};

/** Two levels, so that no folder gets too many entries. */
function folderOf(trackingNumber: string): string {
  const digest = createHash('sha256').update(trackingNumber).digest('hex');
  return `${digest.slice(0, 2)}/${digest.slice(2, 42)}`;
}
