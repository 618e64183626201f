import { Unavailable } from '../../../kernel/unavailable.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { nextLingerMs } from '../../../kernel/linger.ts';
import type { Signals } from '../../../kernel/signals.ts';
import { passStep } from '../../signals/steps.ts';
import { backoffMs, pause } from '../backoff.ts';
import type { AppendLimits } from '../config.ts';
import { reasonOf } from '../errors.ts';
import type { FramedRecord } from '../frame.ts';
import { BatchRefused, type PartitionSender } from './sender.ts';

/** A record that is not in the log yet, and its caller. */
export interface Waiter {
  readonly record: FramedRecord;
  readonly deadlineMs: number;
  readonly arrivedMs: number;
  resolve(): void;
  reject(fault: Unavailable): void;
}

/** What a partition queue needs from its log. */
export interface PartitionQueuePorts {
  readonly sender: PartitionSender;
  readonly clock: Clock;
  readonly signals: Signals;
  readonly random: () => number;
  /** Called with the bytes of records that the queue no longer holds. */
  readonly released: (bytes: number) => void;
  /** Aborted when the process gives up what is left. */
  readonly closed: AbortSignal;
}

/** The records of one partition that are not in the log yet, in order. */
export interface PartitionQueue {
  /** True while the batch in progress has been failing for longer than `failFastMs`. */
  stuck(nowMs: number): boolean;
  append(waiter: Waiter): void;
  /** Answers every record whose deadline has passed. */
  sweep(nowMs: number): void;
  /** Sends what is there without waiting for more records; resolves when nothing is left. */
  drain(): Promise<void>;
  /** Answers everything that is left; for the end of the process. */
  rejectAll(): void;
}

/**
 * Appends the records of one partition. One send is in flight at a time; a rejected batch goes
 * again with the very same records, and before anything else, forever: kafkajs loses acknowledged
 * records, or wedges, when other records follow a batch whose outcome is unknown (README.md).
 */
export function createPartitionQueue(
  topic: string,
  partition: number,
  limits: AppendLimits,
  ports: PartitionQueuePorts,
): PartitionQueue {
  const { sender, clock, signals, released } = ports;
  let waiting: Waiter[] = [];
  let waitingBytes = 0;
  let inFlight: readonly Waiter[] = [];
  let inFlightSinceMs = 0;
  const answered = new Set<Waiter>();
  let lingerMs = 0;
  let scheduled = false;
  let draining = false;
  let drained: (() => void)[] = [];

  function schedule(): void {
    if (inFlight.length > 0 || scheduled) return;
    const first = waiting[0];
    if (first === undefined) {
      for (const done of drained) done();
      drained = [];
      return;
    }
    const full = waitingBytes >= limits.batchBytesFull || draining;
    const leftMs = full ? 0 : lingerMs - waitedMs(first, clock);
    scheduled = true;
    // An immediate runs after every callback of this tick, so that calls of one tick share a send.
    if (leftMs <= 0) setImmediate(waitForRoom);
    else setTimeout(waitForRoom, leftMs);
  }

  function waitForRoom(): void {
    const room = draining ? undefined : sender.room?.(topic, partition);
    if (room === undefined) void sendNext();
    else void room.then(sendNext);
  }

  function take(): Waiter[] {
    const { count, bytes } = nextBatch(waiting, limits);
    waitingBytes -= bytes;
    return waiting.splice(0, count);
  }

  async function sendNext(): Promise<void> {
    scheduled = false;
    if (inFlight.length > 0 || waiting.length === 0) {
      schedule();
      return;
    }
    inFlight = take();
    inFlightSinceMs = clock.nowMs();
    lingerMs = nextLingerMs(lingerMs, inFlight.length, limits.lingerMsMax);
    const failure = await deliver(inFlight.map((waiter) => waiter.record));
    const sent = inFlight;
    inFlight = [];
    schedule();
    answer(sent, failure);
  }

  async function deliver(records: readonly FramedRecord[]): Promise<Unavailable | undefined> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        passStep('kafka.before-send', topic);
        await sender.send(topic, partition, records);
        passStep('kafka.after-ack', topic);
        return undefined;
      } catch (error) {
        const refused = error instanceof BatchRefused;
        signals.logSendRejected({
          level: refused ? 'error' : 'warn',
          topic, partition, attempt, records: records.length, reason: reasonOf(error),
        });
        if (refused) return new Unavailable('internal', 'append', `${topic}: ${error.reason}`, error);
      }
      const waitMs = backoffMs(attempt, limits.backoffMsMin, limits.backoffMsMax, ports.random());
      await pause(waitMs, ports.closed);
      if (ports.closed.aborted) return new Unavailable('log_timeout', 'append', `${topic}: closed`);
    }
  }

  function answer(sent: readonly Waiter[], failure: Unavailable | undefined): void {
    if (failure === undefined) {
      const seconds = (clock.nowMs() - inFlightSinceMs) / 1000;
      signals.logBatchSent({ topic, records: sent.length, seconds });
    }
    let bytes = 0;
    for (const waiter of sent) {
      bytes += waiter.record.bytes;
      if (answered.delete(waiter)) continue;
      if (failure === undefined) waiter.resolve();
      else waiter.reject(failure);
    }
    released(bytes);
  }

  function dropWaiting(late: (waiter: Waiter) => boolean, why: string): void {
    const out = waiting.filter(late);
    if (out.length === 0) return;
    waiting = waiting.filter((waiter) => !late(waiter));
    const bytes = out.reduce((sum, waiter) => sum + waiter.record.bytes, 0);
    waitingBytes -= bytes;
    released(bytes);
    signals.logRecordsUnsent({ topic, records: out.length });
    for (const waiter of out) {
      waiter.reject(new Unavailable('log_unavailable', 'append', `${topic}: ${why}, never sent`));
    }
  }

  function answerInFlight(late: (waiter: Waiter) => boolean, why: string): void {
    for (const waiter of inFlight) {
      if (answered.has(waiter) || !late(waiter)) continue;
      answered.add(waiter);
      waiter.reject(new Unavailable('log_timeout', 'append', `${topic}: ${why}, outcome unknown`));
    }
  }

  return {
    stuck: (nowMs) => inFlight.length > 0 && nowMs - inFlightSinceMs > limits.failFastMs,
    append(waiter) {
      waiting.push(waiter);
      waitingBytes += waiter.record.bytes;
      schedule();
    },
    sweep(nowMs) {
      const late = (waiter: Waiter): boolean => waiter.deadlineMs <= nowMs;
      dropWaiting(late, 'deadline passed');
      answerInFlight(late, 'deadline passed');
      schedule();
    },
    drain() {
      draining = true;
      return new Promise((resolve) => {
        drained.push(resolve);
        scheduled = false;
        schedule();
      });
    },
    rejectAll() {
      dropWaiting(() => true, 'the process ends');
      answerInFlight(() => true, 'the process ends');
    },
  };
}

/** How many of those who wait fit into one batch, at least one. */
function nextBatch(
  waiting: readonly Waiter[], { batchBytesMax, batchRecordsMax }: AppendLimits,
): { readonly count: number; readonly bytes: number } {
  let count = 0;
  let bytes = 0;
  for (const { record } of waiting) {
    const over = bytes + record.bytes > batchBytesMax || count >= batchRecordsMax;
    if (over && count > 0) break;
    count += 1;
    bytes += record.bytes;
  }
  return { count, bytes };
}

/** A clock that was set back while the record waited must not block its queue for as long. */
function waitedMs({ arrivedMs }: Waiter, clock: Clock): number {
  return Math.max(0, clock.nowMs() - arrivedMs);
}
