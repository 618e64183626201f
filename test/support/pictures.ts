/** The smallest PNG there is: one transparent point. */
export const PNG_BASE64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA'
  + '60e6kgAAAABJRU5ErkJggg==';

/** A picture that fits into a body of notifications with room for the rest of it. */
export const BIG_IMAGE_BYTES = 4_194_304;

/** Bytes that begin like a JPEG. */
export function jpegBase64(bytes: number): string {
  const picture = Buffer.alloc(bytes, 0x5a);
  picture.set([0xff, 0xd8, 0xff]);
  return picture.toString('base64');
}

/** The first bytes of every kind of picture that is recognized, as they are in a file. */
export const BEGINNINGS: Readonly<Record<string, Buffer>> = {
  'image/png': Buffer.from(PNG_BASE64, 'base64'),
  'image/jpeg': Buffer.from('ffd8ffe000104a46', 'hex'),
  'image/gif': Buffer.from('GIF89a\x01\x00', 'latin1'),
  'image/webp': Buffer.from('RIFF\x1a\x00\x00\x00WEBPVP8L', 'latin1'),
  'image/heic': Buffer.from('\x00\x00\x00\x18ftypheic', 'latin1'),
  'image/avif': Buffer.from('\x00\x00\x00\x18ftypavif', 'latin1'),
  'image/tiff': Buffer.from('II*\x00\x08\x00\x00\x00', 'latin1'),
  'image/bmp': Buffer.from('BM\x46\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00', 'latin1'),
  'image/svg+xml': Buffer.from('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>'),
  'application/pdf': Buffer.from('%PDF-1.7\n'),
};
