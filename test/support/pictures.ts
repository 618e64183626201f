/** The smallest PNG there is: one transparent point. */
export const PNG_BASE64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA'
  + '60e6kgAAAABJRU5ErkJggg==';

/** Bytes that begin like a JPEG. */
export function jpegBase64(bytes: number): string {
  const picture = Buffer.alloc(bytes, 0x5a);
  picture.set([0xff, 0xd8, 0xff]);
  return picture.toString('base64');
}
