import type { Signals } from '../../../kernel/signals.ts';
import { backoffMs, pause } from '../backoff.ts';
import { hasReason, reasonOf } from '../errors.ts';
import { unframe, type AnyRecord } from '../frame.ts';
import type { FetchOffset, Fetcher } from './fetcher.ts';
import { OffsetOutOfRange, TopicRecreated } from './start-offsets.ts';

/** Who takes the records; the batch loop of a consumer is one. */
export interface FetchSink {
  offer(records: readonly AnyRecord[]): void;
  /** Resolves when there is room for another fetch. */
  room(): Promise<void>;
}

/** What a fetch loop needs; it ends when `left` is aborted. */
export interface FetchPorts {
  readonly signals: Signals;
  readonly random: () => number;
  readonly left: AbortSignal;
  /** Called when a broker does not know a topic of the assignment, and when it does again. */
  readonly doubt: (isInDoubt: boolean) => void;
}

/** Waits of a fetch loop, in milliseconds. */
interface FetchWaits {
  /** From one fetch from a broker to the next: what comes meanwhile gathers there. */
  readonly fetchGapMs: number;
  readonly backoffMsMin: number;
}

// A broker learns of a new topic a little later than others: only for long does it mean that the
// topic of our positions is gone.
const UNKNOWN_TOPIC_MAX = 10;
// A broker that is back should not wait long to be asked; one request a second harms no one.
const BACKOFF_MS_MAX = 1_000;

/**
 * Fetches the assignment until it is left. One request per broker is in flight, so that a slow
 * broker does not hold up the others. The next one starts `fetchGapMs` later at the earliest,
 * because a fetch costs much the same however little it brings. Transient errors are repeated
 * forever. An offset that the log does not have any more rejects with {@link OffsetOutOfRange}, a
 * topic that is gone with {@link TopicRecreated}.
 */
export async function fetchAssignment(
  fetcher: Fetcher,
  fetchOffsets: readonly FetchOffset[],
  sink: FetchSink,
  waits: FetchWaits,
  ports: FetchPorts,
): Promise<void> {
  const { left, signals } = ports;
  const isLeft = (): boolean => left.aborted;
  const busy = new Map<number, Promise<void>>();
  /** When each broker was asked last. */
  const askedMs = new Map<number, number>();
  let failures = 0;
  /** How often in a row a broker did not know a topic of ours. */
  const unknown = new Map<number, number>();
  let fatal: Error | undefined;

  async function one(node: number, offsets: readonly FetchOffset[]): Promise<void> {
    try {
      await gap(node);
      if (isLeft()) return;
      const raw = await fetcher.fetch(node, offsets);
      failures = 0;
      if (unknown.delete(node) && unknown.size === 0) ports.doubt(false);
      if (!left.aborted && raw.length > 0) sink.offer(raw.map(unframe));
    } catch (error) {
      await failed(error, node);
    } finally {
      busy.delete(node);
    }
  }

  async function gap(node: number): Promise<void> {
    const restMs = (askedMs.get(node) ?? 0) + waits.fetchGapMs - performance.now();
    if (restMs > 0) await pause(restMs, left);
    askedMs.set(node, performance.now());
  }

  async function failed(error: unknown, node?: number): Promise<void> {
    if (left.aborted) return;
    if (hasReason(error, 'OFFSET_OUT_OF_RANGE')) {
      fatal = new OffsetOutOfRange('The log does not have the next record any more.', {
        cause: error,
      });
      return;
    }
    if (node !== undefined && hasReason(error, 'UNKNOWN_TOPIC_ID')) {
      unknown.set(node, (unknown.get(node) ?? 0) + 1);
      ports.doubt(true);
    }
    if (node !== undefined && (unknown.get(node) ?? 0) >= UNKNOWN_TOPIC_MAX) {
      fatal = new TopicRecreated('A topic that was read is gone, maybe recreated.', { cause: error });
      return;
    }
    signals.logFetchFailed({ reason: reasonOf(error) });
    fetcher.forgetLeaders();
    failures += 1;
    const waitMs = backoffMs(failures, waits.backoffMsMin, BACKOFF_MS_MAX, ports.random());
    await pause(waitMs, left);
  }

  while (!isLeft() && fatal === undefined) {
    await sink.room();
    if (isLeft()) break;
    try {
      for (const [node, offsets] of await fetcher.byLeader(fetchOffsets)) {
        if (!busy.has(node)) busy.set(node, one(node, offsets));
      }
    } catch (error) {
      await failed(error);
    }
    if (busy.size > 0) await Promise.race(busy.values());
    else await pause(waits.backoffMsMin, left);
  }
  await Promise.all(busy.values());
  if (fatal !== undefined && !isLeft()) throw fatal;
}
