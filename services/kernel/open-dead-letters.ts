import type { DeadLetter, DeadLetterRepair } from '../../schemas/generated/types.ts';
import type { Fold, FoldConfig } from './fold.ts';
import { isFields, parseFields } from './json-fields.ts';
import { formatRecordId, parseRecordId, REPLAYED_FROM } from './record-id.ts';

/** The two topics of dead letters. */
export interface DeadLetterTopics {
  readonly deadLetters: string;
  readonly repairs: string;
}

/** A record about a dead letter: one worker wrote it, or one wrote it again. */
export interface DeadLetterOffset {
  readonly partition: number;
  readonly offset: bigint;
  readonly atMs: number;
}

/** A dead letter that waits. */
export interface OpenDeadLetter {
  /** The first id of its record. */
  readonly first: string;
  /** Of what was written since its last repair; never empty. */
  offsets: readonly DeadLetterOffset[];
}

/** What the log says about dead letters that are open, by the id of the record. */
export interface OpenDeadLetters {
  readonly open: Map<string, OpenDeadLetter>;
  /** When an operator closed a dead letter last; of those that are closed the newest. */
  readonly repairedAt: Map<string, number>;
  /** When a worker resumed what waited, by first id; a checkpoint has only what is open. */
  readonly resumedAt: Map<string, number>;
}

/** A worker that was late may write of a dead letter again after its repair, with an older time. */
const REPAIRED_MAX = 1_000;
/** As many as may be parked; see key-order.ts. */
const RESUMED_MAX = 100_000;

/** Where the fold of open dead letters is kept, for the worker that does and for who reads it. */
export function openDeadLettersConfig(
  { deadLetters, repairs }: DeadLetterTopics,
): Pick<FoldConfig, 'name' | 'form' | 'topics'> {
  return { name: 'dead-letters', form: 1, topics: [repairs, deadLetters] };
}

/** The id of the record that a dead letter or a repair is about. */
export function deadLetterIdOf(
  { topic, topic_id, partition, offset }: DeadLetter['origin'],
): string {
  return formatRecordId({ topicId: topic_id ?? topic, partition, offset: BigInt(offset) });
}

/**
 * Folds which dead letters are open, and where the log has them: those without a repair that is as
 * new as they are. Their contents stay in the log, so that nothing of them is kept elsewhere.
 */
export function openDeadLettersFold({ deadLetters }: DeadLetterTopics): Fold<OpenDeadLetters> {
  return {
    empty: () => ({ open: new Map(), repairedAt: new Map(), resumedAt: new Map() }),

    add(content, { topic, partition, offset, value }) {
      const fields = parseFields(value);
      if (!isFields(fields?.['origin'])) return;
      if (topic === deadLetters) {
        const { origin, headers, at_ms } = fields as unknown as DeadLetter;
        const id = deadLetterIdOf(origin);
        const first = parseRecordId(headers[REPLAYED_FROM]);
        const offsets = content.open.get(id)?.offsets ?? [];
        content.open.set(id, {
          first: first === undefined ? id : formatRecordId(first),
          offsets: [...offsets, { partition, offset, atMs: at_ms }],
        });
        return;
      }
      const { type, origin, at_ms } = fields as unknown as DeadLetterRepair;
      const times = type === 'DeadLetterResumed' ? content.resumedAt : content.repairedAt;
      const id = deadLetterIdOf(origin);
      times.set(id, Math.max(at_ms, times.get(id) ?? 0));
    },

    finish({ open, repairedAt, resumedAt }, ranges) {
      const starts = new Map(ranges.filter(({ topic }) => topic === deadLetters)
        .map(({ partition, start }) => [partition, start]));
      for (const [id, deadLetter] of open) {
        const closedMs = repairedAt.get(id) ?? -Infinity;
        deadLetter.offsets = deadLetter.offsets.filter(({ partition, offset, atMs }) => (
          atMs > closedMs && offset >= (starts.get(partition) ?? 0n)));
        if (deadLetter.offsets.length === 0) open.delete(id);
      }
      keepNewest(repairedAt, REPAIRED_MAX);
      keepNewest(resumedAt, RESUMED_MAX);
    },

    write: written,
    read(json) {
      const [open, repairedAt, resumedAt] = json as ReturnType<typeof written>;
      return {
        open: new Map(open.map(([id, first, offsets]) => [id, {
          first: first ?? id,
          offsets: offsets.map(([partition, offset, atMs]) => (
            { partition, offset: BigInt(offset), atMs })),
        }])),
        repairedAt: new Map(repairedAt), resumedAt: new Map(resumedAt),
      };
    },
  };
}

function written({ open, repairedAt, resumedAt }: OpenDeadLetters) {
  const firsts = new Set([...open.values()].map(({ first }) => first));
  return [
    [...open].map(([id, { first, offsets }]) => [
      id, first === id ? null : first,
      offsets.map(({ partition, offset, atMs }) => [partition, String(offset), atMs] as const),
    ] as const),
    [...repairedAt], [...resumedAt].filter(([first]) => firsts.has(first)),
  ] as const;
}

function keepNewest(times: Map<string, number>, countMax: number): void {
  if (times.size <= countMax) return;
  const oldestFirst = [...times].sort(([a, aMs], [b, bMs]) => aMs - bMs || (a < b ? -1 : 1));
  for (const [id] of oldestFirst.slice(0, -countMax)) times.delete(id);
}
