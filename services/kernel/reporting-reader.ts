import type { LogRange, LogRangeReader, LogWatch } from './log-watch.ts';
import { startProgress, type ProgressPorts } from './progress.ts';
import type { LogReader } from './record-log.ts';

/**
 * A reader of whole topics that reports its progress, by records of all that they hold when the
 * call begins. A total that cannot be asked for is no reason to read nothing.
 */
export function reportingReader(
  reader: LogReader, watch: Pick<LogWatch, 'ranges'>, ports: ProgressPorts,
): LogReader {
  return {
    async readToEnd(topics, onRecords) {
      const ranges = await watch.ranges(topics).catch(() => []);
      const progress = startProgress(recordsOf(ranges), ports, 'records');
      await reader.readToEnd(topics, async (records) => {
        await onRecords(records);
        progress.add(records.length);
      });
      ports.report('');
    },
  };
}

/** A reader of parts of the log that reports its progress. */
export function reportingRangeReader<Reader extends Pick<LogRangeReader, 'readRanges'>>(
  reader: Reader, ports: ProgressPorts,
): Reader {
  return {
    ...reader,
    async readRanges(...[ranges, onRecords]: Parameters<LogRangeReader['readRanges']>) {
      const progress = startProgress(recordsOf(ranges), ports, 'records');
      await reader.readRanges(ranges, async (records) => {
        await onRecords(records);
        progress.add(records.length);
      });
      ports.report('');
    },
  };
}

/** Offsets count records that compaction took away too: the end may come sooner. */
function recordsOf(ranges: readonly LogRange[]): number {
  return ranges.reduce((sum, { start, end }) => sum + Number(end - start), 0);
}
