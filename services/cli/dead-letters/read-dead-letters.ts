import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { DeadLetter, DeadLetterRepair } from '../../../schemas/generated/types.ts';
import type { Digest } from '../../kernel/digest.ts';
import { deadLetterIdOf } from '../../kernel/open-dead-letters.ts';
import { isDecoded, type LogReader } from '../../kernel/record-log.ts';
import {
  withDeadLetter, type DeadLetterLog, type DeadLetterSummary,
} from '../../operator/dead-letters/dead-letter.ts';

/** Reads all dead letters, the closed ones too, without values, which may be many megabytes. */
export async function readDeadLetters(reader: LogReader, digest: Digest): Promise<DeadLetterLog> {
  const deadLetters = new Map<string, DeadLetterSummary>();
  const resumed = new Map<string, number>();
  const repairs = new Map<string, DeadLetterRepair>();
  await reader.readToEnd([TOPICS.deadLetters.name, TOPICS.deadLetterRepairs.name], (records) => {
    for (const { topic, content } of records.filter(isDecoded).map(parsed)) {
      if (topic === TOPICS.deadLetters.name) {
        const deadLetter = content as DeadLetter;
        const id = deadLetterIdOf(deadLetter.origin);
        deadLetters.set(id, withDeadLetter(deadLetters.get(id), deadLetter, digest));
        continue;
      }
      const repair = content as DeadLetterRepair;
      const id = deadLetterIdOf(repair.origin);
      const last = repairs.get(id)?.at_ms ?? 0;
      if (repair.type !== 'DeadLetterResumed') {
        if (repair.at_ms >= last) repairs.set(id, repair);
      } else resumed.set(id, Math.max(repair.at_ms, resumed.get(id) ?? 0));
    }
    return Promise.resolve();
  });
  return {
    deadLetters: new Map([...deadLetters].map(([id, deadLetter]) => (
      [id, withRepair(deadLetter, repairs.get(id))]
    ))),
    resumed,
  };
}

/** The values of the named dead letters, byte for byte as in the log. */
export async function readValues(
  reader: LogReader, ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Buffer>> {
  const values = new Map<string, Buffer>();
  await reader.readToEnd([TOPICS.deadLetters.name], (records) => {
    for (const { content } of records.filter(isDecoded).map(parsed)) {
      const { origin, value } = content as DeadLetter;
      const id = deadLetterIdOf(origin);
      if (ids.has(id) && value !== null) values.set(id, Buffer.from(value, 'base64'));
    }
    return Promise.resolve();
  });
  return values;
}

function parsed({ topic, value }: { readonly topic: string; readonly value: Buffer }) {
  return { topic, content: JSON.parse(value.toString('utf8')) as unknown };
}

/** A dead letter that was written again after its repair is open again, for what came since. */
function withRepair(
  deadLetter: DeadLetterSummary, repair: DeadLetterRepair | undefined,
): DeadLetterSummary {
  if (repair === undefined) return deadLetter;
  const [first, ...others] = deadLetter.reasons.filter(({ at_ms }) => at_ms > repair.at_ms);
  if (first !== undefined) return { ...deadLetter, reasons: [first, ...others] };
  const state = repair.type === 'DeadLetterDiscarded' ? 'discarded' : 'replayed';
  return { ...deadLetter, state, closed_at_ms: repair.at_ms };
}
