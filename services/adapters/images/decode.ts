import type { ProofImage } from '../../kernel/images.ts';
import { IMAGE_BYTES_MAX } from '../../kernel/limits.ts';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/**
 * The image in a text. The text must be what encoding the bytes gives again, because the runtime's
 * decoder skips whatever it does not know. The picture itself is never looked into.
 */
export function decodeImage(base64: string): ProofImage | undefined {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > IMAGE_BYTES_MAX || bytes.toString('base64') !== base64) return undefined;
  if (beginsWith(bytes, PNG)) return { bytes, media_type: 'image/png' };
  if (beginsWith(bytes, JPEG)) return { bytes, media_type: 'image/jpeg' };
  return undefined;
}

function beginsWith(bytes: Buffer, magic: Buffer): boolean {
  return bytes.subarray(0, magic.length).equals(magic);
}
