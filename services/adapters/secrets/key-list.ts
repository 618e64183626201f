import { KEY_BYTES, openBytes, sealBytes } from './cipher.ts';

/** Keys of one purpose: the first seals, all of them open. */
export interface KeyList {
  seal(bytes: Uint8Array, bound?: string): Buffer;
  /** Throws when none of the keys sealed these bytes for this place. */
  open(sealed: Buffer, bound?: string): Buffer;
}

/**
 * Reads `base64,base64`, newest first, so that a key can change while everything works (ADR 0027).
 * Throws one sentence that begins with `what` and shows no key, when one is not 32 bytes long.
 */
export function readKeyList(text: string, what: string): KeyList {
  const keys = text.split(',').map((part) => Buffer.from(part.trim(), 'base64'));
  const [newest, oldest] = [keys[0], keys.at(-1)];
  if (newest === undefined || oldest === undefined
    || keys.some(({ length }) => length !== KEY_BYTES)) {
    throw new Error(`${what} must be ${KEY_BYTES} bytes in base64.`);
  }

  const open = (sealed: Buffer, bound = ''): Buffer => {
    for (const key of keys.slice(0, -1)) {
      try {
        return openBytes(key, sealed, bound);
      } catch {
        // Sealed by an older one.
      }
    }
    return openBytes(oldest, sealed, bound);
  };

  return { seal: (bytes, bound = '') => sealBytes(newest, bytes, bound), open };
}
