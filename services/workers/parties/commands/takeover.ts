import type { Pause } from '../../../kernel/clock.ts';
import { isUnavailable } from '../../../kernel/unavailable.ts';
import type { Signals } from '../../../kernel/signals.ts';
import type { SendLoop } from './send-loop.ts';
import type { Schedule } from './schedule.ts';
import type { PartitionLeases } from './partition-leases.ts';
import type { ReadPending } from './pending-commands.ts';

/** What taking partitions over works with. */
export interface TakeoverPorts {
  readonly schedule: Schedule;
  readonly partitionLeases: PartitionLeases;
  readonly sendLoop: SendLoop;
  readonly readPending: ReadPending['read'];
  readonly pause: Pause;
  readonly signals: Signals;
  /** True for a command that ended while the log was read. */
  readonly isEnded: (commandId: string) => boolean;
  readonly onCrash: (error: unknown) => void;
}

/**
 * Takes partitions over: first the lease, then everything that is pending in the log. Until
 * then `lastOffset` is undefined, and new records of the partition must wait.
 */
export interface Takeover {
  want(partitions: readonly number[]): void;
  /** Begins again with a partition whose right was lost. */
  retake(partition: number): void;
  /** Reads the log again for providers that had more than fits into memory. */
  reload(): void;
  leave(partitions: readonly number[]): Promise<void>;
  lastOffset(partition: number): bigint | undefined;
  setLastOffset(partition: number, offset: bigint): void;
  /** Begins nothing more. */
  halt(): void;
  /** Resolves when nothing is being taken. */
  ended(): Promise<void>;
  wanted(): readonly number[];
}

/** Makes the takeover of this process's partitions. */
export function createTakeover(
  config: { readonly holdMs: number }, ports: TakeoverPorts,
): Takeover {
  const { schedule, partitionLeases, sendLoop, signals } = ports;
  const active = new Map<number, bigint>();
  /** By partition the number of its assignment: what was begun for an earlier one is void. */
  const wanted = new Map<number, number>();
  /** Partitions whose right was lost: others may have sent what is still here. */
  const stale = new Set<number>();
  /** By partition the fence of the right, or the highest that is known when there is none. */
  const fences = new Map<number, number>();
  let assignments = 0;
  let isHalted = false;
  let taking: Promise<void> = Promise.resolve();

  function take(): void {
    taking = taking.then(takeMissing).catch(ports.onCrash);
  }

  async function takeMissing(): Promise<void> {
    for (;;) {
      const missing = new Map([...wanted].filter(([partition]) => !active.has(partition)));
      if (missing.size === 0 || isHalted) return;
      try {
        await sendLoop.clear(new Set([...missing.keys()].filter((each) => stale.delete(each))));
        await takeFree(missing);
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        signals.takeoverPostponed({ code: error.code, partitions: missing.size });
      } finally {
        await letGo([...missing.keys()]);
      }
      if ([...missing.keys()].some((each) => wanted.has(each) && !active.has(each))) {
        await ports.pause(config.holdMs);
      }
    }
  }

  async function takeFree(missing: ReadonlyMap<number, number>): Promise<void> {
    const free = new Set<number>();
    for (const partition of missing.keys()) if (await takeRight(partition)) free.add(partition);
    if (free.size === 0) return;
    const found = await ports.readPending(free);
    const kept = new Set<number>();
    for (const partition of free) {
      if (await keepRight(partition, found.fences.get(partition) ?? 0)) kept.add(partition);
    }
    // Meanwhile a partition may have gone, or gone and come back with what others did to it.
    const ours = new Set([...kept].filter((partition) =>
      partitionLeases.holds(partition) && wanted.get(partition) === missing.get(partition)));
    for (const pending of found.pending) {
      const { recordId, event } = pending.command;
      if (ours.has(recordId.partition) && !ports.isEnded(event.command_id)) sendLoop.add(pending);
    }
    for (const partition of ours) active.set(partition, found.lastOffsets.get(partition) ?? -1n);
    signals.partitionsTaken({
      partitions: ours.size, waiting: found.pending.length,
    });
    sendLoop.pump();
  }

  /** What is held already must have been held all the time, because what is here is of then. */
  async function takeRight(partition: number): Promise<boolean> {
    if (partitionLeases.holds(partition)) return partitionLeases.keep(partition);
    const fence = await partitionLeases.claim(partition, fences.get(partition) ?? 0);
    if (fence !== undefined) fences.set(partition, fence);
    return fence !== undefined;
  }

  /**
   * True when the right has lasted since before the log was read: else others may have ended what
   * seems to be pending. A fence that is not above every one in the log, because the state store
   * has lost its own, is raised; that may be a right of another time, so the log is read again.
   */
  async function keepRight(partition: number, known: number): Promise<boolean> {
    if (!await partitionLeases.keep(partition)) return false;
    const own = fences.get(partition) ?? 0;
    if (own > known) return true;
    const fence = await partitionLeases.claim(partition, known);
    fences.set(partition, fence ?? known);
    return false;
  }

  /**
   * Releases the leases of partitions that have left meanwhile, however the takeover ended. A lease
   * that is not released is renewed permanently and keeps every other process out.
   */
  async function letGo(partitions: readonly number[]): Promise<void> {
    const left = partitions.filter((each) => !wanted.has(each) && partitionLeases.holds(each));
    await Promise.allSettled(left.map((partition) => partitionLeases.release(partition)));
  }

  function reload(): void {
    for (const name of schedule.overfull()) schedule.reopen(name);
    active.clear();
    take();
  }

  return {
    want(partitions) {
      for (const partition of partitions) wanted.set(partition, assignments += 1);
      take();
    },

    retake(partition) {
      active.delete(partition);
      stale.add(partition);
      schedule.drop(partition);
      if (wanted.has(partition)) take();
    },

    reload,

    async leave(partitions) {
      for (const partition of partitions) {
        wanted.delete(partition);
        active.delete(partition);
        partitionLeases.close(partition);
      }
      await sendLoop.clear(new Set(partitions));
      await Promise.allSettled(partitions.map((partition) => partitionLeases.release(partition)));
      // What went may have been all that a provider had here, and no end would bring the rest.
      if (schedule.overfull().length > 0) reload();
    },

    lastOffset: (partition) => active.get(partition),
    setLastOffset: (partition, offset) => { active.set(partition, offset); },
    halt: () => { isHalted = true; },
    ended: () => taking,
    wanted: () => [...wanted.keys()],
  };
}
