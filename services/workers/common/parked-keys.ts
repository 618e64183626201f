import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { DeadLetter, DeadLetterRepair } from '../../../schemas/generated/types.ts';
import { isDecoded, type LogReader } from '../../kernel/record-log.ts';
import {
  formatRecordId, parseRecordId, REPLAYED_FROM, type RecordId,
} from '../../kernel/record-id.ts';
import { isFields, parseFields } from '../../kernel/json-fields.ts';

/** The original record ids of records that wait, oldest first, by the key that is parked. */
export type ParkedKeys = ReadonlyMap<string, readonly RecordId[]>;

interface Wait {
  readonly key: string;
  readonly recordId: RecordId;
  readonly atMs: number;
}

/**
 * Reads which records of a topic wait for a worker: its dead letters, without those that it has
 * resumed and those that were discarded. A topic that was created again does not own the dead
 * letters of the one before it, so only record ids in `topicIds` count.
 */
export async function readParked(
  reader: LogReader, { worker, topic }: { readonly worker: string; readonly topic: string },
  topicIds: readonly string[],
): Promise<ParkedKeys> {
  const waits = new Map<string, Wait>();
  const firstRecordIds = new Map<string, string>();
  const closedAt = new Map<string, number>();
  const discardedAt = new Map<string, number>();

  function addDeadLetter(deadLetter: DeadLetter): void {
    const { origin } = deadLetter;
    if (deadLetter.worker !== worker || origin.topic !== topic || origin.key === null) return;
    const own = recordIdIn(origin);
    const recordId = parseRecordId(deadLetter.headers[REPLAYED_FROM]) ?? own;
    if (!topicIds.includes(recordId.topicId)) return;
    const key = Buffer.from(origin.key, 'base64').toString('utf8');
    firstRecordIds.set(formatRecordId(own), formatRecordId(recordId));
    waits.set(formatRecordId(recordId), { key, recordId, atMs: deadLetter.at_ms });
  }

  function addRepair({ type, origin, worker: who, at_ms }: DeadLetterRepair): void {
    const name = formatRecordId(recordIdIn(origin));
    if (type === 'DeadLetterResumed' && who === worker) closedAt.set(name, at_ms);
    if (type === 'DeadLetterDiscarded') discardedAt.set(name, at_ms);
  }

  await reader.readToEnd([TOPICS.deadLetters.name, TOPICS.deadLetterRepairs.name], (records) => {
    for (const record of records) {
      if (!isDecoded(record)) continue;
      const content = parseFields(record.value);
      if (!isFields(content?.['origin'])) continue;
      if (record.topic === TOPICS.deadLetters.name) addDeadLetter(content as unknown as DeadLetter);
      else addRepair(content as unknown as DeadLetterRepair);
    }
    return Promise.resolve();
  });
  for (const [origin, atMs] of discardedAt) {
    const name = firstRecordIds.get(origin);
    if (name !== undefined) closedAt.set(name, Math.max(atMs, closedAt.get(name) ?? 0));
  }
  return byKey([...waits].filter(([name, { atMs }]) => atMs > (closedAt.get(name) ?? 0))
    .map(([, wait]) => wait));
}

function byKey(waits: readonly Wait[]): ParkedKeys {
  const keys = new Map<string, RecordId[]>();
  const ordered = [...waits].sort((a, b) => (a.recordId.offset < b.recordId.offset ? -1 : 1));
  for (const { key, recordId } of ordered) {
    const recordIds = keys.get(key);
    if (recordIds === undefined) keys.set(key, [recordId]);
    else recordIds.push(recordId);
  }
  return keys;
}

function recordIdIn(origin: DeadLetter['origin']): RecordId {
  const { topic, topic_id, partition, offset } = origin;
  return { topicId: topic_id ?? topic, partition, offset: BigInt(offset) };
}
