import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Digest } from '../../kernel/digest.ts';
import type { Secrets } from '../../kernel/secrets.ts';

/** SHA-256 of a text. */
export const sha256: Digest = (text) => createHash('sha256').update(text).digest('hex');

const NO_HASH = '0'.repeat(64);

/**
 * Secrets keyed with `pepper`, which lives in the configuration and never in a store: a stolen log
 * alone does not allow to try secrets out.
 */
export function keyedSecrets(pepper: string): Secrets {
  const hash = (secret: string) => createHmac('sha256', pepper).update(secret).digest('hex');
  return {
    newSecret: () => randomBytes(32).toString('base64url'),
    hash,
    matches(hashes, secret) {
      const given = Buffer.from(hash(secret), 'hex');
      let matches = false;
      for (const candidate of [hashes[0] ?? NO_HASH, hashes[1] ?? NO_HASH]) {
        const equal = timingSafeEqual(given, Buffer.from(candidate, 'hex'));
        if (equal && candidate !== NO_HASH) matches = true;
      }
      return matches;
    },
  };
}
