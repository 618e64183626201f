import type { Batch } from './chains.ts';
import type { ConsumedRecord } from '../common/outcomes.ts';
import { partitionName, type OffsetRange } from './ranges.ts';

/** The part of a batch that goes into one table. Its ranges name it, as those of a batch do. */
export interface TableBatch {
  readonly topic: string;
  readonly table: string;
  readonly ranges: readonly OffsetRange[];
  readonly records: readonly ConsumedRecord[];
}

/**
 * Splits a batch by topic, that is by landing table, in the order of `tables`: locations come
 * first, because most records and most queries are of them. A topic without a table is a
 * defect and throws.
 */
export function byTable(
  tables: Readonly<Record<string, string>>, batch: Batch,
): readonly TableBatch[] {
  const byTopic = new Map<string, ConsumedRecord[]>();
  for (const record of batch.records) {
    const own = byTopic.get(record.topic);
    if (own === undefined) byTopic.set(record.topic, [record]);
    else own.push(record);
  }
  const order = Object.keys(tables);
  const inOrder = [...byTopic].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  return inOrder.map(([topic, records]) => {
    const table = tables[topic];
    if (table === undefined) throw new Error(`There is no table for the topic ${topic}.`);
    const partitions = new Set(records.map(partitionName));
    const ranges = batch.ranges.filter(({ partition }) => partitions.has(partition));
    return { topic, table, ranges, records };
  });
}
