import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CommitOffset, LogHandler } from '../../../services/kernel/record-log.ts';
import {
  createWorld, OF_EVENTS, post, share, startWorker, unreachable, type World,
} from '../../unit/workers-table-writer/fixtures.ts';

const PARTITIONS = 3;

interface Turn {
  /** How many records of each partition the next call brings. */
  readonly takes: readonly number[];
  /** After how many steps of the worker something happens, and what. */
  readonly after: number;
  readonly event: 'nothing' | 'crash' | 'fault' | 'crash before commit' | 'crash after commit';
}

const turns = fc.array(
  fc.record<Turn>({
    takes: fc.array(fc.nat(4), { minLength: PARTITIONS, maxLength: PARTITIONS }),
    after: fc.nat(6),
    event: fc.constantFrom(
      'nothing', 'nothing', 'crash', 'fault', 'crash before commit', 'crash after commit',
    ),
  }),
  { maxLength: 30 },
);

/** The last partition is one of another topic, so that batches go into two tables. */
const over = (partition: number) => (partition === PARTITIONS - 1 ? OF_EVENTS : {});
const ALL = share(0, 1, 2).map((each) => ({ ...each, ...over(each.partition) }));

class Death extends Error {}

/** A log of `length` records per partition, its committed offsets, and one worker at a time. */
function createRun(length: number, world: World) {
  const committed: number[] = Array(PARTITIONS).fill(0);
  let fetched = [...committed];
  let worker: LogHandler | undefined;

  async function revive(): Promise<LogHandler> {
    fetched = [...committed];
    const born = startWorker(world, { itemsMax: 3 });
    await born.onAssigned(ALL);
    worker = born;
    return born;
  }

  function next(takes: readonly number[]) {
    return takes.flatMap((take, partition) => {
      const from = fetched[partition] ?? 0;
      const count = Math.min(take, length - from);
      fetched[partition] = from + count;
      return Array.from({ length: count }, (_, i) => post(partition, from + i, over(partition)));
    });
  }

  function commit(offsets: readonly CommitOffset[]): void {
    for (const { partition, nextOffset } of offsets) committed[partition] = Number(nextOffset);
  }

  /** As the consumer: the same records again after a fault, a new worker after a death. */
  async function call(turn: Turn): Promise<void> {
    const alive = worker ?? await revive();
    const records = next(turn.takes);
    if (records.length === 0) return;
    let left = turn.after;
    world.step = () => {
      left -= 1;
      if (left >= 0) return;
      if (turn.event === 'crash') throw new Death();
      if (turn.event === 'fault' && left === -1) throw unreachable();
    };
    try {
      const offsets = await alive.onRecords(records).catch((error: unknown) => {
        if (error instanceof Death) throw error;
        return alive.onRecords(records);
      });
      if (turn.event === 'crash before commit') throw new Death();
      commit(offsets);
      if (turn.event === 'crash after commit') throw new Death();
    } catch (error) {
      if (!(error instanceof Death)) throw error;
      worker = undefined;
    } finally {
      world.step = () => {};
    }
  }

  return { call, committed, isDone: () => committed.every((offset) => offset === length) };
}

describe('crashes at any moment', () => {
  it('[LOC-17] every record becomes rows exactly once, whatever is delivered again', async () => {
    const lengths = fc.integer({ min: 1, max: 20 });
    await fc.assert(fc.asyncProperty(turns, lengths, async (list, length) => {
      const world = createWorld();
      const run = createRun(length, world);
      for (const turn of list) await run.call(turn);
      const rest: Turn = { takes: [3, 2, 1], after: 0, event: 'nothing' };
      for (let i = 0; i < 100 && !run.isDone(); i += 1) await run.call(rest);

      expect(run.committed).toEqual(Array(PARTITIONS).fill(length));
      expect(new Set(world.tables).size).toBe(2);
      expect(world.rows.size).toBe(PARTITIONS * length);
      expect([...world.rows].filter(([, times]) => times !== 1)).toEqual([]);
    }), { numRuns: 500 });
  });
});
