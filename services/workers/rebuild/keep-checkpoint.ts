import type { CheckpointOffset, Checkpoints } from '../../kernel/checkpoints.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { GroupOffset, LogRange, LogWatch } from '../../kernel/log-watch.ts';

/** Of which topics a consumer group applies the records, and by what that is known. */
export interface CheckpointSource {
  readonly group: string;
  /** Topics from which the state is rebuilt. */
  readonly topics: readonly string[];
  /**
   * Topics that the group commits: the same, or those from which it makes the records of `topics`,
   * each of them stored before the commit of the record that it was made from.
   */
  readonly commits: readonly string[];
}

/** What keeping checkpoints works with. */
export interface CheckpointPorts {
  readonly checkpoints: Checkpoints;
  readonly watch: Pick<LogWatch, 'offsets' | 'ranges'>;
  readonly topicIds: (topics: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly clock: Clock;
}

/** Ends of made topics, with the ends that their sources had afterwards. */
interface Barrier {
  readonly atMs: number;
  readonly made: readonly LogRange[];
  readonly sources: readonly LogRange[];
}

/** What a group makes beside its commits, as from a repair, is in the store by then. */
const BARRIER_MS_MIN = 600_000;

/**
 * Makes what keeps a checkpoint: it reads what groups have committed, whose records are therefore
 * in the store, and then keeps these offsets there. Of a topic that a group makes itself it takes
 * the ends, once the group has committed all that was there to make it from.
 */
export function createKeepCheckpoint(
  sources: readonly CheckpointSource[], ports: CheckpointPorts,
): () => Promise<boolean> {
  const { checkpoints, watch, topicIds, clock } = ports;
  const barriers = new Map<string, Barrier>();
  /** Offsets of made topics that are known to be in the store. */
  const passed = new Map<string, ReadonlyMap<string, bigint>>();

  async function offsetsOf(source: CheckpointSource): Promise<ReadonlyMap<string, bigint>> {
    const committed = await watch.offsets(source.group, source.commits);
    if (source.commits === source.topics) return nextOffsets(committed);
    const barrier = barriers.get(source.group);
    const nowMs = clock.nowMs();
    const isOld = barrier !== undefined && nowMs - barrier.atMs >= BARRIER_MS_MIN;
    if (barrier === undefined || (isOld && hasPassed(committed, barrier))) {
      if (barrier !== undefined) passed.set(source.group, endOffsets(barrier.made));
      const made = await watch.ranges(source.topics);
      barriers.set(source.group, {
        atMs: nowMs, made, sources: await watch.ranges(source.commits),
      });
    }
    return passed.get(source.group) ?? new Map();
  }

  return async function keepCheckpoint() {
    const at_ms = clock.nowMs();
    const ids = await topicIds([...new Set(sources.flatMap(({ topics }) => topics))]);
    const offsets: CheckpointOffset[] = [];
    for (const source of sources) {
      for (const [name, next] of await offsetsOf(source)) {
        const at = name.lastIndexOf(':');
        const topic = name.slice(0, at);
        const topic_id = ids.get(topic);
        const partition = Number(name.slice(at + 1));
        if (topic_id !== undefined) {
          offsets.push({ topic, topic_id, partition, next: String(next) });
        }
      }
    }
    return checkpoints.keep({ at_ms, offsets });
  };
}

function nextOffsets(offsets: readonly GroupOffset[]): ReadonlyMap<string, bigint> {
  return new Map(offsets.map(({ topic, partition, next }) => [`${topic}:${partition}`, next]));
}

function endOffsets(ranges: readonly LogRange[]): ReadonlyMap<string, bigint> {
  return new Map(ranges.map(({ topic, partition, end }) => [`${topic}:${partition}`, end]));
}

function hasPassed(committed: readonly GroupOffset[], { sources }: Barrier): boolean {
  const next = nextOffsets(committed);
  return sources.every(({ topic, partition, end }) => (
    (next.get(`${topic}:${partition}`) ?? 0n) >= end
  ));
}
