import { eachFact } from '../../kernel/each-fact.ts';
import type { LogReader, LogRecord } from '../../kernel/record-log.ts';

/** A fact of the log and the record that holds it. */
export interface FactInLog<Fact> {
  readonly fact: Fact;
  readonly record: LogRecord;
}

/** The facts of a topic under a key of the log, oldest first; what cannot be read is left out. */
export async function factsUnder<Fact extends object>(
  reader: LogReader, topic: string, isWanted: (record: LogRecord, fact: Fact) => boolean,
): Promise<readonly FactInLog<Fact>[]> {
  const found: FactInLog<Fact>[] = [];
  await eachFact<Fact>(reader, [topic], (fact, record) => {
    if (isWanted(record, fact)) found.push({ fact, record });
  });
  return found;
}

/** A time for people and programs. */
export function isoOf(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** `topic:partition:offset` of a record, where people look for it. */
export function whereOf({ topic, partition, offset }: LogRecord): string {
  return `${topic}:${partition}:${offset}`;
}
