import type { Vault } from '../../kernel/vault.ts';
import { KEY_BYTES, openBytes, SEAL_BYTES, sealBytes } from './cipher.ts';

const FORM = 'v1';

/**
 * Seals with AES-256-GCM. `key` is 32 bytes in base64 and lives in the configuration only; a
 * sealed text is `v1.` with nonce, tag and ciphertext in base64url. Throws for another key size.
 */
export function createVault(key: string): Vault {
  const secret = Buffer.from(key, 'base64');
  if (secret.length !== KEY_BYTES) {
    throw new Error(`The vault's key must be ${KEY_BYTES} bytes in base64.`);
  }
  return {
    seal: (text) => `${FORM}.${sealBytes(secret, Buffer.from(text)).toString('base64url')}`,
    open(sealed) {
      const [form, text = ''] = sealed.split('.', 2);
      const bytes = Buffer.from(text, 'base64url');
      if (form !== FORM || bytes.length < SEAL_BYTES) {
        throw new Error('This is no text that a vault sealed.');
      }
      return openBytes(secret, bytes).toString('utf8');
    },
  };
}
