import { createHmac } from 'node:crypto';
import type { Vault } from '../../kernel/vault.ts';
import { WEBHOOK_SECRET_PREFIX, type WebhookSigner } from '../../kernel/webhooks.ts';

/** Signs by Standard Webhooks 1.0.0 (HMAC-SHA-256) with secrets that the vault sealed. */
export function createWebhookSigner(vault: Vault): WebhookSigner {
  return {
    sign(sealed, id, timestampSeconds, body) {
      const secrets = opened(vault, sealed);
      return secrets?.map((secret) => {
        const key = Buffer.from(secret.slice(WEBHOOK_SECRET_PREFIX.length), 'base64');
        const mac = createHmac('sha256', key).update(`${id}.${timestampSeconds}.`).update(body);
        return `v1,${mac.digest('base64')}`;
      }).join(' ');
    },
  };
}

/** A key that is missing is a setting of ours, and ends no process. */
function opened(vault: Vault, sealed: readonly string[]): readonly string[] | undefined {
  try {
    return sealed.map((each) => vault.open(each));
  } catch {
    return undefined;
  }
}
