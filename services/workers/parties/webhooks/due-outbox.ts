import type { Viewer } from '../../../domain/live/scope.ts';
import type { OutboxProgress } from '../../../domain/webhook/outbox.ts';
import type { PartitionExtent } from '../../../kernel/log-follower.ts';
import type { OutboxName, WebhookOutboxRead, WebhookRecorded } from '../../../kernel/webhooks.ts';
import type { DueItem } from '../common/due-work.ts';

/** An outbox that is due, as it was when its attempt began. */
export interface DueOutbox extends DueItem {
  readonly webhook: WebhookRecorded;
  readonly viewer: Viewer;
  readonly name: OutboxName;
  /** The fact that the log has of it; undefined before the first one. */
  readonly fact: WebhookOutboxRead | undefined;
  readonly outbox: OutboxProgress;
  readonly extent: PartitionExtent;
  /** Id of the topic that the outbox's offsets are of. */
  readonly topicId: string;
  /** Offset behind the last record that it sends, as far as is known. */
  readonly end: number;
  readonly begunMs: number;
}
