import { Unavailable } from '../../kernel/unavailable.ts';
import type { TableWriterConfig } from './config.ts';

/**
 * Counts bad records over a window of recent ones and stops the worker when their ratio is too
 * high. Then not the records are wrong but the schema, the tables or this program, and single
 * dead letters would hide it. Throws an Unavailable that no repetition heals.
 */
export function createRejectionAlarm(
  config: TableWriterConfig,
): (records: number, rejected: number) => void {
  let recent = 0;
  let recentRejected = 0;

  return function watchRejections(records, rejected) {
    recent += records;
    recentRejected += rejected;
    const ratio = recent === 0 ? 0 : recentRejected / recent;
    if (recentRejected > config.rejectedMin && ratio > config.rejectedRatioMax) {
      const detail = `${recentRejected} of the last ${recent} records are refused`;
      throw new Unavailable('sink_rejected', 'insert', detail);
    }
    if (recent > config.rejectedWindowRecords) {
      recent /= 2;
      recentRejected /= 2;
    }
  };
}
