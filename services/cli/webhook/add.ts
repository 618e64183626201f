import { webhookSecret } from '../../domain/webhook/message.ts';
import { viewerOf } from '../../domain/live/viewer.ts';
import {
  changeWebhook, LIVE_RANGE, rotated, WEBHOOK_KINDS, type WebhookKind,
} from '../../domain/webhook/webhook.ts';
import { epochMsOf } from '../../kernel/date-time.ts';
import type { WebhookRecorded } from '../../kernel/webhooks.ts';
import { readClients } from '../client/log.ts';
import { misuse, notFound } from '../noun.ts';
import type { Report } from '../ports.ts';
import type { WebhookPorts } from './ports.ts';
import { recordWebhook } from './log.ts';
import { rangeFrom } from './ranges.ts';
import { shown } from './show.ts';

/** The words of `rastro webhook add`. */
export interface AddWords {
  readonly client: string;
  readonly url: string;
  readonly name: string;
  readonly kind?: readonly string[];
  readonly from?: string;
}

const NO_VAULT = 'Set RASTRO_VAULT_KEY: secrets are kept sealed.';
const HOUR_MS = 3_600_000;

/** Records a webhook of a client that may follow facts; its secret is shown here alone. */
export async function addWebhook(ports: WebhookPorts, words: AddWords): Promise<Report> {
  const { client: client_id, url, name, from } = words;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    return misuse(`${url} is no http address.`);
  }
  const kinds = kindsOf(words.kind);
  if (typeof kinds === 'string') return misuse(kinds);
  const fromMs = from === undefined ? undefined : epochMsOf(from);
  if (from !== undefined && fromMs === undefined) return misuse('--from is no date-time such as 2026-12-01T00:00:00Z.');
  if (ports.vault === undefined) return misuse(NO_VAULT);
  const client = (await readClients(ports.reader)).get(client_id);
  if (client === undefined) return notFound(`No client ${client_id}.`);
  if (viewerOf(client) === undefined) {
    return misuse(`Client ${client_id} may follow no facts: it needs scope query:read with audience rtt`
      + ' or tracking-pull, or scope platform:read with audience platform; a sandbox client never may.');
  }
  const nowMs = ports.clock.nowMs();
  const secret = webhookSecret(ports.secrets.newSecret());
  const webhook: WebhookRecorded = {
    type: 'WebhookRecorded', webhook_id: `w-${ports.ids.nonce().slice(0, 12)}`, client_id, name, url,
    kinds, secrets: [{ sealed: ports.vault.seal(secret), created_at_ms: nowMs }],
    ranges: [await rangeFrom(ports, LIVE_RANGE, kinds, fromMs)], skipped: [],
    status: 'active', version: 1, at_ms: nowMs,
  };
  await recordWebhook(ports, webhook);
  return withSecret(webhook, secret, nowMs);
}

/** Adds a secret; the ones before sign too for so many hours. */
export async function rotateWebhook(
  ports: WebhookPorts, webhook: WebhookRecorded, keepHours: number,
): Promise<Report> {
  if (ports.vault === undefined) return misuse(NO_VAULT);
  const nowMs = ports.clock.nowMs();
  const secret = webhookSecret(ports.secrets.newSecret());
  const untilMs = nowMs + Math.round(keepHours * HOUR_MS);
  const next = changeWebhook(webhook, {
    secrets: rotated(webhook.secrets, ports.vault.seal(secret), nowMs, untilMs),
  }, nowMs);
  await recordWebhook(ports, next);
  return withSecret(next, secret, nowMs);
}

function withSecret(webhook: WebhookRecorded, secret: string, nowMs: number): Report {
  const report = shown(webhook, nowMs);
  return {
    ...report, value: { ...report.value as object, secret },
    lines: [...report.lines, '', `secret  ${secret}`, 'It is shown once; give it to the receiver.'],
  };
}

function kindsOf(words: readonly string[] = WEBHOOK_KINDS): WebhookKind[] | string {
  const wrong = words.find((each) => !WEBHOOK_KINDS.some((kind) => kind === each));
  if (wrong !== undefined) return `A kind is ${WEBHOOK_KINDS.join(', ')}; ${wrong} is none.`;
  return WEBHOOK_KINDS.filter((kind) => words.includes(kind));
}
