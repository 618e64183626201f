import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Bytes of a key. */
export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** What a sealed thing has more than the thing itself. */
export const SEAL_BYTES = NONCE_BYTES + TAG_BYTES;

/**
 * AES-256-GCM: nonce, tag and ciphertext one behind the other. `bound` is authenticated with it, so
 * that a sealed thing cannot be put in the place of another.
 */
export function sealBytes(key: Buffer, bytes: Uint8Array, bound = ''): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(bound));
  const sealed = [cipher.update(bytes), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]);
}

/** The bytes that were sealed; throws when key, place or content are not the same. */
export function openBytes(key: Buffer, sealed: Buffer, bound = ''): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(bound));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, SEAL_BYTES));
  const rest = sealed.subarray(SEAL_BYTES);
  return Buffer.concat([decipher.update(rest), decipher.final()]);
}
