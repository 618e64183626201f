import { isUnavailable } from '../../../kernel/unavailable.ts';
import type { CommitOffset, LogHandler, TopicPartition } from '../../../kernel/record-log.ts';
import type { Signals } from '../../../kernel/signals.ts';
import { passStep } from '../../signals/steps.ts';
import { backoffMs, pause } from '../backoff.ts';
import { reasonOf } from '../errors.ts';
import type { AnyRecord } from '../frame.ts';
import { createRecordQueue, type QueueLimits } from './record-queue.ts';
import { createWatch } from './watch.ts';

/** Limits of what a handler gets at a time, and of the waits between repeats. */
export interface BatchLoopLimits extends QueueLimits {
  readonly prefetchBytesMax: number;
  readonly backoffMsMin: number;
  readonly backoffMsMax: number;
}

/** What the batch loop needs from its client. */
export interface BatchLoopPorts {
  readonly handler: LogHandler;
  readonly signals: Signals;
  readonly group: string;
  readonly random: () => number;
  /**
   * Commits in the group. A rejection means that the assignment has changed: the records come
   * again.
   */
  readonly commit: (offsets: readonly CommitOffset[]) => Promise<void>;
  /** Called once with what the consumer cannot go on after. */
  readonly crashed: (error: unknown) => void;
}

/** Between a client and a handler: one call at a time, bounded, in order per partition. */
export interface BatchLoop {
  /** Takes a new assignment; the previous one must have been revoked before. */
  assign(partitions: readonly TopicPartition[]): Promise<void>;
  /** Ends the assignment: the batch in progress is finished and committed, the rest dropped. */
  revoke(): Promise<void>;
  /** Queues records of the assignment; other records are ignored, their owner gets them. */
  offer(records: readonly AnyRecord[]): void;
  /** Resolves when less than `prefetchBytesMax` waits. */
  room(): Promise<void>;
  /** Resolves when everything offered up to now has been handled or dropped. */
  handled(): Promise<void>;
}

/** Makes the batch loop of one consumer. Nothing runs until something is offered. */
export function createBatchLoop(limits: BatchLoopLimits, ports: BatchLoopPorts): BatchLoop {
  const { handler, signals, group } = ports;
  const queue = createRecordQueue(limits);
  let assigned: readonly TopicPartition[] = [];
  let owned = new Set<string>();
  let revoking: AbortController | undefined;
  let last: Promise<void> = Promise.resolve();
  let scheduled = false;
  let crashed = false;
  const watch = createWatch();
  let taken = 0;

  /** Everything that touches the handler runs one after the other. */
  function serially(step: () => Promise<void>): Promise<void> {
    last = last.then(async () => {
      if (crashed) return;
      try {
        await step();
      } catch (error) {
        crashed = true;
        drop();
        ports.crashed(error);
      }
    });
    return last;
  }

  function drop(): void {
    queue.clear();
    watch.check();
  }

  function schedule(): void {
    if (scheduled || crashed || queue.isEmpty()) return;
    scheduled = true;
    const leave = revoking?.signal;
    void serially(async () => {
      const restMs = queue.restMs();
      if (restMs > 0) await pause(restMs, leave);
      scheduled = false;
      await handleNext(leave);
    }).then(schedule);
  }

  async function handleNext(leave: AbortSignal | undefined): Promise<void> {
    if (queue.isEmpty() || leave?.aborted === true) return;
    const records = queue.take();
    taken = records.length;
    try {
      const commits = await handleUntilDone(records, leave);
      if (commits !== undefined && commits.length > 0) await commit(furthest(commits));
    } finally {
      taken = 0;
      watch.check();
    }
  }

  /** The same records again until they are done, or until the assignment is revoked. */
  function handleUntilDone(
    records: readonly AnyRecord[], leave: AbortSignal | undefined,
  ): Promise<readonly CommitOffset[] | undefined> {
    return untilDone(() => {
      passStep('consumer.fetched', group);
      return handler.onRecords(records);
    }, records.length, leave);
  }

  /** An outage is waited for, as long as the assignment lasts; undefined when it does not. */
  async function untilDone<Result>(
    work: () => Promise<Result>, records: number, leave: AbortSignal | undefined,
  ): Promise<Result | undefined> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (!isUnavailable(error) || !error.retryable) throw error;
        signals.batchRetried({ group, code: error.code, stage: error.stage, attempt, records });
      }
      const { backoffMsMin, backoffMsMax } = limits;
      await pause(backoffMs(attempt, backoffMsMin, backoffMsMax, ports.random()), leave);
      if (leave?.aborted === true) return undefined;
    }
  }

  async function commit(offsets: readonly CommitOffset[]): Promise<void> {
    try {
      passStep('consumer.before-commit', group);
      await ports.commit(offsets);
      passStep('consumer.after-commit', group);
      signals.batchCommitted({
        group, records: taken, offsets: offsets.map(({ topic, partition, nextOffset }) => (
          `${topic}:${partition}:${nextOffset}`
        )).join(' '),
      });
    } catch (error) {
      signals.commitFailed({ group, reason: reasonOf(error) });
    }
  }

  function assign(partitions: readonly TopicPartition[]): Promise<void> {
    return serially(async () => {
      assigned = partitions;
      owned = new Set(partitions.map(({ topic, partition }) => `${topic}:${partition}`));
      revoking = new AbortController();
      const { signal: leave } = revoking;
      await untilDone(() => handler.onAssigned(partitions), 0, leave);
      if (leave.aborted) return;
      signals.consumerAssigned({ group, partitions: partitions.length });
    });
  }

  function revoke(): Promise<void> {
    revoking?.abort();
    drop();
    return serially(async () => {
      drop();
      const gone = assigned;
      assigned = [];
      owned = new Set();
      if (gone.length === 0) return;
      signals.consumerRevoked({ group, partitions: gone.length });
      await handler.onRevoked(gone);
    });
  }

  return {
    assign,
    revoke,
    offer(records) {
      if (crashed || revoking?.signal.aborted === true) return;
      for (const record of records) {
        if (owned.has(`${record.topic}:${record.partition}`)) queue.add(record);
      }
      schedule();
    },
    room: () => watch.when(() => crashed || queue.bytes() < limits.prefetchBytesMax),
    handled: () => watch.when(() => crashed || (queue.isEmpty() && taken === 0)),
  };
}

/** One offset per partition, whatever the handler returns. */
function furthest(offsets: readonly CommitOffset[]): readonly CommitOffset[] {
  const byPartition = new Map<string, CommitOffset>();
  for (const commit of offsets) {
    const name = `${commit.topic}:${commit.partition}`;
    const known = byPartition.get(name);
    if (known === undefined || known.nextOffset < commit.nextOffset) {
      byPartition.set(name, commit);
    }
  }
  return [...byPartition.values()];
}
