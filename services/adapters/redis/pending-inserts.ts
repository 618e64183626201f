import type { PendingInsert, PendingInserts } from '../../kernel/row-sink.ts';
import type { RedisClient } from './connection.ts';
import { toFault } from './faults.ts';
import { keys } from './keys.ts';
import type { RunScript } from './script-runner.ts';

/**
 * Batches in progress, one hash per consumer group: each partition's field holds the whole batch,
 * so that the next owner of the partition can form the same batch again.
 */
export function createPendingInserts(
  client: RedisClient, runScript: RunScript, group: string,
): PendingInserts {
  const key = keys.pendingInserts(group);

  return {
    async load(partitions) {
      if (partitions.length === 0) return new Map();
      const texts = await guarded('load', () => client.hmget(key, ...partitions));
      const found = new Map<string, PendingInsert>();
      partitions.forEach((partition, i) => {
        const text = texts[i];
        if (typeof text === 'string') found.set(partition, fromText(text));
      });
      return found;
    },

    async store(insert) {
      const text = toText(insert);
      const fields = insert.ranges.flatMap(({ partition }) => [partition, text]);
      if (fields.length > 0) await guarded('store', () => client.hset(key, ...fields));
    },

    async clear(insert) {
      const partitions = insert.ranges.map(({ partition }) => partition);
      await runScript('clear-pending-insert', [key], [toText(insert), ...partitions]);
    },
  };
}

async function guarded<Value>(what: string, call: () => Promise<Value>): Promise<Value> {
  try {
    return await call();
  } catch (error) {
    throw toFault(error, 'insert', `${what} pending insert`);
  }
}

/** Offsets travel as text: they may exceed what a JSON number keeps. */
function toText(insert: PendingInsert): string {
  return JSON.stringify(insert.ranges.map(({ partition, first, last }) => (
    [partition, String(first), String(last)]
  )));
}

function fromText(text: string): PendingInsert {
  const rows = JSON.parse(text) as readonly (readonly [string, string, string])[];
  return {
    ranges: rows.map(([partition, first, last]) => (
      { partition, first: BigInt(first), last: BigInt(last) }
    )),
  };
}
