import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { FoldSource } from '../../kernel/fold.ts';
import type { LogRange } from '../../kernel/log-watch.ts';
import { REPLAYED_FROM } from '../../kernel/record-id.ts';
import { isDecoded } from '../../kernel/record-log.ts';
import type { DeadLetterSummary } from './dead-letter.ts';

const TOPIC: string = TOPICS.providerCommands.name;

/**
 * Decides for a command whether a newer one of its key exists: a late start would follow the stop
 * that ended it. Reads the commands that came after the oldest of these dead letters, of their
 * partitions alone, and nothing when no dead letter is a command.
 */
export async function newerCommands(
  { watch, rangeReader, topicIds }: FoldSource,
  deadLetters: readonly DeadLetterSummary[],
): Promise<(deadLetter: DeadLetterSummary) => boolean> {
  const commands = deadLetters.filter(({ topic }) => topic === TOPIC);
  const last = new Map<string, bigint>();
  let topicId: string | undefined;
  if (commands.length > 0) {
    topicId = (await topicIds([TOPIC])).get(TOPIC);
    const ranges = await watch.ranges([TOPIC]);
    const newer = ranges.flatMap((range) => rangeAfter(range, commands, topicId));
    await rangeReader.readRanges(newer, (records) => {
      for (const record of records) {
        if (!isDecoded(record) || record.headers[REPLAYED_FROM] !== undefined) continue;
        last.set(record.key, record.offset);
      }
      return Promise.resolve();
    });
  }
  return ({ topic, key, first }) => {
    const own = first.topicId === topicId ? first.offset : -1n;
    return topic === TOPIC && (last.get(key ?? '') ?? -1n) > own;
  };
}

/** In a topic that was made again, all commands are newer than one of the topic before it. */
function rangeAfter(
  range: LogRange, commands: readonly DeadLetterSummary[], topicId: string | undefined,
): readonly LogRange[] {
  const own = commands.filter(({ first }) => first.partition === range.partition);
  const starts = own.map(({ first }) => (
    first.topicId === topicId ? first.offset + 1n : range.start));
  const [least] = starts.toSorted((a, b) => (a < b ? -1 : 1));
  if (least === undefined) return [];
  const start = least > range.start ? least : range.start;
  return start < range.end ? [{ ...range, start }] : [];
}
