import type { Checkpoints } from '../../kernel/checkpoints.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { LogRange, LogRangeReader, LogWatch } from '../../kernel/log-watch.ts';
import type { LogReader } from '../../kernel/record-log.ts';
import type { Signals } from '../../kernel/signals.ts';

/** What reading the tail works with. */
export interface TailPorts {
  readonly checkpoints: Pick<Checkpoints, 'find'>;
  readonly watch: Pick<LogWatch, 'ranges'>;
  readonly rangeReader: LogRangeReader;
  readonly topicIds: (topics: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly clock: Clock;
  readonly signals: Pick<Signals, 'stateCheckpointFound'>;
}

/**
 * An older checkpoint counts as none: compaction drops the tombstone of a key a day after it, and a
 * store that lacks it would keep the key forever.
 */
export const CHECKPOINT_AGE_MS_MAX = 12 * 3_600_000;

/**
 * A reader for one rebuild, which leaves out what the state store says that it holds. The store is
 * asked at the first read: the right to rebuild is held by then, so that the server that answers
 * is the one that is marked afterwards.
 */
export function createTailReader(
  { checkpoints, watch, rangeReader, topicIds, clock, signals }: TailPorts,
): LogReader {
  let held: Promise<ReadonlyMap<string, bigint>> | undefined;

  async function findHeld(): Promise<ReadonlyMap<string, bigint>> {
    const found = await checkpoints.find();
    const ageMs = found === undefined ? Infinity : clock.nowMs() - found.at_ms;
    if (found === undefined || ageMs > CHECKPOINT_AGE_MS_MAX) return new Map();
    signals.stateCheckpointFound({ seconds: ageMs / 1_000 });
    const ids = await topicIds([...new Set(found.offsets.map(({ topic }) => topic))]);
    return new Map(found.offsets
      .filter(({ topic, topic_id }) => ids.get(topic) === topic_id)
      .map(({ topic, partition, next }) => [`${topic}:${partition}`, BigInt(next)]));
  }

  return {
    async readToEnd(topics, onRecords) {
      held ??= findHeld();
      const offsets = await held;
      const ranges = await watch.ranges(topics);
      await rangeReader.readRanges(ranges.map((range) => tailOf(range, offsets)), onRecords);
    },
  };
}

/** From what is held on; from the first record where the offset is not of this partition. */
function tailOf(range: LogRange, held: ReadonlyMap<string, bigint>): LogRange {
  const next = held.get(`${range.topic}:${range.partition}`) ?? range.start;
  return next > range.start && next <= range.end ? { ...range, start: next } : range;
}
