import { isDecoded, type LogRecord, type UndecodableRecord } from '../../kernel/record-log.ts';
import { tailOf, type LogTail, type TailBounds } from './tail.ts';

/** What one key takes of the newest records of its partition. */
export interface KeyLoad {
  readonly partition: number;
  readonly key: string;
  readonly records: number;
  readonly bytes: number;
  /** Items that gateways counted in its records (header `n`). */
  readonly items: number;
  /** Share of all bytes that were read of the partition, 0 to 1. */
  readonly ratio: number;
  /** Over the time between the oldest and the newest record that was read of the partition. */
  readonly bytes_per_second: number;
  readonly items_per_second: number;
}

interface Sums { records: number; bytes: number; items: number }

interface PartitionSums {
  readonly byKey: Map<string, Sums>;
  bytes: number;
  firstMs: number;
  lastMs: number;
}

/** Shortest time that rates are taken over, in ms: fewer would make one record a flood. */
const SPAN_MS_MIN = 1_000;

/** The load of every key in the newest records of a topic, most bytes first. */
export async function readKeyLoads(
  log: LogTail, topic: string, bounds: TailBounds,
): Promise<readonly KeyLoad[]> {
  const partitions = new Map<number, PartitionSums>();
  const ranges = await tailOf(log.watch, await log.watch.ranges([topic]), bounds);
  await log.rangeReader.readRanges(ranges, async (records) => {
    for (const record of records) count(partitions, record);
    await Promise.resolve();
  });
  return [...partitions].flatMap(([partition, sums]) => loadsOf(partition, sums))
    .sort((a, b) => b.bytes - a.bytes || (a.key < b.key ? -1 : 1));
}

function count(
  partitions: Map<number, PartitionSums>, record: LogRecord | UndecodableRecord,
): void {
  const { partition, timestampMs } = record;
  let own = partitions.get(partition);
  if (own === undefined) {
    own = { byKey: new Map(), bytes: 0, firstMs: timestampMs, lastMs: timestampMs };
    partitions.set(partition, own);
  }
  const [key, value] = isDecoded(record)
    ? [record.key, record.value]
    : [record.rawKey?.toString('utf8') ?? '', record.rawValue];
  const bytes = value?.byteLength ?? 0;
  const sums = own.byKey.get(key) ?? { records: 0, bytes: 0, items: 0 };
  own.byKey.set(key, sums);
  sums.records += 1;
  sums.bytes += bytes;
  sums.items += Number(record.headers['n'] ?? 1) || 1;
  own.bytes += bytes;
  own.firstMs = Math.min(own.firstMs, timestampMs);
  own.lastMs = Math.max(own.lastMs, timestampMs);
}

function loadsOf(partition: number, own: PartitionSums): readonly KeyLoad[] {
  const seconds = Math.max(own.lastMs - own.firstMs, SPAN_MS_MIN) / 1_000;
  return [...own.byKey].map(([key, sums]) => ({
    partition, key, ...sums,
    ratio: own.bytes === 0 ? 0 : sums.bytes / own.bytes,
    bytes_per_second: sums.bytes / seconds,
    items_per_second: sums.items / seconds,
  }));
}
