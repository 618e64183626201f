import type { Vault } from '../../kernel/vault.ts';
import { SEAL_BYTES } from './cipher.ts';
import { readKeyList } from './key-list.ts';

const FORM = 'v1';

/**
 * Seals with AES-256-GCM. `key` is 32 bytes in base64, or several with commas of which the first
 * seals and all open; it lives in the configuration only. A sealed text is `v1.` with nonce, tag
 * and ciphertext in base64url. Throws for another key size.
 */
export function createVault(key: string): Vault {
  const keys = readKeyList(key, 'The vault\'s key');
  return {
    seal: (text) => `${FORM}.${keys.seal(Buffer.from(text)).toString('base64url')}`,
    open(sealed) {
      const [form, text = ''] = sealed.split('.', 2);
      const bytes = Buffer.from(text, 'base64url');
      if (form !== FORM || bytes.length < SEAL_BYTES) {
        throw new Error('This is no text that a vault sealed.');
      }
      return keys.open(bytes).toString('utf8');
    },
  };
}
