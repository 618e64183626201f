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

/** A record on its way, and who waits for it. */
export interface Waiter {
  readonly record: FramedRecord;
  readonly deadlineMs: number;
  readonly arrivedMs: number;
  resolve(): void;
  reject(fault: Unavailable): void;
}

/** What a lane needs from the log that it belongs to. */
export interface LanePorts {
  readonly sender: PartitionSender;
  readonly clock: Clock;
  readonly signals: Signals;
  readonly random: () => number;
  /** Called with the bytes of records that the lane does not hold any more. */
  readonly released: (bytes: number) => void;
  /** Aborted when the process gives up what is left. */
  readonly givenUp: AbortSignal;
}

/** The records of one partition on their way, in order. */
export interface Lane {
  /** True while the batch under way has been failing for longer than `failFastMs`. */
  stuck(nowMs: number): boolean;
  append(waiter: Waiter): void;
  /** Answers every record whose deadline has passed. */
  sweep(nowMs: number): void;
  /** Sends what is there without waiting for company; resolves when nothing is left. */
  drain(): Promise<void>;
  /** Answers everything that is left; for the end of the process. */
  giveUp(): void;
}

/**
 * One partition's way into the log. One send is in flight at a time; a rejected batch goes again
 * with the very same records, and before anything else, for ever: kafkajs loses acknowledged
 * records, or wedges, when other records follow a batch whose fate is unknown (README.md).
 */
export function createLane(
  topic: string,
  partition: number,
  limits: AppendLimits,
  ports: LanePorts,
): Lane {
  const { sender, clock, signals, released } = ports;
  let waiting: Waiter[] = [];
  let waitingBytes = 0;
  let flight: readonly Waiter[] = [];
  let flightSinceMs = 0;
  const answered = new Set<Waiter>();
  let lingerMs = 0;
  let scheduled = false;
  let draining = false;
  let drained: (() => void)[] = [];

  function look(): void {
    if (flight.length > 0 || scheduled) return;
    const first = waiting[0];
    if (first === undefined) {
      for (const done of drained) done();
      drained = [];
      return;
    }
    const full = waitingBytes >= limits.batchBytesFull || draining;
    const leftMs = full ? 0 : lingerMs - waitedMs(first, clock);
    scheduled = true;
    // An immediate runs after every callback of this turn, so that calls of one turn share a send.
    if (leftMs <= 0) setImmediate(board);
    else setTimeout(board, leftMs);
  }

  function board(): void {
    const room = draining ? undefined : sender.room?.(topic, partition);
    if (room === undefined) void fly();
    else void room.then(fly);
  }

  function take(): Waiter[] {
    const { count, bytes } = nextBatch(waiting, limits);
    waitingBytes -= bytes;
    return waiting.splice(0, count);
  }

  async function fly(): Promise<void> {
    scheduled = false;
    if (flight.length > 0 || waiting.length === 0) {
      look();
      return;
    }
    flight = take();
    flightSinceMs = clock.nowMs();
    lingerMs = nextLingerMs(lingerMs, flight.length, limits.lingerMsMax);
    const failure = await deliver(flight.map((waiter) => waiter.record));
    const landed = flight;
    flight = [];
    look();
    settle(landed, failure);
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
      await pause(waitMs, ports.givenUp);
      if (ports.givenUp.aborted) return new Unavailable('log_timeout', 'append', `${topic}: closed`);
    }
  }

  function settle(landed: readonly Waiter[], failure: Unavailable | undefined): void {
    if (failure === undefined) {
      const seconds = (clock.nowMs() - flightSinceMs) / 1000;
      signals.logBatchSent({ topic, records: landed.length, seconds });
    }
    let bytes = 0;
    for (const waiter of landed) {
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

  function answerFlight(late: (waiter: Waiter) => boolean, why: string): void {
    for (const waiter of flight) {
      if (answered.has(waiter) || !late(waiter)) continue;
      answered.add(waiter);
      waiter.reject(new Unavailable('log_timeout', 'append', `${topic}: ${why}, outcome unknown`));
    }
  }

  return {
    stuck: (nowMs) => flight.length > 0 && nowMs - flightSinceMs > limits.failFastMs,
    append(waiter) {
      waiting.push(waiter);
      waitingBytes += waiter.record.bytes;
      look();
    },
    sweep(nowMs) {
      const late = (waiter: Waiter): boolean => waiter.deadlineMs <= nowMs;
      dropWaiting(late, 'deadline passed');
      answerFlight(late, 'deadline passed');
      look();
    },
    drain() {
      draining = true;
      return new Promise((resolve) => {
        drained.push(resolve);
        scheduled = false;
        look();
      });
    },
    giveUp() {
      dropWaiting(() => true, 'the process ends');
      answerFlight(() => true, 'the process ends');
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

/** A clock that was set back while the record waited must not hold its lane for as long. */
function waitedMs({ arrivedMs }: Waiter, clock: Clock): number {
  return Math.max(0, clock.nowMs() - arrivedMs);
}
