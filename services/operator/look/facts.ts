import { isDecoded, type LogReader, type LogRecord } from '../../kernel/record-log.ts';

/** A fact of the log and the record that holds it. */
export interface PlacedFact<Fact> {
  readonly fact: Fact;
  readonly record: LogRecord;
}

/** The facts of a topic under a key of the log, oldest first; what cannot be read is left out. */
export async function factsUnder<Fact>(
  reader: LogReader, topic: string, isWanted: (record: LogRecord, fact: Fact) => boolean,
): Promise<readonly PlacedFact<Fact>[]> {
  const found: PlacedFact<Fact>[] = [];
  await reader.readToEnd([topic], async (records) => {
    for (const record of records) {
      if (!isDecoded(record)) continue;
      const fact = JSON.parse(record.value.toString('utf8')) as Fact;
      if (isWanted(record, fact)) found.push({ fact, record });
    }
    await Promise.resolve();
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
