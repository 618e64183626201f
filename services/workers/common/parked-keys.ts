import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { DeadLetter, DeadLetterRepair } from '../../../schemas/generated/types.ts';
import { isDecoded, type LogReader } from '../../kernel/record-log.ts';
import {
  formatRecordId, parseRecordId, REPLAYED_FROM, type RecordId,
} from '../../kernel/record-id.ts';
import { isFields, parseFields } from '../../kernel/json-fields.ts';

/** The first places of records that wait, oldest first, by the key that is parked. */
export type ParkedKeys = ReadonlyMap<string, readonly RecordId[]>;

interface Wait {
  readonly key: string;
  readonly place: RecordId;
  readonly atMs: number;
}

/**
 * Reads which records of a topic wait for a worker: its letters, less those whose record it has
 * followed up since and those that were given up since. Topics made anew have left their letters
 * behind, so that only places in `topicIds` count.
 */
export async function readParked(
  reader: LogReader, { worker, topic }: { readonly worker: string; readonly topic: string },
  topicIds: readonly string[],
): Promise<ParkedKeys> {
  const waits = new Map<string, Wait>();
  const firstPlaces = new Map<string, string>();
  const settled = new Map<string, number>();
  const givenUp = new Map<string, number>();

  function noteLetter(letter: DeadLetter): void {
    const { origin } = letter;
    if (letter.worker !== worker || origin.topic !== topic || origin.key === null) return;
    const own = placeIn(origin);
    const place = parseRecordId(letter.headers[REPLAYED_FROM]) ?? own;
    if (!topicIds.includes(place.topicId)) return;
    const key = Buffer.from(origin.key, 'base64').toString('utf8');
    firstPlaces.set(formatRecordId(own), formatRecordId(place));
    waits.set(formatRecordId(place), { key, place, atMs: letter.at_ms });
  }

  function noteRepair({ type, origin, worker: who, at_ms }: DeadLetterRepair): void {
    const name = formatRecordId(placeIn(origin));
    if (type === 'DeadLetterResumed' && who === worker) settled.set(name, at_ms);
    if (type === 'DeadLetterDiscarded') givenUp.set(name, at_ms);
  }

  await reader.readToEnd([TOPICS.deadLetters.name, TOPICS.deadLetterRepairs.name], (records) => {
    for (const record of records) {
      if (!isDecoded(record)) continue;
      const told = parseFields(record.value);
      if (!isFields(told?.['origin'])) continue;
      if (record.topic === TOPICS.deadLetters.name) noteLetter(told as unknown as DeadLetter);
      else noteRepair(told as unknown as DeadLetterRepair);
    }
    return Promise.resolve();
  });
  for (const [origin, atMs] of givenUp) {
    const name = firstPlaces.get(origin);
    if (name !== undefined) settled.set(name, Math.max(atMs, settled.get(name) ?? 0));
  }
  return byKey([...waits].filter(([name, { atMs }]) => atMs > (settled.get(name) ?? 0))
    .map(([, wait]) => wait));
}

function byKey(waits: readonly Wait[]): ParkedKeys {
  const keys = new Map<string, RecordId[]>();
  const ordered = [...waits].sort((a, b) => (a.place.offset < b.place.offset ? -1 : 1));
  for (const { key, place } of ordered) {
    const places = keys.get(key);
    if (places === undefined) keys.set(key, [place]);
    else places.push(place);
  }
  return keys;
}

function placeIn(origin: DeadLetter['origin']): RecordId {
  const { topic, topic_id, partition, offset } = origin;
  return { topicId: topic_id ?? topic, partition, offset: BigInt(offset) };
}
