import type { Checkpoint, CheckpointOffset } from './checkpoints.ts';

/** What each of these holds: the least offset of each partition that all of them name. */
export function leastCheckpoint(some: readonly Checkpoint[]): Checkpoint | undefined {
  const [first, ...others] = some;
  return first === undefined ? undefined : others.reduce(lesser, first);
}

function lesser(one: Checkpoint, other: Checkpoint): Checkpoint {
  const nameOf = ({ topic, topic_id, partition }: CheckpointOffset): string => (
    `${topic} ${topic_id} ${partition}`
  );
  const known = new Map(other.offsets.map((offset) => [nameOf(offset), offset]));
  return {
    at_ms: Math.min(one.at_ms, other.at_ms),
    offsets: one.offsets.flatMap((offset) => {
      const same = known.get(nameOf(offset));
      if (same === undefined) return [];
      return [BigInt(same.next) < BigInt(offset.next) ? same : offset];
    }),
  };
}
