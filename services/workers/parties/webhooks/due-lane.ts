import type { Viewer } from '../../../domain/live/scope.ts';
import type { Lane } from '../../../domain/webhook/lane.ts';
import type { PartitionExtent } from '../../../kernel/log-follower.ts';
import type { LaneName, WebhookLaneRead, WebhookRecorded } from '../../../kernel/webhooks.ts';
import type { DueItem } from '../common/due-work.ts';

/** A lane that is due, as it was when its attempt began. */
export interface DueLane extends DueItem {
  readonly webhook: WebhookRecorded;
  readonly viewer: Viewer;
  readonly name: LaneName;
  /** The fact that the log has of it; undefined before the first one. */
  readonly fact: WebhookLaneRead | undefined;
  readonly lane: Lane;
  readonly extent: PartitionExtent;
  /** Id of the topic that the lane's offsets are of. */
  readonly topicId: string;
  /** Offset behind the last record that it sends, as far as is known. */
  readonly end: number;
  readonly begunMs: number;
}
