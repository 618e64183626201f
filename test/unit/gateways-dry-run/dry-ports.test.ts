import { describe, expect, it } from 'vitest';
import { decodeImage, encodeImage } from '../../../services/adapters/images/decode.ts';
import { decodeLongImage } from '../../../services/adapters/images/decode-long.ts';
import { dryImages, dryLog } from '../../../services/gateways/common/dry-ports.ts';
import type { ProofImages } from '../../../services/kernel/images.ts';
import { RecordTooLarge, recordBytes } from '../../../services/kernel/record-size.ts';
import { TOPICS } from '../../../schemas/generated/catalog.ts';

const never = (): Promise<never> => Promise.reject(new Error('must not be called'));
const IMAGES: ProofImages = {
  read: decodeImage, readLong: decodeLongImage, write: encodeImage, keep: never,
  find: async () => undefined, erase: never,
};

describe('the log of a dry run', () => {
  const { name, message_bytes_max } = TOPICS.locations;
  const record = (bytes: number) => ({ topic: name, key: '', headers: {}, value: new Uint8Array(bytes) });
  const overhead = recordBytes(record(0));

  it('takes what its topic takes, and nothing more', async () => {
    await dryLog.append(record(message_bytes_max - overhead), 0);
    await expect(dryLog.append(record(message_bytes_max - overhead + 1), 0))
      .rejects.toBeInstanceOf(RecordTooLarge);
  });
});

describe('images of a dry run', () => {
  it('are kept nowhere, and referred to all the same', async () => {
    const kept = await dryImages(IMAGES).keep('N1', {
      bytes: new Uint8Array(7), media_type: 'image/png',
    });
    expect(kept).toMatchObject({ bytes: 7, media_type: 'image/png' });
    expect(kept.sha256).toHaveLength(64);
  });

  it('are never erased', async () => {
    await expect(dryImages(IMAGES).erase('N1')).rejects.toThrow('erases nothing');
  });
});
