import type { PendingInsert } from '../../kernel/row-sink.ts';
import { freshBatch, reformed, type Chain, type Held } from './chains.ts';
import type { ConsumedRecord } from '../common/outcomes.ts';
import type { TableWriterConfig, TableWriterPorts } from './config.ts';
import { trustPending, trustedPendings } from './trust-pending.ts';
import { partitionName } from './ranges.ts';

/** What can be inserted now. `accept` makes it so; without it nothing has changed. */
export interface Formed {
  readonly chains: readonly Chain[];
  accept(): void;
}

/** Decides which records go together, see {@link createBatchFormer}. */
export interface BatchFormer {
  assign(partitions: readonly string[], found: ReadonlyMap<string, PendingInsert>): void;
  revoke(partitions: readonly string[]): void;
  form(records: readonly ConsumedRecord[]): Formed;
}

/**
 * Forms one batch of everything that comes in, except where a crash left a batch unfinished: its
 * partitions wait until exactly that batch is complete, so that it keeps its token. What cannot be
 * formed again is left to the identity of the rows (contract LOC-17).
 */
export function createBatchFormer(
  config: TableWriterConfig, ports: Pick<TableWriterPorts, 'clock' | 'signals'>,
): BatchFormer {
  let held: Held = new Map();
  let unfinished: readonly PendingInsert[] = [];
  let waitingSinceMs = 0;

  /** Those that can still be formed again, the complete ones apart. */
  function sortOut(now: Held): { complete: PendingInsert[]; waiting: PendingInsert[] } {
    const complete: PendingInsert[] = [];
    const waiting: PendingInsert[] = [];
    const tooLong = ports.clock.nowMs() - waitingSinceMs > config.reformMsMax
      || bytesOf(now) > config.heldBytesMax;
    for (const pending of unfinished) {
      const verdict = trustPending(pending, now);
      if (verdict === 'complete') complete.push(pending);
      else if (verdict === 'incomplete' && !tooLong) waiting.push(pending);
      else {
        const reason = verdict === 'incomplete' ? 'waited_too_long' : verdict;
        ports.signals.pendingInsertDropped({ reason });
      }
    }
    return { complete, waiting };
  }

  return {
    assign(partitions, found) {
      held = without(held, partitions);
      unfinished = [...untouched(unfinished, partitions), ...trustedPendings(partitions, found)];
      waitingSinceMs = ports.clock.nowMs();
    },

    revoke(partitions) {
      held = without(held, partitions);
      unfinished = untouched(unfinished, partitions);
    },

    form(records) {
      const now = joined(held, records);
      const { complete, waiting } = sortOut(now);
      const waitingPartitions = new Set(waiting.flatMap(({ ranges }) => (
        ranges.map(({ partition }) => partition)
      )));
      const chains: Chain[] = [];
      const free = new Map([...now].filter(([partition]) => !waitingPartitions.has(partition)));
      for (const pending of complete) chains.push(reformed(pending, free));
      const fresh = freshBatch(free);
      if (fresh !== undefined) {
        chains.push({ pending: { ranges: fresh.ranges }, batches: [fresh], isNew: true });
      }
      return {
        chains,
        accept() {
          held = new Map([...now].filter(([partition]) => waitingPartitions.has(partition)));
          unfinished = waiting;
        },
      };
    },
  };
}

function joined(held: Held, records: readonly ConsumedRecord[]): Held {
  const now = new Map<string, ConsumedRecord[]>();
  for (const [partition, own] of held) now.set(partition, [...own]);
  for (const record of records) {
    const name = partitionName(record);
    const own = now.get(name);
    if (own === undefined) now.set(name, [record]);
    else own.push(record);
  }
  return now;
}

function without(held: Held, partitions: readonly string[]): Held {
  return new Map([...held].filter(([partition]) => !partitions.includes(partition)));
}

/** A batch that lost one of its partitions can never be formed again here. */
function untouched(
  pendings: readonly PendingInsert[], partitions: readonly string[],
): readonly PendingInsert[] {
  return pendings.filter(({ ranges }) => (
    ranges.every(({ partition }) => !partitions.includes(partition))
  ));
}

function bytesOf(held: Held): number {
  let bytes = 0;
  for (const records of held.values()) {
    for (const record of records) {
      bytes += ('value' in record ? record.value : record.rawValue)?.byteLength ?? 0;
    }
  }
  return bytes;
}
