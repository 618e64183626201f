import type {
  WebhookHeldKey, WebhookLaneRead, WebhookRange, WebhookRecorded, WebhookSecret, WebhookTried,
} from '../../schemas/generated/types.ts';

/** Webhooks, how far each of their lanes is, and single deliveries, as the log has them. */
export type {
  WebhookHeldKey, WebhookLaneRead, WebhookRange, WebhookRecorded, WebhookSecret, WebhookTried,
};

/** One lane of a webhook: the facts of one partition, of one range. Lanes do not wait for another. */
export interface LaneName {
  readonly webhook_id: string;
  readonly range_id: string;
  readonly topic: string;
  readonly partition: number;
}

/** A lane as the state store has it. */
export interface StoredLane {
  /** The newest fact about it; undefined before the first one. */
  readonly fact: WebhookLaneRead | undefined;
  /** Offset up to which it was read since without finding anything to send. */
  readonly readTo: number | undefined;
}

/**
 * Webhooks and their lanes. Every call rejects with `Unavailable` `state_unavailable`; those that
 * ask also with `state_not_ready`. Applying is idempotent, by version.
 */
export interface WebhookStates {
  /** Every active webhook. */
  active(): Promise<readonly WebhookRecorded[]>;
  apply(fact: WebhookRecorded): Promise<void>;
  loadLanes(names: readonly LaneName[]): Promise<readonly StoredLane[]>;
  /** Takes the newest fact of a lane over; an older one, or another of its version, is ignored. */
  advance(fact: WebhookLaneRead): Promise<void>;
  /** Notes that a lane was read on, unless its fact is not any more the one of this version. */
  readOn(name: LaneName, version: number, readTo: number): Promise<void>;
  /** Takes lanes of a webhook that are due, by the names of {@link formatLane}, with a lease. */
  takeDue(
    webhookId: string, nowMs: number, leaseMs: number, lanesMax: number,
  ): Promise<readonly string[]>;
  /** Makes a lane due at another time; without a time it waits to be woken. */
  reschedule(name: LaneName, dueMs: number | undefined): Promise<void>;
  /** Makes lanes of one webhook due now, unless they are in its queue already. */
  wake(names: readonly LaneName[], nowMs: number): Promise<void>;
}

/** A lane as the key of its facts, and as its name in a queue. */
export function formatLane({ webhook_id, range_id, topic, partition }: LaneName): string {
  return `${webhook_id}|${range_id}|${topic}|${partition}`;
}

/** Reads what {@link formatLane} wrote. */
export function parseLane(text: string): LaneName {
  const [webhook_id = '', range_id = '', topic = '', partition = ''] = text.split('|');
  return { webhook_id, range_id, topic, partition: Number(partition) };
}

/** How a secret begins, in front of its key in Base64. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_';

/** Signs messages with the secrets of a webhook, by Standard Webhooks 1.0.0. */
export interface WebhookSigner {
  /**
   * The value of `webhook-signature`: one `v1,…` for each sealed secret, divided by spaces. Throws
   * when a secret cannot be opened.
   */
  sign(sealed: readonly string[], id: string, timestampSeconds: number, body: Uint8Array): string;
}
