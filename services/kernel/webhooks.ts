import type {
  WebhookHeldKey, WebhookOutboxRead, WebhookRange, WebhookRecorded, WebhookSecret, WebhookTried,
} from '../../schemas/generated/types.ts';

/** Webhooks, the progress of their outboxes, and single deliveries, as the log has them. */
export type {
  WebhookHeldKey, WebhookOutboxRead, WebhookRange, WebhookRecorded, WebhookSecret, WebhookTried,
};

/** One outbox of a webhook: the facts of one partition, of one range. None waits for another. */
export interface OutboxName {
  readonly webhook_id: string;
  readonly range_id: string;
  readonly topic: string;
  readonly partition: number;
}

/** An outbox as the state store has it. */
export interface StoredOutbox {
  /** The newest fact about it; undefined before the first one. */
  readonly fact: WebhookOutboxRead | undefined;
  /** Offset up to which it was read since without finding anything to send. */
  readonly readTo: number | undefined;
}

/**
 * Webhooks and their outboxes. Every call rejects with `Unavailable` `state_unavailable`; what asks
 * also with `state_not_ready`. Applying is idempotent, by version.
 */
export interface WebhookStates {
  /** Every active webhook. */
  active(): Promise<readonly WebhookRecorded[]>;
  apply(fact: WebhookRecorded): Promise<void>;
  loadOutboxes(names: readonly OutboxName[]): Promise<readonly StoredOutbox[]>;
  /** Takes the newest fact of an outbox over; ignores an older one, or another of its version. */
  advance(fact: WebhookOutboxRead): Promise<void>;
  /** Keeps that an outbox was read on, as long as its fact is the one of this version. */
  readOn(name: OutboxName, version: number, readTo: number): Promise<void>;
  /** Takes outboxes of a webhook that are due, with a lease; named as {@link formatOutbox} does. */
  takeDue(
    webhookId: string, nowMs: number, leaseMs: number, outboxesMax: number,
  ): Promise<readonly string[]>;
  /** Makes an outbox due at another time; without a time it waits to be woken. */
  reschedule(name: OutboxName, dueMs: number | undefined): Promise<void>;
  /** Makes outboxes of one webhook due now, unless they are in its queue already. */
  wake(names: readonly OutboxName[], nowMs: number): Promise<void>;
}

/** An outbox as the key of its facts, and as its name in a queue. */
export function formatOutbox({ webhook_id, range_id, topic, partition }: OutboxName): string {
  return `${webhook_id}|${range_id}|${topic}|${partition}`;
}

/** Reads what {@link formatOutbox} wrote. */
export function parseOutbox(text: string): OutboxName {
  const [webhook_id = '', range_id = '', topic = '', partition = ''] = text.split('|');
  return { webhook_id, range_id, topic, partition: Number(partition) };
}

/** How a secret begins, in front of its key in Base64. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_';

/** Signs messages with the secrets of a webhook, by Standard Webhooks 1.0.0. */
export interface WebhookSigner {
  /**
   * The value of `webhook-signature`: one `v1,…` for each sealed secret, divided by spaces;
   * undefined when no key of the vault opens one of them.
   */
  sign(
    sealed: readonly string[], id: string, timestampSeconds: number, body: Uint8Array,
  ): string | undefined;
}
