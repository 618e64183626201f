import { factId, factText } from '../../../domain/live/fact-text.ts';
import type { Viewer } from '../../../domain/live/scope.ts';
import type { DeliveryTry } from '../../../domain/webhook/delivery.ts';
import { messageOf, timestampSeconds } from '../../../domain/webhook/message.ts';
import { liveSecrets } from '../../../domain/webhook/webhook.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Outbound } from '../../../kernel/outbound.ts';
import { retryAfterMs } from '../../../kernel/retry-after.ts';
import type { WebhookRecorded, WebhookSigner } from '../../../kernel/webhooks.ts';
import type { LaneFact } from './read-part.ts';

/** What sending one fact needs. */
export interface SendFactPorts {
  readonly outbound: Outbound;
  readonly signer: WebhookSigner;
  readonly clock: Clock;
}

/** Posts one fact, once, signed by Standard Webhooks 1.0.0 with every secret that is live. */
export async function sendFact(
  { outbound, signer, clock }: SendFactPorts, webhook: WebhookRecorded, viewer: Viewer['kind'],
  { record, contents }: LaneFact,
): Promise<DeliveryTry> {
  const nowMs = clock.nowMs();
  const id = factId(record);
  const at = timestampSeconds(nowMs);
  const body = Buffer.from(messageOf(
    contents.kind, record.timestampMs, factText(record, contents, viewer),
  ));
  const sealed = liveSecrets(webhook.secrets, nowMs).map((secret) => secret.sealed);
  const reply = await outbound({
    method: 'POST',
    url: webhook.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'rastro-webhooks',
      'webhook-id': id,
      'webhook-timestamp': String(at),
      'webhook-signature': signer.sign(sealed, id, at, body),
    },
    body,
  });
  if (reply.kind === 'lost') return reply;
  return {
    kind: 'answer', status: reply.status,
    retryAfterMs: retryAfterMs(reply.headers['retry-after'], clock.nowMs()),
  };
}
