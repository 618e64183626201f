import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { ProofImages } from '../../kernel/images.ts';
import type { RecordLog } from '../../kernel/record-log.ts';
import { RecordTooLarge, recordBytes } from '../../kernel/record-size.ts';

const LIMITS: ReadonlyMap<string, number> = new Map(
  Object.values(TOPICS).map(({ name, message_bytes_max }) => [name, message_bytes_max]),
);

/** The log of a dry run: takes what the log would take, and forgets it. */
export const dryLog: RecordLog = {
  append(record) {
    const bytes = recordBytes(record);
    const bytesMax = LIMITS.get(record.topic) ?? 0;
    return bytes <= bytesMax
      ? Promise.resolve()
      : Promise.reject(new RecordTooLarge(record.topic, bytes, bytesMax));
  },
};

/** As long as the digest of an image is in hexadecimal, and the object that is named by it. */
const SHA256 = '0'.repeat(64);
const OBJECT = `${'0'.repeat(2)}/${'0'.repeat(40)}/${SHA256}.bin`;

/** Images of a dry run: read as ever and kept nowhere; a reference has the length of a real one. */
export function dryImages(images: ProofImages): ProofImages {
  return {
    ...images,
    keep: (_trackingNumber, { bytes, media_type, flag }) => Promise.resolve({
      sha256: SHA256, bytes: bytes.length, media_type, object: OBJECT,
      ...(flag === undefined ? {} : { flag }),
    }),
    erase: () => Promise.reject(new Error('A dry run erases nothing.')),
  };
}
