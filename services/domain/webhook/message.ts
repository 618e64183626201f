import { WEBHOOK_SECRET_PREFIX } from '../../kernel/webhooks.ts';

const SECOND_MS = 1_000;

/** What is posted: a fact in the envelope of Standard Webhooks, the same bytes each time. */
export function messageOf(kind: string, recordedAtMs: number, fact: string): string {
  const timestamp = new Date(recordedAtMs).toISOString();
  return `{"type":${JSON.stringify(kind)},"timestamp":"${timestamp}","data":${fact}}`;
}

/** A secret of Standard Webhooks, from random bytes in Base64 for URLs. */
export function webhookSecret(random: string): string {
  const padding = '='.repeat((4 - random.length % 4) % 4);
  return `${WEBHOOK_SECRET_PREFIX}${random.replaceAll('-', '+').replaceAll('_', '/')}${padding}`;
}

/** The time of a try as `webhook-timestamp` has it, in seconds. */
export function timestampSeconds(nowMs: number): number {
  return Math.floor(nowMs / SECOND_MS);
}
