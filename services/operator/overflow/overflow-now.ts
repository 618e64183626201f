import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { holdingDecision } from '../../domain/overflow/provider-overflow.ts';
import type { LogRangeReader, LogWatch } from '../../kernel/log-watch.ts';
import type { Overflow, OverflowRecorded } from '../../kernel/overflow.ts';
import { overflowFold } from '../../kernel/read-overflow.ts';
import { isDecoded } from '../../kernel/record-log.ts';

/** Where decisions, and what waits because of them, are read. */
export interface OverflowSource {
  readonly watch: Pick<LogWatch, 'ranges' | 'offsets'>;
  readonly rangeReader: Pick<LogRangeReader, 'readRanges'>;
}

/** The decisions that hold; of a provider also that it is kept out. */
export interface OverflowNow {
  /** Devices in overflow, the first one in front. */
  readonly devices: readonly OverflowRecorded[];
  /** By name. */
  readonly providers: readonly OverflowRecorded[];
}

/** Reads which devices and providers overflow, as the log has it now. */
export async function readDecided({ watch, rangeReader }: OverflowSource): Promise<Overflow> {
  const decided = overflowFold.empty();
  const all = await watch.ranges([TOPICS.overflow.name]);
  const ranges = all.filter(({ start, end }) => start < end);
  if (ranges.length === 0) return decided;
  await rangeReader.readRanges(ranges, (records) => {
    for (const record of records) if (isDecoded(record)) overflowFold.add(decided, record);
    return Promise.resolve();
  });
  return decided;
}

/** What of all decisions holds at a time. */
export function overflowAt({ devices, providers }: Overflow, nowMs: number): OverflowNow {
  return {
    devices: [...devices.values()].filter(({ state }) => state === 'in').toSorted(byAge),
    providers: [...providers].flatMap(([, decisions]) => holdingDecision(decisions, nowMs) ?? [])
      .toSorted((one, other) => ((one.provider ?? '') < (other.provider ?? '') ? -1 : 1)),
  };
}

/** The first decision in front. */
export function byAge(one: OverflowRecorded, other: OverflowRecorded): number {
  return one.at_ms - other.at_ms || ((one.device_id ?? '') < (other.device_id ?? '') ? -1 : 1);
}

/** Records of the overflow topic that its worker, of this group, has not applied yet. */
export async function waitingRecords(
  { watch }: Pick<OverflowSource, 'watch'>, group: string,
): Promise<number> {
  const offsets = await watch.offsets(group);
  const ranges = await watch.ranges([TOPICS.overflowLocations.name]);
  return ranges.reduce((sum, { topic, partition, start, end }) => {
    const next = offsets.find((each) => each.topic === topic && each.partition === partition)?.next;
    return sum + Number(end - (next ?? start));
  }, 0);
}
