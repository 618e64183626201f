import { parseFields } from './json-fields.ts';
import { isDecoded, type LogReader, type LogRecord } from './record-log.ts';

/**
 * Reads all facts of topics, those of a partition in order. What is no JSON object is
 * left out: the worker of its topic dead-letters it. Of the rest the shape is believed.
 */
export async function eachFact<Fact extends object>(
  reader: LogReader, topics: readonly string[], use: (fact: Fact, record: LogRecord) => void,
): Promise<void> {
  await reader.readToEnd(topics, (records) => {
    for (const record of records) {
      if (!isDecoded(record)) continue;
      const fact = parseFields(record.value);
      if (fact !== undefined) use(fact as unknown as Fact, record);
    }
    return Promise.resolve();
  });
}
