import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { isDecoded, type LogReader } from '../../kernel/record-log.ts';
import { REPLAYED_FROM } from '../../kernel/record-id.ts';
import type { DeadLetterSummary } from './dead-letter.ts';

const TOPIC: string = TOPICS.providerCommands.name;

/**
 * Decides for a command whether a newer one of its key exists: a late start would follow the stop
 * that ended it. Reads the commands only when a dead letter is a command.
 */
export async function newerCommands(
  reader: LogReader, deadLetters: readonly DeadLetterSummary[],
): Promise<(deadLetter: DeadLetterSummary) => boolean> {
  const last = new Map<string, bigint>();
  if (deadLetters.some(({ topic }) => topic === TOPIC)) {
    await reader.readToEnd([TOPIC], (records) => {
      for (const record of records) {
        if (!isDecoded(record) || record.headers[REPLAYED_FROM] !== undefined) continue;
        last.set(record.key, record.offset);
      }
      return Promise.resolve();
    });
  }
  return ({ topic, key, first }) => (
    topic === TOPIC && (last.get(key ?? '') ?? -1n) > first.offset
  );
}
