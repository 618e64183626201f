import { isDecoded, type LogReader } from '../../kernel/record-log.ts';
import type { Digest } from '../../kernel/digest.ts';
import type { PendingInserts, RowSink } from '../../kernel/row-sink.ts';
import type { DefectCounts } from '../../kernel/defect-counts.ts';
import { CRASH_BREAKER_LIMITS, createCrashBreaker } from '../common/crash-breaker.ts';
import type { DeadLetters } from '../common/dead-letters.ts';
import type { TableWriterConfig, TableWriterPorts } from './config.ts';
import { createTableWriter } from './pipeline.ts';
import { createSkipErased, readErasures } from './skip-erased.ts';

/** What writing the log into tables needs. */
export interface TableRebuildPorts
  extends Omit<TableWriterPorts, 'pending' | 'deadLetters' | 'erased' | 'breaker'> {
  readonly reader: LogReader;
  readonly digest: Digest;
  /** Names this rebuild: its inserts are not taken for those that were made before. */
  readonly name: string;
}

const NOTHING: PendingInserts = {
  load: async () => Promise.resolve(new Map()),
  store: async () => undefined,
  clear: async () => undefined,
};
/** A defect ends the command, whose operator sees it. */
const UNCOUNTED: DefectCounts = {
  load: async () => Promise.resolve(new Map()),
  add: async () => undefined,
  clear: async () => undefined,
};

/**
 * Writes every record of the log into the tables of `sink`, by the table writer itself. Rows that
 * are there already stay once, by their identity. Answers how many records were written and how
 * many were refused; these get no dead letters, since they got them when they came first.
 */
export async function writeLog(
  config: TableWriterConfig, ports: TableRebuildPorts,
): Promise<{ readonly records: number; readonly refused: number }> {
  let records = 0;
  let refused = 0;
  const sink: RowSink = {
    insert: (table, lines, token) => ports.sink.insert(table, lines, `${ports.name}/${token}`),
  };
  const deadLetters: DeadLetters = {
    async write() {
      refused += 1;
      return Promise.resolve();
    },
  };
  const erased = createSkipErased({
    clock: ports.clock, digest: ports.digest, read: () => readErasures(ports.reader),
  });
  const writer = createTableWriter(config, {
    ...ports, sink, pending: NOTHING, deadLetters, erased,
    breaker: createCrashBreaker(CRASH_BREAKER_LIMITS, UNCOUNTED),
  });
  await writer.onAssigned([]);
  await ports.reader.readToEnd(Object.keys(config.tables), async (batch) => {
    await writer.onRecords(batch);
    records += batch.filter(isDecoded).length;
  });
  return { records, refused };
}
