import type { LogRange, LogRangeReader } from '../../../kernel/log-watch.ts';
import type { LogReader } from '../../../kernel/record-log.ts';
import type { Signals } from '../../../kernel/signals.ts';
import type { LogAdmin } from '../admin.ts';
import { backoffMs, pause } from '../backoff.ts';
import type { ConnectionLimits, ReaderLimits } from '../config.ts';
import { createFetcher, type Fetcher, type FetchOffset } from '../consume/fetcher.ts';
import { hasReason, reasonOf } from '../errors.ts';
import { unframe, type RawRecord } from '../frame.ts';

/** Reads whole topics, or parts of them. */
export type RangeReader = LogReader & Pick<LogRangeReader, 'readRanges'>;

/** What a reader needs of its surroundings. */
export interface ReaderPorts {
  readonly admin: LogAdmin;
  readonly signals: Signals;
  readonly random: () => number;
}

interface OpenRange extends FetchOffset {
  readonly end: bigint;
}

/** Of a range of at most so many records no more bytes are asked for: most are single records. */
const SMALL_RECORDS = 64n;
const SMALL_BYTES = 131_072;

/**
 * Reads whole topics by fetch requests, in no group. Transient errors are repeated forever: a
 * rebuild must not end half-way. What retention removes meanwhile is left out, as if the read had
 * begun later.
 */
export function platformaticReader(
  connection: ConnectionLimits,
  limits: ReaderLimits,
  ports: ReaderPorts,
): RangeReader {
  const { admin, signals } = ports;

  async function readRanges(
    ranges: readonly LogRange[],
    onRecords: Parameters<LogReader['readToEnd']>[1],
  ): Promise<void> {
    const topics = [...new Set(ranges.map(({ topic }) => topic))];
    if (topics.length === 0) return;
    const topicIds = await admin.topicIds(topics);
    let open: OpenRange[] = ranges.map(({ topic, partition, start, end }) => ({
      topic, topicId: topicIds.get(topic) ?? '', partition, next: start, end,
      ...(end - start <= SMALL_RECORDS ? { bytesMax: SMALL_BYTES } : {}),
    }));
    const fetcher = createFetcher(connection, topics, limits);
    let failures = 0;
    try {
      for (;;) {
        open = open.filter(({ next, end }) => next < end);
        if (open.length === 0) return;
        try {
          const now = firstOfEach(open);
          const raw = await fetchAll(fetcher, now);
          failures = 0;
          await handOver(raw, now, limits.batchRecordsMax, onRecords);
        } catch (error) {
          if (!isForeign(error)) throw error;
          failures += 1;
          await recover(error, failures, open, fetcher);
        }
      }
    } finally {
      await fetcher.close();
    }
  }

  async function recover(
    error: unknown,
    failures: number,
    open: readonly OpenRange[],
    fetcher: Fetcher,
  ): Promise<void> {
    signals.logReadRetried({ failures, reason: reasonOf(error) });
    fetcher.forgetLeaders();
    if (hasReason(error, 'OFFSET_OUT_OF_RANGE')) {
      skipRemoved(open, await admin.ranges([...new Set(open.map(({ topic }) => topic))]));
    }
    const { backoffMsMin, backoffMsMax } = limits;
    await pause(backoffMs(failures, backoffMsMin, backoffMsMax, ports.random()));
  }

  return {
    readRanges,
    readToEnd: async (topics, onRecords) => readRanges(await admin.ranges(topics), onRecords),
  };
}

/** A request can name a partition once. */
function firstOfEach(open: readonly OpenRange[]): readonly OpenRange[] {
  const names = new Set<string>();
  return open.filter(({ topic, partition }) => {
    const { size } = names;
    return names.add(`${topic}:${partition}`).size > size;
  });
}

class FetchFailed extends Error {
  constructor(cause: unknown) {
    super('a fetch failed', { cause });
  }
}

/** An error of `onRecords` is the caller's and ends the read; one of a fetch does not. */
function isForeign(error: unknown): boolean {
  return error instanceof FetchFailed;
}

async function fetchAll(
  fetcher: Fetcher,
  open: readonly OpenRange[],
): Promise<readonly RawRecord[]> {
  try {
    const leaders = await fetcher.byLeader(open);
    const fetches = [...leaders].map(([node, fetchOffsets]) => fetcher.fetch(node, fetchOffsets));
    const rounds = await Promise.allSettled(fetches);
    const records: RawRecord[] = [];
    for (const round of rounds) if (round.status === 'fulfilled') records.push(...round.value);
    const failure = rounds.find((round) => round.status === 'rejected');
    // What other brokers answered counts: their positions have moved.
    if (failure !== undefined && records.length === 0) throw failure.reason;
    return records;
  } catch (error) {
    throw new FetchFailed(error);
  }
}

/** Records that came after the read began are not part of it. */
async function handOver(
  raw: readonly RawRecord[],
  open: readonly OpenRange[],
  batchRecordsMax: number,
  onRecords: Parameters<LogReader['readToEnd']>[1],
): Promise<void> {
  const ends = new Map(open.map(({ topic, partition, end }) => [`${topic}:${partition}`, end]));
  const wanted = raw.filter(({ topic, partition, offset }) => (
    offset < (ends.get(`${topic}:${partition}`) ?? 0n)
  ));
  for (let at = 0; at < wanted.length; at += batchRecordsMax) {
    await onRecords(wanted.slice(at, at + batchRecordsMax).map(unframe));
  }
}

function skipRemoved(open: readonly OpenRange[], ranges: readonly LogRange[]): void {
  const starts = new Map(ranges.map((range) => [`${range.topic}:${range.partition}`, range.start]));
  for (const range of open) {
    const start = starts.get(`${range.topic}:${range.partition}`) ?? 0n;
    if (start > range.next) range.next = start;
  }
}
