import { readFact, type FactContents } from '../../../domain/live/facts.ts';
import { mayFollow, type Viewer } from '../../../domain/live/scope.ts';
import type { LogRange, LogRangeReader } from '../../../kernel/log-watch.ts';
import { isDecoded, type LogRecord } from '../../../kernel/record-log.ts';
import type { OutboxName } from '../../../kernel/webhooks.ts';

/** A fact that a webhook is to get, with the record that it is in. */
export interface OutboxFact {
  readonly record: LogRecord;
  readonly contents: FactContents;
  readonly offset: number;
}

/** Facts of a part of an outbox, and the offset behind the last record that was read. */
export interface ReadPart {
  readonly facts: readonly OutboxFact[];
  readonly reached: number;
}

/** Which part is read, for whom, and what of it is wanted. */
export interface PartQuestion {
  readonly name: OutboxName;
  readonly viewer: Viewer;
  readonly from: number;
  readonly to: number;
  readonly factsMax: number;
  /** Keys that the facts may be of. */
  readonly keysMax: number;
  /** False for a fact that is left out here. */
  readonly isWanted: (key: string, offset: number) => boolean;
}

const SLICE_RECORDS = 64;

/**
 * Reads a part of a partition and keeps what the webhook may see of it, up to so many facts. What
 * cannot be read is no fact, as in the feed.
 */
export async function readPart(
  reader: Pick<LogRangeReader, 'readRanges'>, question: PartQuestion,
): Promise<ReadPart> {
  const { to, factsMax, keysMax } = question;
  const facts: OutboxFact[] = [];
  const keys = new Set<string>();
  let reached = to;
  await untilEnough(() => reader.readRanges(slicesOf(question), async (records) => {
    for (const record of records) {
      const fact = isDecoded(record) ? factIn(record, question) : undefined;
      if (fact === undefined) continue;
      keys.add(fact.record.key);
      if (facts.length >= factsMax || keys.size > keysMax) {
        reached = fact.offset;
        throw new Enough();
      }
      facts.push(fact);
    }
    return Promise.resolve();
  }));
  return { facts, reached };
}

/** Small slices: a read fetches little beyond what is sent. */
function slicesOf({ name: { topic, partition }, from, to }: PartQuestion): readonly LogRange[] {
  const slices = Math.max(0, Math.ceil((to - from) / SLICE_RECORDS));
  return Array.from({ length: slices }, (_, nth) => {
    const start = from + nth * SLICE_RECORDS;
    return {
      topic, partition, start: BigInt(start), end: BigInt(Math.min(to, start + SLICE_RECORDS)),
    };
  });
}

function factIn(
  record: LogRecord, { viewer, isWanted }: PartQuestion,
): OutboxFact | undefined {
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
