import type { LogRecord } from '../../kernel/record-log.ts';
import { receivedAtMs } from '../common/received-at.ts';
import type { TableWriterConfig } from './config.ts';
import { itemsOf } from './splice-metadata.ts';

/** A readable record and the line that is inserted for it. */
export interface InsertLine {
  readonly record: LogRecord;
  readonly bytes: Uint8Array;
}

/** Lines `from` up to, not including, `to`. */
export interface InsertPiece {
  readonly from: number;
  readonly to: number;
}

const DAY_MS = 86_400_000;

/**
 * The lines in the order of their days of receipt, where the rows of each day have a partition of
 * their own; else as they are. Lines of one day keep their order, so that a batch that comes again
 * has the same pieces.
 */
export function inOrderOfDays(
  lines: readonly InsertLine[], table: string, { tablesByDay }: TableWriterConfig,
): readonly InsertLine[] {
  if (!tablesByDay.includes(table)) return lines;
  return lines.toSorted((a, b) => dayOf(a) - dayOf(b));
}

/** One insert each: as large as it may be, and of one day of receipt where days are apart. */
export function* piecesOf(
  lines: readonly InsertLine[], table: string, config: TableWriterConfig,
): Generator<InsertPiece> {
  const isByDay = config.tablesByDay.includes(table);
  let from = 0;
  let items = 0;
  let bytes = 0;
  for (const [i, line] of lines.entries()) {
    const count = itemsOf(line.record);
    const before = lines[i - 1];
    const isFull = items + count > config.itemsMax
      || bytes + line.bytes.length > config.insertBytesMax
      || (isByDay && before !== undefined && dayOf(before) !== dayOf(line));
    if (isFull && i > from) {
      yield { from, to: i };
      from = i;
      items = 0;
      bytes = 0;
    }
    items += count;
    bytes += line.bytes.length;
  }
  if (from < lines.length) yield { from, to: lines.length };
}

/**
 * Around the line that the store blames, else in halves. The blamed line is tried alone before it
 * is believed, since a message that quotes the data can be made to blame another line.
 */
export function narrowed({ from, to }: InsertPiece, blamed: number | undefined): InsertPiece[] {
  const middle = from + Math.floor((to - from) / 2);
  const cuts = blamed === undefined || from + blamed >= to
    ? [from, middle, to]
    : [from, from + blamed, from + blamed + 1, to];
  const pieces = cuts.slice(1).map((end, i) => ({ from: cuts[i] ?? from, to: end }));
  return pieces.filter((piece) => piece.to > piece.from);
}

function dayOf({ record }: InsertLine): number {
  return Math.floor(receivedAtMs(record) / DAY_MS);
}
