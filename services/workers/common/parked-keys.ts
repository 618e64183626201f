import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { DeadLetter, DeadLetterRepair } from '../../../schemas/generated/types.ts';
import {
  formatRecordId, parseRecordId, REPLAYED_FROM, type RecordId,
} from '../../kernel/record-id.ts';
import { isFields, parseFields } from '../../kernel/json-fields.ts';
import type { Fold } from '../../kernel/fold.ts';

/** The original record ids of records that wait, oldest first, by the key that is parked. */
export type ParkedKeys = ReadonlyMap<string, readonly RecordId[]>;

/** The topics that say which records wait. */
export const PARKING_TOPICS = [TOPICS.deadLetters.name, TOPICS.deadLetterRepairs.name] as const;

interface Wait {
  readonly key: string;
  readonly atMs: number;
}

/** What dead letters of one worker and their repairs say, by record ids. */
export interface ParkingFacts {
  /** By the original record id of what became a dead letter, when it did last. */
  readonly waits: Map<string, Wait>;
  /** The original record id of one that was put back and became a dead letter again. */
  readonly firstRecordIds: Map<string, string>;
  /** When the worker resumed what waited, and when an operator discarded it. */
  readonly resumedAt: Map<string, number>;
  readonly discardedAt: Map<string, number>;
}

/**
 * Folds the dead letters of a worker about one topic, and the repairs of them. What is older than
 * these topics keep it is forgotten, as the topics forget it.
 */
export function parkingFold(
  { worker, topic }: { readonly worker: string; readonly topic: string }, nowMs: () => number,
): Fold<ParkingFacts> {
  function addDeadLetter({ waits, firstRecordIds }: ParkingFacts, deadLetter: DeadLetter): void {
    const { origin } = deadLetter;
    if (deadLetter.worker !== worker || origin.topic !== topic || origin.key === null) return;
    const own = formatRecordId(recordIdIn(origin));
    const first = parseRecordId(deadLetter.headers[REPLAYED_FROM]);
    const name = first === undefined ? own : formatRecordId(first);
    const key = Buffer.from(origin.key, 'base64').toString('utf8');
    if (name !== own) firstRecordIds.set(own, name);
    waits.set(name, { key, atMs: deadLetter.at_ms });
  }

  function addRepair(
    { resumedAt, discardedAt }: ParkingFacts,
    { type, origin, worker: who, at_ms }: DeadLetterRepair,
  ): void {
    const name = formatRecordId(recordIdIn(origin));
    if (type === 'DeadLetterResumed' && who === worker) resumedAt.set(name, at_ms);
    if (type === 'DeadLetterDiscarded' && origin.topic === topic) discardedAt.set(name, at_ms);
  }

  return {
    empty: () => ({
      waits: new Map(), firstRecordIds: new Map(), resumedAt: new Map(), discardedAt: new Map(),
    }),
    add(parking, record) {
      const content = parseFields(record.value);
      if (!isFields(content?.['origin'])) return;
      if (record.topic === TOPICS.deadLetters.name) {
        addDeadLetter(parking, content as unknown as DeadLetter);
      } else addRepair(parking, content as unknown as DeadLetterRepair);
    },
    write: (parking) => written(parking, nowMs()),
    read(json) {
      const [waits, firstRecordIds, resumedAt, discardedAt] = json as ReturnType<typeof written>;
      return {
        waits: new Map(waits.map(([name, key, atMs]) => [name, { key, atMs }])),
        firstRecordIds: new Map(firstRecordIds),
        resumedAt: new Map(resumedAt), discardedAt: new Map(discardedAt),
      };
    },
  };
}

function written({ waits, firstRecordIds, resumedAt, discardedAt }: ParkingFacts, nowMs: number) {
  const isKept = ([, atMs]: readonly [string, number]): boolean => (
    atMs + TOPICS.deadLetterRepairs.retention_ms > nowMs
  );
  const kept = [...waits].filter(([, { atMs }]) => isInLog(atMs, nowMs));
  const names = new Set(kept.map(([name]) => name));
  return [
    kept.map(([name, { key, atMs }]) => [name, key, atMs] as const),
    [...firstRecordIds].filter(([, name]) => names.has(name)),
    [...resumedAt].filter(isKept), [...discardedAt].filter(isKept),
  ] as const;
}

function isInLog(atMs: number, nowMs: number): boolean {
  return atMs + TOPICS.deadLetters.retention_ms > nowMs;
}

/**
 * Which records wait: dead letters without those that the worker has resumed and those that were
 * discarded. A topic that was created again does not own the dead letters of the one before it, so
 * only record ids in `topicIds` count.
 */
export function parkedIn(
  parking: ParkingFacts, topicIds: readonly string[], nowMs: number,
): ParkedKeys {
  const closedAt = new Map(parking.resumedAt);
  for (const [origin, atMs] of parking.discardedAt) {
    const name = parking.firstRecordIds.get(origin) ?? origin;
    closedAt.set(name, Math.max(atMs, closedAt.get(name) ?? 0));
  }
  const keys = new Map<string, RecordId[]>();
  for (const [name, { key, atMs }] of parking.waits) {
    const recordId = parseRecordId(name);
    const isOurs = recordId !== undefined && topicIds.includes(recordId.topicId);
    if (!isOurs || atMs <= (closedAt.get(name) ?? 0) || !isInLog(atMs, nowMs)) continue;
    keys.set(key, [...keys.get(key) ?? [], recordId]);
  }
  for (const recordIds of keys.values()) {
    recordIds.sort((a, b) => (a.offset < b.offset ? -1 : 1));
  }
  return keys;
}

function recordIdIn(origin: DeadLetter['origin']): RecordId {
  const { topic, topic_id, partition, offset } = origin;
  return { topicId: topic_id ?? topic, partition, offset: BigInt(offset) };
}
