import type { FeedStates } from '../kernel/feeds.ts';
import type { ShipmentStates } from '../kernel/shipments.ts';
import type { WebhookStates } from '../kernel/webhooks.ts';
import { applyByTopic } from './common/apply-by-topic.ts';
import type { ApplyRecords } from './common/outcomes.ts';
import { createJourneyApplier } from './journey/replay-journeys.ts';
import { createProgressApplier } from './parties/common/apply-progress.ts';
import type { ReadRecord } from './common/read-record.ts';
import {
  PROJECTIONS, PROJECTOR_LIMITS, type ProjectionTargets, type RecordReading,
} from './projector/projections.ts';
import type { CheckpointSource } from './rebuild/keep-checkpoint.ts';
import type { WatchSources } from './rebuild/watch-state.ts';
import { groupOf, WORKERS, workerOf, type WorkerId } from './workers.ts';

/** Everything in the state store that is rebuilt. */
export type RebuildTargets =
  & Omit<ProjectionTargets['personal'], 'dropKeys'>
  & ProjectionTargets['access'] & ProjectionTargets['devices'] & ProjectionTargets['deliveries']
  & ProjectionTargets['commands'] & ProjectionTargets['authorizations']
  & {
    readonly shipments: Pick<
      ShipmentStates, 'authorize' | 'reassign' | 'loadJourneys' | 'putJourneys'
    >;
    readonly feeds: Pick<FeedStates, 'open' | 'cancel' | 'advance'>;
    readonly webhooks: Pick<WebhookStates, 'apply' | 'advance'>;
  };

/**
 * What a state store is rebuilt from, by the table of workers and with their own functions: first
 * what calls need, then the last fixes.
 */
export function rebuildSourcesOf(
  states: RebuildTargets, readRecord: ReadRecord,
): WatchSources {
  const targets = { ...states, readRecord };
  const rebuilt = WORKERS.flatMap(({ id }) => {
    const { rebuild } = workerOf(id);
    return rebuild === undefined ? [] : [{ ...rebuild, applyRecords: applierOf(id, targets) }];
  });
  const later = rebuilt.filter(({ after }) => after.length > 0);
  return {
    state: rebuilt.filter(({ before }) => before.length > 0)
      .map(({ before, applyRecords }) => ({ topics: before, applyRecords })),
    lastFixes: {
      topics: later.flatMap(({ after }) => after),
      applyRecords: applyByTopic(Object.fromEntries(later.flatMap(({ after, applyRecords }) =>
        after.map((topic) => [topic, applyRecords])))),
    },
  };
}

/**
 * By which commits it is known what the state store holds. Workers that commit nothing are left
 * out: their topics are replayed whole.
 */
export function checkpointSources(): readonly CheckpointSource[] {
  return WORKERS.flatMap(({ id }) => {
    const { rebuild, reads } = workerOf(id);
    if (rebuild === undefined || reads.length === 0) return [];
    const topics = [...rebuild.before, ...rebuild.after];
    const commits = topics.every((topic) => reads.includes(topic)) ? topics : reads;
    return [{ group: groupOf(id), topics, commits }];
  });
}

function applierOf(id: WorkerId, targets: RebuildTargets & RecordReading): ApplyRecords {
  const { readRecord } = targets;
  switch (id) {
    case 'projector.personal':
      return PROJECTIONS.personal(PROJECTOR_LIMITS, {
        personalKeys: targets.personalKeys, readRecord,
      });
    case 'projector.access': return PROJECTIONS.access(PROJECTOR_LIMITS, targets);
    case 'projector.devices': return PROJECTIONS.devices(PROJECTOR_LIMITS, targets);
    case 'projector.deliveries': return PROJECTIONS.deliveries(PROJECTOR_LIMITS, targets);
    case 'projector.commands': return PROJECTIONS.commands(PROJECTOR_LIMITS, targets);
    case 'projector.authorizations': return PROJECTIONS.authorizations(PROJECTOR_LIMITS, targets);
    case 'journey': return createJourneyApplier(targets.shipments, readRecord);
    case 'parties.feeds': return createProgressApplier('feeds', targets.feeds, readRecord);
    case 'parties.webhooks':
      return createProgressApplier('webhookOutboxes', targets.webhooks, readRecord);
    case 'table-writer':
    case 'table-writer.overflow':
    case 'parties.commands':
    case 'parties.authorizations':
    case 'parties.examinations':
      throw new Error(`The worker ${id} keeps nothing in the state store that is rebuilt.`);
  }
}
