import { TOPICS } from '../../schemas/generated/catalog.ts';
import { createLogWatch } from '../adapters/kafka/log-watch.ts';
import type { KafkaLog } from '../adapters/kafka/open.ts';
import { sha256 } from '../adapters/secrets/secrets.ts';
import { systemClock, systemPause } from '../adapters/system/system.ts';
import { readQuarantine } from '../kernel/quarantine.ts';
import type { LogHandler } from '../kernel/record-log.ts';
import { formatRecordId } from '../kernel/record-id.ts';
import type { RowSink } from '../kernel/row-sink.ts';
import type { Signals } from '../kernel/signals.ts';
import { DIVERSION_LIMITS, type DiversionConfig } from './table-writer/overflow/config.ts';
import { createDiversion } from './table-writer/overflow/divert.ts';
import { createKeyJudge } from './table-writer/overflow/judge-keys.ts';
import type { TableWriterConfig } from './table-writer/config.ts';
import { enterRecords } from './table-writer/ledger.ts';

/** What the way around the table writer stands on. */
interface DiversionParts {
  readonly kafka: Pick<KafkaLog, 'admin' | 'reader' | 'recordLog'>;
  readonly sink: RowSink;
  readonly signals: Signals;
}

/** Puts the way into quarantine before a table writer (ADR 0018). */
export function divertedFrom(
  inner: LogHandler, writer: TableWriterConfig, { kafka, sink, signals }: DiversionParts,
): LogHandler {
  const config: DiversionConfig = DIVERSION_LIMITS;
  const table = writer.tables[config.origin] ?? '';
  const shared = { signals, clock: systemClock };
  return createDiversion(config, {
    ...shared,
    log: kafka.recordLog,
    keys: createKeyJudge(config, {
      ...shared, pause: systemPause, watch: createLogWatch(kafka.admin),
      read: () => readQuarantine(kafka.reader, TOPICS.quarantine.name),
    }),
    enter: (records) => enterRecords(
      writer, sink, [{ topic: config.origin, table, ranges: [], records }],
      `quarantine/${sha256(records.map(formatRecordId).join())}`,
    ),
  }, inner);
}

/** What the writer of the lane is told: only the lane, into the table of its origin. */
export function laneConfigOf(writer: TableWriterConfig): TableWriterConfig {
  const { lane, origin } = DIVERSION_LIMITS;
  return { ...writer, tables: { [lane]: writer.tables[origin] ?? '' } };
}
