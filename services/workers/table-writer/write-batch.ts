import { isDecoded } from '../../kernel/record-log.ts';
import type { Batch } from './chains.ts';
import { ofRecord, type CrashBreaker } from '../common/crash-breaker.ts';
import { unreadable, type ConsumedRecord, type Poison } from '../common/outcomes.ts';
import { reportFreshness } from '../common/report-freshness.ts';
import type { TableWriterConfig, TableWriterPorts } from './config.ts';
import { enterRecords } from './ledger.ts';
import { inOrderOfDays, narrowed, piecesOf, type InsertLine } from './pieces.ts';
import { createRejectionAlarm } from './rejection-alarm.ts';
import { byTable, type TableBatch } from './table-batches.ts';
import { tokenOf } from './ranges.ts';
import { itemsOf, spliceMetadata } from './splice-metadata.ts';
import { withoutCopies } from './without-copies.ts';

interface BadRecord extends Poison {
  readonly record: ConsumedRecord;
}

/** How the share of one table ended. */
interface End {
  readonly tableBatch: TableBatch;
  readonly lines: readonly InsertLine[];
  readonly bad: readonly BadRecord[];
  /** Records that have neither: what is erased, and copies. */
  readonly leftOut: number;
}

/**
 * Makes the step that puts one batch into the store: every record into the ledger of what was read,
 * then table by table, good records as rows, bad ones as dead letters, each exactly one of the two.
 * Returns when all of it is durable.
 */
export function createBatchWriter(
  config: TableWriterConfig, ports: TableWriterPorts,
): (batch: Batch) => Promise<void> {
  const { clock, signals, sink, deadLetters, breaker } = ports;
  const left = (record: ConsumedRecord): ConsumedRecord | undefined => (
    breaker.poisonOf(record) === undefined
      ? ofRecord(record, () => ports.erased.left(record)) : record
  );
  const isErased = (record: ConsumedRecord): boolean => left(record) !== record;
  const watchRejections = createRejectionAlarm(config);

  /** Inserts piece by piece; what the store refuses is narrowed down to single records. */
  async function insertAll(
    table: string, lines: readonly InsertLine[], token: string,
  ): Promise<BadRecord[]> {
    const bad: BadRecord[] = [];
    const pieces = [...piecesOf(lines, table, config)].reverse();
    for (let piece = pieces.pop(); piece !== undefined; piece = pieces.pop()) {
      const part = lines.slice(piece.from, piece.to);
      const begunMs = clock.nowMs();
      const answer = await sink.insert(
        table, part.map(({ bytes }) => bytes), `${token}#${piece.from}-${piece.to}`,
      );
      signals.insertEnded({ seconds: (clock.nowMs() - begunMs) / 1000 });
      if (answer.kind === 'stored') continue;
      const [single] = part;
      if (part.length > 1 || single === undefined) {
        pieces.push(...narrowed(piece, answer.line).reverse());
        continue;
      }
      bad.push({
        record: single.record, stage: 'insert', code: 'sink_rejected', detail: answer.detail,
      });
    }
    return bad;
  }

  return async function writeBatch(batch) {
    const ends: End[] = [];
    const tableBatches = byTable(config.tables, batch);
    // First, so that what breaks off from here on shows as waiting.
    await enterRecords(config, sink, tableBatches, tokenOf(batch.ranges), isErased);
    for (const tableBatch of tableBatches) {
      const { table } = tableBatch;
      const records = tableBatch.records.flatMap((record) => left(record) ?? []);
      const { lines: readable, bad } = splitReadable(records, breaker);
      const lines = inOrderOfDays(withoutCopies(readable), table, config);
      const leftOut = tableBatch.records.length - lines.length - bad.length;
      bad.push(...await insertAll(table, lines, tokenOf(tableBatch.ranges)));
      ends.push({ tableBatch, lines, bad, leftOut });
    }
    const allBad = ends.flatMap(({ bad }) => bad);
    watchRejections(batch.records.length, allBad.length);
    for (const { record, stage, code, detail } of allBad) {
      await deadLetters.write(record, stage, code, detail);
    }
    for (const end of ends) report(end);
  };

  function report({ tableBatch, lines, bad, leftOut }: End): void {
    const refused = new Set(bad.map(({ record }) => record));
    const stored = lines.flatMap(({ record }) => (refused.has(record) ? [] : [record]));
    const items = stored.reduce((sum, record) => sum + itemsOf(record), 0);
    const { topic } = tableBatch;
    const labels = { worker: 'table-writer', topic };
    signals.recordsEnded({ ...labels, outcome: 'applied', code: 'none', records: stored.length });
    if (leftOut > 0) {
      signals.recordsEnded({ ...labels, outcome: 'ignored', code: 'none', records: leftOut });
    }
    for (const { code } of bad) {
      signals.recordsEnded({ ...labels, outcome: 'dead_letter', code, records: 1 });
    }
    reportFreshness(signals, 'tables', stored, clock.nowMs());
    signals.batchWritten({
      level: bad.length > 0 ? 'warn' : 'debug', topic, records: tableBatch.records.length, dead_letters: bad.length, items,
      offsets: tokenOf(tableBatch.ranges),
    });
  }
}

function splitReadable(
  records: readonly ConsumedRecord[], { poisonOf }: Pick<CrashBreaker, 'poisonOf'>,
): { lines: InsertLine[]; bad: BadRecord[] } {
  const lines: InsertLine[] = [];
  const bad: BadRecord[] = [];
  for (const record of records) {
    const poison = poisonOf(record);
    if (poison !== undefined) {
      bad.push({ record, ...poison });
      continue;
    }
    const bytes = isDecoded(record)
      ? ofRecord(record, () => spliceMetadata(record)) : undefined;
    if (bytes !== undefined && isDecoded(record)) lines.push({ record, bytes });
    else if (isDecoded(record)) {
      const detail = 'the value is not an object with keys';
      bad.push({ record, stage: 'consume', code: 'record_invalid', detail });
    } else {
      bad.push({ record, ...unreadable(record, 'the value has no frame') });
    }
  }
  return { lines, bad };
}
