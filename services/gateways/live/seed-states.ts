import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { LastFix, LastFixes } from '../../kernel/fixes.ts';
import type { PartitionExtent } from '../../kernel/log-follower.ts';
import type { LogRangeReader, LogWatch } from '../../kernel/log-watch.ts';
import { overflowFold, type GrowingOverflow } from '../../kernel/read-overflow.ts';
import { isDecoded, type LogRecord } from '../../kernel/record-log.ts';
import { stopIn, type DeviceStop } from './fixes/apply-records.ts';
import type { LiveLimits } from './limits.ts';

/** What reading the states of devices needs from outside. */
export interface SeedStatesPorts {
  readonly reader: Pick<LogRangeReader, 'readRanges'>;
  readonly watch: Pick<LogWatch, 'firstSince'>;
  readonly lastFixes: Pick<LastFixes, 'find'>;
  readonly clock: Clock;
}

/** What a device is besides where it is, as far as the log has it. */
export interface SeededStates {
  /** Devices that were stopped not long ago, the first in front, and their last fixes. */
  readonly stops: readonly DeviceStop[];
  readonly stoppedFixes: readonly LastFix[];
  readonly overflow: GrowingOverflow;
}

/** Most last fixes that the state store is asked for at a time. */
const FINDS_MAX = 200;

/**
 * Reads which devices were stopped not long ago, and what goes to the overflow topic: out of the
 * log up to these ends, as the state store has no list of either.
 */
export async function seedStates(
  ports: SeedStatesPorts, limits: Pick<LiveLimits, 'stoppedShownMs' | 'stopsReadMax'>,
  extents: readonly PartitionExtent[],
): Promise<SeededStates> {
  const overflow = overflowFold.empty();
  await readAll(ports, extentsOf(extents, TOPICS.overflow.name), (record) => {
    overflowFold.add(overflow, record);
  });
  const sinceMs = ports.clock.nowMs() - limits.stoppedShownMs;
  const stops: DeviceStop[] = [];
  await readAll(ports, await newestOf(ports, limits, extents, sinceMs), (record) => {
    const stop = stopIn(record);
    if (stop !== undefined && stop.atMs >= sinceMs) stops.push(stop);
  });
  stops.sort((one, other) => one.atMs - other.atMs);
  return { stops, stoppedFixes: await fixesOf(ports, stops), overflow };
}

async function readAll(
  { reader }: SeedStatesPorts, extents: readonly PartitionExtent[],
  take: (record: LogRecord) => void,
): Promise<void> {
  const ranges = extents.filter(({ start, end }) => start < end);
  if (ranges.length === 0) return;
  await reader.readRanges(ranges, (records) => {
    for (const record of records) if (isDecoded(record)) take(record);
    return Promise.resolve();
  });
}

/** The records of the lifecycle since a time, of many the newest. */
async function newestOf(
  { watch }: SeedStatesPorts, { stopsReadMax }: Pick<LiveLimits, 'stopsReadMax'>,
  extents: readonly PartitionExtent[], sinceMs: number,
): Promise<readonly PartitionExtent[]> {
  const own = extentsOf(extents, TOPICS.deviceLifecycle.name);
  const begins = own.map((each) => ({ ...each, next: each.start }));
  const firsts = await watch.firstSince(begins, sinceMs);
  const most = BigInt(Math.max(1, Math.floor(stopsReadMax / Math.max(1, own.length))));
  return own.map((each) => {
    const first = firsts.get(`${each.topic}:${each.partition}`) ?? each.end;
    return { ...each, start: each.end - first > most ? each.end - most : first };
  });
}

async function fixesOf(
  { lastFixes }: SeedStatesPorts, stops: readonly DeviceStop[],
): Promise<readonly LastFix[]> {
  const fixes: LastFix[] = [];
  for (let from = 0; from < stops.length; from += FINDS_MAX) {
    const found = await Promise.all(stops.slice(from, from + FINDS_MAX)
      .map(({ clientId, deviceId }) => lastFixes.find(clientId, deviceId)));
    for (const fix of found) if (fix !== undefined) fixes.push(fix);
  }
  return fixes;
}

function extentsOf(
  extents: readonly PartitionExtent[], name: string,
): readonly PartitionExtent[] {
  return extents.filter(({ topic }) => topic === name);
}
