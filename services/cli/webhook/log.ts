import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { changeWebhook, newestWebhook } from '../../domain/webhook/webhook.ts';
import { eachFact } from '../../kernel/each-fact.ts';
import type { LogReader } from '../../kernel/record-log.ts';
import type { Vault } from '../../kernel/vault.ts';
import { formatOutbox, type WebhookOutboxRead, type WebhookRecorded } from '../../kernel/webhooks.ts';
import type { OperatorPorts } from '../ports.ts';

const TOPIC = TOPICS.webhooks.name;
const APPEND_MS_MAX = 15_000;

/** All webhooks as the log has them, by id; removed ones too. */
export async function readWebhooks(reader: LogReader): Promise<Map<string, WebhookRecorded>> {
  const webhooks = new Map<string, WebhookRecorded>();
  await eachFact<WebhookRecorded>(reader, [TOPIC], (fact) => {
    webhooks.set(fact.webhook_id, newestWebhook(webhooks.get(fact.webhook_id), fact));
  });
  return webhooks;
}

/** The progress of each outbox, as the log has it, by its name. */
export async function readOutboxes(
  reader: LogReader, isWanted: (webhookId: string) => boolean,
): Promise<ReadonlyMap<string, WebhookOutboxRead>> {
  const outboxes = new Map<string, WebhookOutboxRead>();
  await eachFact<WebhookOutboxRead>(reader, [TOPICS.webhookOutboxes.name], (fact) => {
    if (!isWanted(fact.webhook_id)) return;
    const name = formatOutbox(fact);
    const known = outboxes.get(name);
    if (known === undefined || known.version < fact.version) outboxes.set(name, fact);
  });
  return outboxes;
}

/** Appends a webhook's next version. It holds as soon as the projector applied it. */
export async function recordWebhook(
  ports: Pick<OperatorPorts, 'log' | 'clock'>, webhook: WebhookRecorded,
): Promise<void> {
  await ports.log.append({
    topic: TOPIC,
    key: webhook.webhook_id,
    value: Buffer.from(JSON.stringify(webhook)),
    headers: { 'received-at': String(webhook.at_ms) },
  }, ports.clock.nowMs() + APPEND_MS_MAX);
}

/** Seals the secrets of every webhook by the first key of the vault; answers how many they are. */
export async function resealWebhooks(
  ports: Pick<OperatorPorts, 'log' | 'clock' | 'reader'>, vault: Vault,
): Promise<number> {
  const kept = [...(await readWebhooks(ports.reader)).values()]
    .filter(({ secrets }) => secrets.length > 0);
  for (const webhook of kept) {
    const secrets = webhook.secrets.map((secret) => (
      { ...secret, sealed: vault.seal(vault.open(secret.sealed)) }
    ));
    await recordWebhook(ports, changeWebhook(webhook, { secrets }, ports.clock.nowMs()));
  }
  return kept.length;
}
