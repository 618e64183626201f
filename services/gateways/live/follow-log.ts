import { topicsOf } from '../../domain/live/facts.ts';
import { FACT_KINDS } from '../../domain/live/scope.ts';
import type { FeedLayout } from '../../domain/live/offsets.ts';
import type { Clock } from '../../kernel/clock.ts';
import {
  LogCut, type FollowedPartition, type LogFollower, type PartitionExtent,
} from '../../kernel/log-follower.ts';
import type { Signals } from '../../kernel/signals.ts';
import { createFeedCursor, type FeedCursor } from './feed-cursor.ts';
import type { FactFeed } from './facts/fact-feed.ts';
import { FIX_TOPICS, PROJECTED_TOPICS } from './fixes/apply-records.ts';
import type { FixFeed } from './fixes/fix-feed.ts';
import type { LiveLimits } from './limits.ts';
import { createRest } from './rest.ts';
import { seedMap, type SeedPorts } from './seed-map.ts';

/** What following the log for both feeds needs from outside. */
export interface FollowLogPorts extends SeedPorts {
  readonly follower: LogFollower;
  readonly clock: Clock;
  readonly signals: Signals;
  readonly fixes: FixFeed;
  readonly facts: FactFeed;
  /** The group that puts positions into the state store. */
  readonly projectorGroup: string;
}

/** Every topic that the live gateway reads. */
export const LIVE_TOPICS: readonly string[] = [
  ...new Set([...FIX_TOPICS, ...topicsOf(FACT_KINDS)]),
];

/** The following of the log. */
export interface FollowLog {
  /** Follows until `left` is aborted; rejects only for a defect. */
  run(left: AbortSignal): Promise<void>;
  /** True once it has begun, also while it rests. */
  hasBegun(): boolean;
  /** True while records come. */
  isFollowing(): boolean;
  /** Reads no more, and forgets the map, until {@link FollowLog.wake}. */
  rest(): void;
  /** Ends a rest. */
  wake(): void;
  /** Age of the newest record since the last call, in seconds; 0 without any. */
  takeBehindSeconds(): number;
}

/**
 * Follows the log for both feeds, by one read. It asks up to where the projector has come, and
 * then reads the map from the state store: what is before is on the map, and the follower reads
 * what comes after. While it rests, a record costs nothing here; it begins again after that.
 */
export function createFollowLog(limits: LiveLimits, ports: FollowLogPorts): FollowLog {
  const { follower, fixes, facts, signals, clock } = ports;
  const resting = createRest();
  let hasBegun = false;
  let isFollowing = false;
  let newestMs: number | undefined;

  async function begin(reason: string, left: AbortSignal): Promise<readonly FollowedPartition[]> {
    const extents = await follower.extents(LIVE_TOPICS);
    const committed = await follower.committed(ports.projectorGroup, PROJECTED_TOPICS);
    const from = extents.map((extent): FollowedPartition => ({
      topic: extent.topic, topicId: extent.topicId, partition: extent.partition,
      next: nextOf(extent, committed),
    }));
    const seed = await seedMap(ports, limits, extents, left);
    if (seed === undefined || left.aborted) return [];
    // The store may know of a stop that is behind `from`: its device is not in the seed any more.
    const seeded = endsOf(await follower.extents(FIX_TOPICS));
    fixes.begin(cursorOf(from, FIX_TOPICS), seed, cursorOf(seeded, FIX_TOPICS).offsets());
    facts.begin(cursorOf(endsOf(extents), topicsOf(FACT_KINDS)));
    signals.liveBegan({ reason, devices: seed.fixes.length });
    hasBegun = true;
    return from;
  }

  async function run(left: AbortSignal): Promise<void> {
    let reason = 'started';
    const isLeft = (): boolean => left.aborted;
    while (!isLeft()) {
      const from = await begin(reason, left);
      if (isLeft()) return;
      const asked = resting.asked();
      // A rest may have been wanted while it began; who comes then waits for the next beginning.
      isFollowing = !asked.aborted;
      try {
        await follower.follow(from, (records) => {
          for (const record of records) {
            fixes.take(record);
            facts.take(record);
            newestMs = record.timestampMs;
          }
        }, AbortSignal.any([left, asked]));
        if (!isLeft()) await restUntilAsked(left);
        reason = 'viewer_came';
      } catch (error) {
        if (!(error instanceof LogCut)) throw error;
        reason = 'log_cut';
      }
    }
  }

  async function restUntilAsked(left: AbortSignal): Promise<void> {
    fixes.rest();
    facts.rest();
    signals.liveRested();
    await resting.ended(left);
  }

  return {
    run,
    hasBegun: () => hasBegun,
    isFollowing: () => isFollowing,
    rest() {
      // At once: who comes now waits for the next beginning.
      isFollowing = false;
      resting.begin();
    },
    wake: () => { resting.end(); },
    takeBehindSeconds() {
      const seconds = newestMs === undefined ? 0 : Math.max(0, clock.nowMs() - newestMs) / 1_000;
      newestMs = undefined;
      return seconds;
    },
  };
}

/** Where facts begin: of what the projector has not seen yet only the map needs to know. */
function endsOf(extents: readonly PartitionExtent[]): readonly FollowedPartition[] {
  return extents.map(({ end, ...partition }) => ({ ...partition, next: end }));
}

/** Where the projector stands, as far as the log still has that; for other topics the end. */
function nextOf(
  { topic, partition, start, end }: PartitionExtent, committed: ReadonlyMap<string, bigint>,
): bigint {
  if (!PROJECTED_TOPICS.includes(topic)) return end;
  const next = committed.get(`${topic}:${partition}`) ?? start;
  if (next < start) return start;
  return next > end ? end : next;
}

function cursorOf(from: readonly FollowedPartition[], topics: readonly string[]): FeedCursor {
  const own = from.filter(({ topic }) => topics.includes(topic))
    .toSorted((one, other) => (
      topics.indexOf(one.topic) - topics.indexOf(other.topic) || one.partition - other.partition
    ));
  const layout: FeedLayout = own.map(({ topic, topicId, partition }) => (
    { topic, topicId, partition }
  ));
  return createFeedCursor(layout, own.map(({ next }) => Number(next)));
}
