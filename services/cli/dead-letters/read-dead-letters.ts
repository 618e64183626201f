import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { DeadLetter, DeadLetterRepair } from '../../../schemas/generated/types.ts';
import type { Digest } from '../../kernel/digest.ts';
import { isDecoded, type LogReader } from '../../kernel/record-log.ts';
import { formatRecordId } from '../../kernel/record-id.ts';
import { withLetter, type Letter } from './dead-letter.ts';

/** What the log says about dead letters now. */
export interface LetterLog {
  /** By id, in the order of the log. */
  readonly letters: ReadonlyMap<string, Letter>;
  /** First places of records whose parked key has gone on, with the newest time of that. */
  readonly followed: ReadonlyMap<string, number>;
}

/** Reads all letters and repairs; values are left out, since they may be many megabytes. */
export async function readLetters(reader: LogReader, digest: Digest): Promise<LetterLog> {
  const letters = new Map<string, Letter>();
  const followed = new Map<string, number>();
  const repairs = new Map<string, DeadLetterRepair>();
  await reader.readToEnd([TOPICS.deadLetters.name, TOPICS.deadLetterRepairs.name], (records) => {
    for (const { topic, told } of records.filter(isDecoded).map(parsed)) {
      if (topic === TOPICS.deadLetters.name) {
        const letter = told as DeadLetter;
        const id = nameOf(letter.origin);
        letters.set(id, withLetter(letters.get(id), letter, digest));
        continue;
      }
      const repair = told as DeadLetterRepair;
      const id = nameOf(repair.origin);
      if (repair.type !== 'DeadLetterResumed') repairs.set(id, repair);
      else followed.set(id, Math.max(repair.at_ms, followed.get(id) ?? 0));
    }
    return Promise.resolve();
  });
  return {
    letters: new Map([...letters].map(([id, letter]) => [id, settled(letter, repairs.get(id))])),
    followed,
  };
}

/** The values of the named letters, as they lay in the log. */
export async function readValues(
  reader: LogReader, ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Buffer>> {
  const values = new Map<string, Buffer>();
  await reader.readToEnd([TOPICS.deadLetters.name], (records) => {
    for (const { told } of records.filter(isDecoded).map(parsed)) {
      const { origin, value } = told as DeadLetter;
      const id = nameOf(origin);
      if (ids.has(id) && value !== null) values.set(id, Buffer.from(value, 'base64'));
    }
    return Promise.resolve();
  });
  return values;
}

function parsed({ topic, value }: { readonly topic: string; readonly value: Buffer }) {
  return { topic, told: JSON.parse(value.toString('utf8')) as unknown };
}

/** A letter that was written again after its repair is open again. */
function settled(letter: Letter, repair: DeadLetterRepair | undefined): Letter {
  const lastAtMs = Math.max(...letter.reasons.map(({ at_ms }) => at_ms));
  if (repair === undefined || repair.at_ms < lastAtMs) return letter;
  const state = repair.type === 'DeadLetterDiscarded' ? 'given_up' : 'redriven';
  return { ...letter, state, settled_at_ms: repair.at_ms };
}

function nameOf({ topic, topic_id, partition, offset }: DeadLetter['origin']): string {
  return formatRecordId({ topicId: topic_id ?? topic, partition, offset: BigInt(offset) });
}
