import { TOPICS } from '../../../../schemas/generated/catalog.ts';
import type { OutboxProgress } from '../../../domain/webhook/outbox.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { RecordLog } from '../../../kernel/record-log.ts';
import type { Signals } from '../../../kernel/signals.ts';
import {
  formatOutbox, type WebhookOutboxRead, type WebhookStates, type WebhookTried,
} from '../../../kernel/webhooks.ts';
import type { WebhookSenderConfig } from './config.ts';
import type { DueOutbox } from './due-outbox.ts';
import type { OutboxRun } from './run-outbox.ts';

/** What making an attempt durable needs. */
export interface RecordRunPorts {
  readonly webhooks: Pick<WebhookStates, 'advance' | 'readOn'>;
  readonly log: RecordLog;
  readonly clock: Clock;
  readonly signals: Signals;
}

const TRIED = TOPICS.webhookDeliveries.name;
const OUTBOXES = TOPICS.webhookOutboxes.name;

/**
 * Makes an attempt durable: first the result for each fact, then the progress of the outbox, and
 * only then the state store. What breaks off in between is done once more. An outbox that only
 * read on says so in the log once a minute: what is lost of that is read again.
 */
export async function recordRun(
  config: WebhookSenderConfig, ports: RecordRunPorts, due: DueOutbox, run: OutboxRun,
  deadlineMs: number,
): Promise<void> {
  const { webhooks, log, clock } = ports;
  const { name, fact, webhook } = due;
  const key = formatOutbox(name);
  await Promise.all(run.tried.filter(({ outcome, attempt }) => (
    outcome !== 'retry' || isRecorded(config, attempt)
  )).map((tried) => log.append({
    topic: TRIED, key, value: Buffer.from(JSON.stringify(tried)),
    headers: { client: webhook.client_id },
  }, deadlineMs)));
  for (const tried of run.tried) report(ports.signals, tried);
  const nowMs = clock.nowMs();
  const isAhead = run.outbox.cursor > (fact?.cursor ?? due.outbox.cursor);
  const isNews = run.tried.length > 0 || isHeldChanged(due.outbox, run.outbox)
    || (isAhead && nowMs - (fact?.at_ms ?? 0) >= config.recordedMs);
  if (!isNews) {
    if (run.outbox.cursor > due.outbox.cursor) {
      await webhooks.readOn(name, fact?.version ?? 0, run.outbox.cursor);
    }
    return;
  }
  const next: WebhookOutboxRead = {
    type: 'WebhookOutboxRead', ...name, topic_id: run.topicId, cursor: run.outbox.cursor,
    held: [...run.outbox.held.values()], version: (fact?.version ?? 0) + 1, at_ms: nowMs,
  };
  await log.append(
    { topic: OUTBOXES, key, value: Buffer.from(JSON.stringify(next)), headers: {} }, deadlineMs,
  );
  await webhooks.advance(next);
}

/** Most retries of a receiver that is away for days say nothing new. */
function isRecorded({ recordedAttempts }: WebhookSenderConfig, attempt: number): boolean {
  return attempt <= recordedAttempts || attempt % recordedAttempts === 0;
}

function isHeldChanged(before: OutboxProgress, after: OutboxProgress): boolean {
  return before.held.size !== after.held.size
    || after.held.entries().some(([key, each]) => before.held.get(key) !== each);
}

function report(signals: Signals, tried: WebhookTried): void {
  const { webhook_id: id, outcome, reason, status, attempt, recorded_at_ms, at_ms } = tried;
  signals.webhookTried({ outcome, reason });
  if (outcome === 'delivered' && recorded_at_ms !== undefined) {
    signals.webhookDelivered({ seconds: Math.max(0, at_ms - recorded_at_ms) / 1_000 });
  }
  if (outcome === 'parked') signals.webhookParked({ id, reason, status, attempt });
  if (outcome === 'removed') {
    signals.webhookFactsRemoved({ id, reason, records: tried.records ?? 0 });
  }
}
