import { isDecoded, type LogRecord } from '../../kernel/record-log.ts';
import type { Batch } from './chains.ts';
import type { AnyRecord, Poison } from '../common/outcomes.ts';
import type { TableWriterConfig, TableWriterPorts } from './config.ts';
import { createRejectionAlarm } from './rejection-alarm.ts';
import { tokenOf } from './ranges.ts';
import { locationsOf, receivedAtMs, spliceMetadata } from './splice-metadata.ts';

interface Line {
  readonly record: LogRecord;
  readonly bytes: Uint8Array;
}

interface BadRecord extends Poison {
  readonly record: AnyRecord;
}

/** Lines `from` up to, not including, `to`. */
interface Piece {
  readonly from: number;
  readonly to: number;
}

/**
 * Makes the step that puts one batch into the store: good records as rows, bad ones as dead
 * letters, each exactly one of the two. Returns when all of it is durable.
 */
export function createBatchWriter(
  config: TableWriterConfig, ports: TableWriterPorts,
): (batch: Batch) => Promise<void> {
  const { clock, signals, sink, deadLetters } = ports;
  const watchRejections = createRejectionAlarm(config);

  /** Inserts piece by piece; what the store refuses is narrowed down to single records. */
  async function insertAll(lines: readonly Line[], token: string): Promise<BadRecord[]> {
    const bad: BadRecord[] = [];
    const pieces = [...piecesOf(lines, config)].reverse();
    for (let piece = pieces.pop(); piece !== undefined; piece = pieces.pop()) {
      const part = lines.slice(piece.from, piece.to);
      const begunMs = clock.nowMs();
      const answer = await sink.insert(
        config.table, part.map(({ bytes }) => bytes), `${token}#${piece.from}-${piece.to}`,
      );
      signals.observe('rastro_table_writer_insert_seconds', (clock.nowMs() - begunMs) / 1000);
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
    const { lines, bad } = splitReadable(batch.records);
    bad.push(...await insertAll(lines, tokenOf(batch.ranges)));
    watchRejections(batch.records.length, bad.length);
    for (const { record, stage, code, detail } of bad) {
      await deadLetters.write(record, stage, code, detail);
    }
    report(batch, lines, bad);
  };

  function report(batch: Batch, lines: readonly Line[], bad: readonly BadRecord[]): void {
    let locations = 0;
    let oldestMs = clock.nowMs();
    for (const { record } of lines) {
      locations += locationsOf(record);
      oldestMs = Math.min(oldestMs, receivedAtMs(record));
    }
    const freshnessSeconds = (clock.nowMs() - oldestMs) / 1000;
    const labels = { worker: 'table-writer', topic: batch.records[0]?.topic };
    const stored = batch.records.length - bad.length;
    signals.count('rastro_worker_records_total', stored,
      { ...labels, outcome: 'applied', code: 'none' });
    for (const { code } of bad) {
      signals.count('rastro_worker_records_total', 1, { ...labels, outcome: 'dead_letter', code });
    }
    signals.count('rastro_table_writer_locations_total', locations);
    signals.gauge('rastro_table_writer_batch_records', batch.records.length);
    signals.observe('rastro_table_writer_freshness_seconds', freshnessSeconds);
    signals.log(bad.length > 0 ? 'warn' : 'debug', 'batch_written', {
      records: batch.records.length, dead_lettered: bad.length, locations,
      freshness_seconds: freshnessSeconds,
    });
  }
}

function splitReadable(records: readonly AnyRecord[]): { lines: Line[]; bad: BadRecord[] } {
  const lines: Line[] = [];
  const bad: BadRecord[] = [];
  for (const record of records) {
    const bytes = isDecoded(record) ? spliceMetadata(record) : undefined;
    if (bytes !== undefined && isDecoded(record)) lines.push({ record, bytes });
    else if (isDecoded(record)) {
      const detail = 'the value is not an object with keys';
      bad.push({ record, stage: 'consume', code: 'record_invalid', detail });
    } else {
      const detail = 'the value has no frame';
      bad.push({ record, stage: 'consume', code: 'undecodable', detail });
    }
  }
  return { lines, bad };
}

function* piecesOf(lines: readonly Line[], config: TableWriterConfig): Generator<Piece> {
  let from = 0;
  let locations = 0;
  let bytes = 0;
  for (const [i, line] of lines.entries()) {
    const count = locationsOf(line.record);
    const isFull = locations + count > config.locationsMax
      || bytes + line.bytes.length > config.insertBytesMax;
    if (isFull && i > from) {
      yield { from, to: i };
      from = i;
      locations = 0;
      bytes = 0;
    }
    locations += count;
    bytes += line.bytes.length;
  }
  if (from < lines.length) yield { from, to: lines.length };
}

/**
 * Around the line that the store blames, else in halves. The blamed line is tried alone before it
 * is believed, since a message that quotes the data can be made to blame another line.
 */
function narrowed({ from, to }: Piece, blamed: number | undefined): Piece[] {
  const middle = from + Math.floor((to - from) / 2);
  const cuts = blamed === undefined || from + blamed >= to
    ? [from, middle, to]
    : [from, from + blamed, from + blamed + 1, to];
  const pieces = cuts.slice(1).map((end, i) => ({ from: cuts[i] ?? from, to: end }));
  return pieces.filter((piece) => piece.to > piece.from);
}
