import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Vault } from '../../kernel/vault.ts';

const FORM = 'v1';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

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
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', secret, nonce, { authTagLength: TAG_BYTES });
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      const bytes = Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
      return `${FORM}.${bytes.toString('base64url')}`;
    },
    open(sealed) {
      const [form, text = ''] = sealed.split('.', 2);
      const bytes = Buffer.from(text, 'base64url');
      if (form !== FORM || bytes.length < NONCE_BYTES + TAG_BYTES) {
        throw new Error('This is no text that a vault sealed.');
      }
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(
        'aes-256-gcm', secret, nonce, { authTagLength: TAG_BYTES },
      );
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const opened = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
      return Buffer.concat(opened).toString('utf8');
    },
  };
}
