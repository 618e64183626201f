import { factId } from '../../../domain/live/fact-text.ts';
import { classifyDelivery, type DeliveryVerdict } from '../../../domain/webhook/delivery.ts';
import { triedBefore, type Pass, type Stop } from '../../../domain/webhook/outbox.ts';
import type { WebhookHeldKey, WebhookTried } from '../../../kernel/webhooks.ts';
import type { WebhookSenderConfig } from './config.ts';
import type { OutboxFact, ReadPart } from './read-part.ts';
import { sendFact, type SendFactPorts } from './send-fact.ts';
import type { DueOutbox } from './due-outbox.ts';

/** What sending the facts of a part needs. */
export interface SendKeysPorts extends SendFactPorts {
  readonly random: () => number;
}

/** The result for the facts of a part. */
export interface SentPart extends Pass {
  readonly tried: readonly WebhookTried[];
  /** How long the receiver wants to be left alone, where it said so. */
  readonly holdMs: number | undefined;
}

type KeyFacts = readonly [key: string, facts: readonly OutboxFact[]];

/**
 * Sends the facts of a part: those of one key strictly one after the other, until one fails; some
 * keys at once. Nothing begins after the deadline: what is left then stops its key untried.
 */
export async function sendKeys(
  config: WebhookSenderConfig, ports: SendKeysPorts, due: DueOutbox, part: ReadPart,
  held: ReadonlyMap<string, WebhookHeldKey>, deadlineMs: number,
): Promise<SentPart> {
  const stops = new Map<string, Stop>();
  const tried: WebhookTried[] = [];
  let holdMs: number | undefined;
  const waiting: KeyFacts[] = [...Map.groupBy(part.facts, ({ record }) => record.key)];
  const isInTime = (): boolean => holdMs === undefined && ports.clock.nowMs() < deadlineMs;

  async function sendKey([key, facts]: KeyFacts): Promise<void> {
    for (const fact of facts) {
      if (due.webhook.skipped.includes(factId(fact.record))) {
        tried.push(skippedOf(due, fact, ports.clock.nowMs()));
        continue;
      }
      if (!isInTime()) {
        stops.set(key, { offset: fact.offset, failure: undefined });
        return;
      }
      const begunMs = ports.clock.nowMs();
      const before = triedBefore(
        held.get(key), fact.offset, begunMs, due.webhook.resumed_at_ms,
      );
      const answer = await sendFact(ports, due.webhook, due.viewer.kind, fact);
      const nowMs = ports.clock.nowMs();
      const verdict = classifyDelivery(config.retry, answer, before, nowMs, ports.random());
      tried.push(triedOf(due, fact, verdict, nowMs));
      if (verdict.outcome === 'delivered') continue;
      if (verdict.holdMs !== undefined) holdMs = Math.max(holdMs ?? 0, verdict.holdMs);
      stops.set(key, { offset: fact.offset, failure: verdict });
      return;
    }
  }

  async function sendSome(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await sendKey(next);
    }
  }

  await Promise.all(Array.from({ length: config.keysAtOnceMax }, sendSome));
  const delivered = tried.filter(({ outcome }) => outcome === 'delivered').length;
  return { reached: part.reached, stops, delivered, tried, holdMs };
}

function triedOf(
  due: DueOutbox, fact: OutboxFact, verdict: DeliveryVerdict, nowMs: number,
): WebhookTried {
  const { outcome, failures: attempt, status } = verdict;
  const known = status === undefined ? {} : { status };
  if (outcome === 'delivered') {
    return { ...factOf(due, fact, nowMs), outcome, reason: 'answered', ...known, attempt };
  }
  const { reason, waitMs } = verdict;
  return {
    ...factOf(due, fact, nowMs), outcome, reason, ...known, attempt,
    ...(outcome === 'retry' ? { next_attempt_at_ms: nowMs + waitMs } : {}),
  };
}

function skippedOf(due: DueOutbox, fact: OutboxFact, nowMs: number): WebhookTried {
  return { ...factOf(due, fact, nowMs), outcome: 'skipped', reason: 'operator', attempt: 0 };
}

function factOf({ name, webhook }: DueOutbox, { record, contents }: OutboxFact, nowMs: number) {
  const { kind } = contents;
  return {
    type: 'WebhookTried', ...name, client_id: webhook.client_id, record_id: factId(record),
    ...(kind === 'receipt' ? {} : { kind }),
    recorded_at_ms: record.timestampMs, at_ms: nowMs,
  } as const;
}
