import { Admin } from '@platformatic/kafka';
import { createOffsetSeals } from '../../services/adapters/secrets/offset-seals.ts';
import { sha256 } from '../../services/adapters/secrets/secrets.ts';
import { systemClock, systemPause } from '../../services/adapters/system/system.ts';
import { createLive, type Live } from '../../services/gateways/live/create-live.ts';
import { LIVE_TOPICS } from '../../services/gateways/live/follow-log.ts';
import { LIVE_LIMITS, type LiveLimits } from '../../services/gateways/live/limits.ts';
import { followFacts } from '../../services/gateways/live/operations/follow-facts.ts';
import { followFixes } from '../../services/gateways/live/operations/follow-fixes.ts';
import type { AdmittedCaller } from '../../services/kernel/admission.ts';
import type { FleetPage, LastFix } from '../../services/kernel/fixes.ts';
import type { OutgoingRecord } from '../../services/kernel/record-log.ts';
import { silentSignals } from '../../services/kernel/signals.ts';
import { openEdge, type Edge } from './edge.ts';
import { followFeed, type Follower } from './follow-feed.ts';
import { openOwnTopics, type OwnTopics } from './own-topics.ts';
import { stackEnv } from './stack.ts';

/** One copy of the live gateway: its feeds behind a real HTTP edge. */
export interface LiveCopy {
  readonly live: Live;
  readonly edge: Edge;
  /** How often it has begun to rest, as no caller followed. */
  rests(): number;
  /** What its token opens from now on, also of streams that are open. */
  admit(caller: AdmittedCaller): void;
  follow(path: string, caller: AdmittedCaller, lastEventId?: string): Promise<Follower>;
  /** Ends it as a crash does: lines are cut. */
  kill(): Promise<void>;
}

/** A real log with topics of its own, and copies of the live gateway that follow it. */
export interface LiveEnv {
  readonly topics: OwnTopics;
  /** What the state store knows; the next copy begins with it. */
  readonly known: LastFix[];
  /** Last fixes of stopped devices, which are in no fleet. */
  readonly stopped: LastFix[];
  copy(more?: Partial<LiveLimits>): Promise<LiveCopy>;
  append(record: OutgoingRecord): Promise<void>;
  /** Cuts every partition of a topic so that only what comes is left. */
  cut(topic: string): Promise<void>;
  close(): Promise<void>;
}

const APPEND_MS = 20_000;

/** Opens the log; the test closes it with all copies. */
export async function openLiveEnv(partitions = 2): Promise<LiveEnv> {
  const topics = await openOwnTopics(LIVE_TOPICS, partitions);
  const known: LastFix[] = [];
  const stopped: LastFix[] = [];
  const endings: (() => Promise<unknown>)[] = [() => topics.close()];

  async function copy(more: Partial<LiveLimits> = {}): Promise<LiveCopy> {
    let rests = 0;
    const live = createLive({ ...LIVE_LIMITS, tickMs: 20, ...more }, {
      follower: topics.follower, reader: topics.rangeReader, watch: topics.watch,
      ...storeOf(known, stopped), pause: systemPause, clock: systemClock,
      signals: { ...silentSignals, liveRested: () => { rests += 1; } },
      seals: createOffsetSeals('pepper-for-tests'), projectorGroup: 'no-such-group',
    });
    const running = live.run();
    const callers = new Map<string, AdmittedCaller>();
    const edge = await openEdge({
      operations: [...followFixes(live), ...followFacts(live)],
      admission: {
        read: ({ tokenHash }) => Promise.resolve(
          { caller: callers.get(tokenHash), device: undefined, quota: undefined },
        ),
      },
      http: { streamRecheckMs: 50 },
    });
    let ended: Promise<void> | undefined;
    const kill = (): Promise<void> => {
      ended ??= (async () => {
        await Promise.all([edge.close(), live.close()]);
        await running;
      })();
      return ended;
    };
    endings.push(kill);
    while (!live.isReady()) await systemPause(10);
    const admit = (caller: AdmittedCaller): void => {
      callers.set(sha256(tokenOf(caller)), caller);
    };
    return {
      live, edge, admit, kill, rests: () => rests,
      follow(path, caller, lastEventId) {
        admit(caller);
        return followFeed(`${edge.url}${path}`, tokenOf(caller), lastEventId);
      },
    };
  }

  return {
    topics, known, stopped, copy,
    append: (record) => topics.log.append(record, Date.now() + APPEND_MS),
    async cut(topic) {
      const admin = new Admin({
        clientId: 'test-admin', bootstrapBrokers: stackEnv().KAFKA_BROKERS.split(','),
      });
      const extents = await topics.follower.extents([topic]);
      await admin.deleteRecords({
        topics: [{
          name: topics.nameOf(topic),
          partitions: extents.map(({ partition, end }) => ({ partition, offset: end })),
        }],
      });
      await admin.close();
    },
    async close() {
      for (const end of endings.splice(0).toReversed()) await end();
    },
  };
}

/** A token of the right form for each caller, so that none counts as the token of another. */
function tokenOf({ clientId, audience }: AdmittedCaller): string {
  return `00${`${clientId}${audience}`.padEnd(43, 't')}`;
}

/** One page of everything, of the one client that the first shard has. */
function storeOf(known: readonly LastFix[], stopped: readonly LastFix[]) {
  return {
    access: { findClient: () => Promise.resolve(undefined) },
    directory: {
      clientsOf: (shard: number, after: string | undefined) => (
        Promise.resolve(shard === 0 && after === undefined ? ['1'] : [])
      ),
    },
    lastFixes: {
      isComplete: () => Promise.resolve(true),
      find: (_clientId: string, deviceId: string) => (
        Promise.resolve(stopped.find(({ device_id }) => device_id === deviceId))),
      findWithin: (): Promise<FleetPage> => Promise.resolve({ fixes: known, next: undefined }),
    },
  };
}
