import { createOffsetSeals } from '../../services/adapters/secrets/offset-seals.ts';
import { systemClock, systemPause } from '../../services/adapters/system/system.ts';
import { createLive } from '../../services/gateways/live/create-live.ts';
import { LIVE_LIMITS } from '../../services/gateways/live/limits.ts';
import { followFixes } from '../../services/gateways/live/operations/follow-fixes.ts';
import type { LogFollower } from '../../services/kernel/log-follower.ts';
import { silentSignals } from '../../services/kernel/signals.ts';
import type { StreamLine } from '../../services/kernel/stream-line.ts';
import { openEdge } from '../support/edge.ts';
import { post } from '../support/live-feeds.ts';

const PARTITIONS = 12;

/** A live gateway in this process, and its lines. */
export interface LiveGateway {
  readonly url: string;
  readonly lines: ReadonlySet<StreamLine>;
}

/** Opens a live gateway for whose log every device posts one fix a second. */
export async function openLiveGateway(devices: number): Promise<LiveGateway> {
  const live = createLive(LIVE_LIMITS, {
    follower: eachSecond(devices), reader: { readRanges: () => Promise.resolve() },
    watch: { firstSince: () => Promise.resolve(new Map()) },
    access: { findClient: () => Promise.resolve(undefined) },
    directory: { clientsOf: () => Promise.resolve([]) },
    lastFixes: {
      isComplete: () => Promise.resolve(true),
      find: () => Promise.resolve(undefined),
      findWithin: () => Promise.resolve({ fixes: [], next: undefined }),
    },
    seals: createOffsetSeals('pepper-of-a-bench'), projectorGroup: 'none',
    clock: systemClock, pause: systemPause, signals: silentSignals,
  });
  void live.run();
  const lines = new Set<StreamLine>();
  const edge = await openEdge({
    operations: followFixes({
      ...live,
      fixes: {
        join(question, line) {
          lines.add(line);
          const leave = live.fixes.join(question, line);
          return () => {
            lines.delete(line);
            leave();
          };
        },
      },
    }),
    server: { connectionsMax: 4_096, connectionsPerAddressMax: 4_096 },
    admission: {
      read: () => Promise.resolve({
        caller: {
          clientId: '3', userId: '3', audience: 'platform', scopes: ['platform:read'], providers: [],
        },
        device: undefined, quota: undefined,
      }),
    },
  });
  while (!live.isReady()) await systemPause(10);
  return { url: `${edge.url}/platform/live/positions`, lines };
}

/** A log to which every device adds a post each second, a twentieth of them every 50 ms. */
function eachSecond(devices: number): LogFollower {
  return {
    extents: (topics) => Promise.resolve(topics.flatMap((topic) => (
      Array.from({ length: PARTITIONS }, (_, partition) => (
        { topic, topicId: topic, partition, start: 0n, end: 0n }
      ))
    ))),
    committed: () => Promise.resolve(new Map()),
    async follow(_from, onRecords, left) {
      const offsets = Array<number>(PARTITIONS).fill(0);
      const ids = Array.from({ length: devices }, (_, nth) => (
        `00000000-0000-8000-8000-${String(nth).padStart(12, '0')}`
      ));
      for (let tick = 0; !left.aborted; tick += 1) {
        const begins = performance.now();
        const second = Math.floor(tick / 20);
        onRecords(ids.filter((_, nth) => nth % 20 === tick % 20).map((id, nth) => {
          const partition = nth % PARTITIONS;
          const offset = offsets[partition] ?? 0;
          offsets[partition] = offset + 1;
          return post(offset, id, second, 48 + (second % 1_000) / 10_000, { partition });
        }));
        await systemPause(Math.max(1, 50 - (performance.now() - begins)));
      }
    },
  };
}
