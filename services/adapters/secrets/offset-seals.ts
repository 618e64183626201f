import { createHmac } from 'node:crypto';
import type { OffsetSeals } from '../../kernel/offset-seals.ts';
import { openBytes, SEAL_BYTES, sealBytes } from './cipher.ts';

/** Longest text that is worth opening: a place takes some bytes for each partition. */
const CHARACTERS_MAX = 6_000;

/** Seals of places under a key that is made from the secret of the deployment. */
export function createOffsetSeals(pepper: string): OffsetSeals {
  const key = createHmac('sha256', pepper).update('place in a live feed').digest();
  return {
    seal: (offsets, feed) => sealBytes(key, offsets, feed).toString('base64url'),
    open(text, feed) {
      if (text.length > CHARACTERS_MAX) return undefined;
      const bytes = Buffer.from(text, 'base64url');
      if (bytes.length <= SEAL_BYTES) return undefined;
      try {
        return openBytes(key, bytes, feed);
      } catch {
        // Another key, another feed, or made up: whatever it is, it is no place of ours.
        return undefined;
      }
    },
  };
}
