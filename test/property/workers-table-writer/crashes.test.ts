import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CommitOffset, LogHandler } from '../../../services/kernel/record-log.ts';
import {
  assignmentOf, createTableWriterEnv, OF_EVENTS, post, startWorker, unreachable,
  type TableWriterEnv,
} from '../../unit/workers-table-writer/fixtures.ts';

const PARTITIONS = 3;

interface CrashStep {
  /** How many records of each partition the next call brings. */
  readonly takes: readonly number[];
  /** After how many steps of the worker something happens, and what. */
  readonly after: number;
  readonly event: 'nothing' | 'crash' | 'fault' | 'crash before commit' | 'crash after commit';
}

const steps = fc.array(
  fc.record<CrashStep>({
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
const ALL = assignmentOf(0, 1, 2).map((each) => ({ ...each, ...over(each.partition) }));

class Death extends Error {}

/** A log of `length` records per partition, its committed offsets, and one worker at a time. */
function createRun(length: number, env: TableWriterEnv) {
  const committed: number[] = Array(PARTITIONS).fill(0);
  let fetched = [...committed];
  let worker: LogHandler | undefined;

  async function revive(): Promise<LogHandler> {
    fetched = [...committed];
    const born = startWorker(env, { itemsMax: 3 });
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
  async function call(step: CrashStep): Promise<void> {
    const alive = worker ?? await revive();
    const records = next(step.takes);
    if (records.length === 0) return;
    let left = step.after;
    env.step = () => {
      left -= 1;
      if (left >= 0) return;
      if (step.event === 'crash') throw new Death();
      if (step.event === 'fault' && left === -1) throw unreachable();
    };
    try {
      const offsets = await alive.onRecords(records).catch((error: unknown) => {
        if (error instanceof Death) throw error;
        return alive.onRecords(records);
      });
      if (step.event === 'crash before commit') throw new Death();
      commit(offsets);
      if (step.event === 'crash after commit') throw new Death();
    } catch (error) {
      if (!(error instanceof Death)) throw error;
      worker = undefined;
    } finally {
      env.step = () => {};
    }
  }

  return { call, committed, isDone: () => committed.every((offset) => offset === length) };
}

describe('crashes at any moment', () => {
  it('[LOC-17] every record becomes rows exactly once, whatever is delivered again', async () => {
    const lengths = fc.integer({ min: 1, max: 20 });
    await fc.assert(fc.asyncProperty(steps, lengths, async (list, length) => {
      const env = createTableWriterEnv();
      const run = createRun(length, env);
      for (const step of list) await run.call(step);
      const rest: CrashStep = { takes: [3, 2, 1], after: 0, event: 'nothing' };
      for (let i = 0; i < 100 && !run.isDone(); i += 1) await run.call(rest);

      expect(run.committed).toEqual(Array(PARTITIONS).fill(length));
      expect(new Set(env.tables).size).toBe(2);
      expect(env.rows.size).toBe(PARTITIONS * length);
      expect([...env.rows].filter(([, times]) => times !== 1)).toEqual([]);
    }), { numRuns: 500 });
  });
});
