import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { isDecoded } from '../../kernel/record-log.ts';
import { rangesOfKey, tailOf, type LogTail, type TailBounds } from '../watch/tail.ts';
import { isoOf, whereOf } from './facts.ts';

/** One accepted call of a device, without what it said. */
export interface Ingest {
  readonly ingest_id: string;
  readonly received_at: string;
  readonly provider: string;
  readonly items: number;
  readonly bytes: number;
  readonly record_id: string;
}

const TOPICS_OF_DEVICES = [TOPICS.locations.name, TOPICS.telemetryEvents.name];
const SHOWN_MAX = 10;

/** The newest calls of a device among the newest records of its partitions, newest first. */
export async function lastIngests(
  log: LogTail, deviceId: string, bounds: TailBounds,
): Promise<readonly Ingest[]> {
  const found: { readonly atMs: number; readonly ingest: Ingest }[] = [];
  const ranges = await rangesOfKey(log, TOPICS_OF_DEVICES, deviceId);
  await log.rangeReader.readRanges(await tailOf(log.watch, ranges, bounds), async (records) => {
    for (const record of records) {
      if (!isDecoded(record) || record.key !== deviceId) continue;
      const { headers, value, timestampMs } = record;
      const atMs = Number(headers['received-at'] ?? timestampMs);
      found.push({
        atMs,
        ingest: {
          ingest_id: headers['ingest-id'] ?? '',
          received_at: isoOf(atMs),
          provider: headers['provider'] ?? '',
          items: Number(headers['n'] ?? 1),
          bytes: value.byteLength,
          record_id: whereOf(record),
        },
      });
    }
    await Promise.resolve();
  });
  return found.sort((a, b) => b.atMs - a.atMs).slice(0, SHOWN_MAX).map(({ ingest }) => ingest);
}
