import type { LogRangeReader, LogWatch } from '../../../kernel/log-watch.ts';
import { isDecoded } from '../../../kernel/record-log.ts';
import type { DiversionConfig } from './config.ts';

/** What reading the waiting keys takes. */
export interface WaitingPorts {
  readonly watch: Pick<LogWatch, 'offsets' | 'ranges'>;
  readonly rangeReader: Pick<LogRangeReader, 'readRanges'>;
}

/**
 * The keys of the records in the overflow topic that its group has not applied. Reads these records
 * only, and nothing while there are none.
 */
export async function readWaitingKeys(
  { overflow, overflowGroup }: Pick<DiversionConfig, 'overflow' | 'overflowGroup'>,
  { watch, rangeReader }: WaitingPorts,
): Promise<ReadonlySet<string>> {
  const ranges = await watch.ranges([overflow]);
  const offsets = await watch.offsets(overflowGroup);
  const waiting = ranges.map((range) => {
    const next = offsets.find(({ topic, partition }) => (
      topic === range.topic && partition === range.partition
    ))?.next;
    return next === undefined || next < range.start ? range : { ...range, start: next };
  }).filter(({ start, end }) => start < end);
  const keys = new Set<string>();
  if (waiting.length === 0) return keys;
  await rangeReader.readRanges(waiting, (records) => {
    for (const record of records) {
      if (isDecoded(record)) keys.add(record.key);
    }
    return Promise.resolve();
  });
  return keys;
}
