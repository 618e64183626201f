import { readFact, type FactContents } from '../../../domain/live/facts.ts';
import { mayFollow, type Viewer } from '../../../domain/live/scope.ts';
import type { LogRangeReader } from '../../../kernel/log-watch.ts';
import { isDecoded, type LogRecord } from '../../../kernel/record-log.ts';
import type { LaneName } from '../../../kernel/webhooks.ts';

/** A fact that a webhook is to get, with the record that it is in. */
export interface LaneFact {
  readonly record: LogRecord;
  readonly contents: FactContents;
  readonly offset: number;
}

/** Facts of a part of a lane, and the offset behind the last record that was looked at. */
export interface ReadPart {
  readonly facts: readonly LaneFact[];
  readonly reached: number;
}

/** Which part is read, for whom, and what of it is wanted. */
export interface PartQuestion {
  readonly name: LaneName;
  readonly viewer: Viewer;
  readonly from: number;
  readonly to: number;
  readonly factsMax: number;
  /** False for a fact that is left out here. */
  readonly isWanted: (key: string, offset: number) => boolean;
}

/**
 * Reads a part of a partition and keeps what the webhook may see of it, up to so many facts. What
 * cannot be read is no fact, as in the feed.
 */
export async function readPart(
  reader: Pick<LogRangeReader, 'readRanges'>, question: PartQuestion,
): Promise<ReadPart> {
  const { name: { topic, partition }, from, to, factsMax } = question;
  const facts: LaneFact[] = [];
  const [start, end] = [BigInt(from), BigInt(to)];
  let reached = to;
  await untilEnough(() => reader.readRanges([{ topic, partition, start, end }], async (records) => {
    for (const record of records) {
      if (facts.length >= factsMax) {
        reached = Number(record.offset);
        throw new Enough();
      }
      const fact = isDecoded(record) ? factIn(record, question) : undefined;
      if (fact !== undefined) facts.push(fact);
    }
    return Promise.resolve();
  }));
  return { facts, reached };
}

function factIn(
  record: LogRecord, { viewer, isWanted }: PartQuestion,
): LaneFact | undefined {
  const offset = Number(record.offset);
  if (!isWanted(record.key, offset)) return undefined;
  const contents = readFact(record);
  if (contents === undefined || !mayFollow(viewer, contents)) return undefined;
  return { record, contents, offset };
}

/** The only way to end a reading before its end is to throw. */
class Enough extends Error {
  override readonly name = 'Enough';
}

async function untilEnough(read: () => Promise<void>): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
}
