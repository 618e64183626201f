import { factId, factText } from '../../../domain/live/fact-text.ts';
import type { Viewer } from '../../../domain/live/scope.ts';
import type { DeliveryTry } from '../../../domain/webhook/delivery.ts';
import { messageOf, timestampSeconds } from '../../../domain/webhook/message.ts';
import { liveSecrets } from '../../../domain/webhook/webhook.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Outbound } from '../../../kernel/outbound.ts';
import { retryAfterMs } from '../../../kernel/retry-after.ts';
import type { Signals } from '../../../kernel/signals.ts';
import type { WebhookRecorded, WebhookSigner } from '../../../kernel/webhooks.ts';
import type { OutboxFact } from './read-part.ts';

/** What sending one fact needs. */
export interface SendFactPorts {
  readonly outbound: Outbound;
  readonly signer: WebhookSigner;
  readonly clock: Clock;
  readonly signals: Signals;
}

/** Posts one fact, once, signed by Standard Webhooks 1.0.0 with every secret that is live. */
export async function sendFact(
  { outbound, signer, clock, signals }: SendFactPorts, webhook: WebhookRecorded, viewer: Viewer['kind'],
  { record, contents }: OutboxFact,
): Promise<DeliveryTry> {
  const nowMs = clock.nowMs();
  const id = factId(record);
  const at = timestampSeconds(nowMs);
  const body = Buffer.from(messageOf(
    contents.kind, record.timestampMs, factText(record, contents, viewer),
  ));
  const sealed = liveSecrets(webhook.secrets, nowMs).map((secret) => secret.sealed);
  const signature = signer.sign(sealed, id, at, body);
  if (signature === undefined) {
    signals.partySecretUnreadable({ party_id: webhook.webhook_id, reason: 'vault' });
    return { kind: 'lost', reason: 'secret_unreadable' };
  }
  const reply = await outbound({
    method: 'POST',
    url: webhook.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'rastro-webhooks',
      'webhook-id': id,
      'webhook-timestamp': String(at),
      'webhook-signature': signature,
    },
    body,
  });
  if (reply.kind === 'lost') return reply;
  return {
    kind: 'answer', status: reply.status,
    retryAfterMs: retryAfterMs(reply.headers['retry-after'], clock.nowMs()),
  };
}
