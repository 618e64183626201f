import { formatRecordId, originalRecordId, REPLAYED_FROM } from '../../kernel/record-id.ts';
import type { InsertLine } from './pieces.ts';

/**
 * Leaves the first line of each record by its original id. A copy comes when an append to the
 * overflow topic had no answer and was repeated, or a dead letter was replayed twice. Rows of both
 * are the same, but what an insert writes of a record is counted (`ingest_stored`): two of one
 * record in one insert would count twice. Records that have no line suppress no copy that has one.
 */
export function withoutCopies(lines: readonly InsertLine[]): readonly InsertLine[] {
  // All others are one by where they are in the log.
  if (!lines.some(({ record }) => record.headers[REPLAYED_FROM] !== undefined)) return lines;
  const known = new Set<string>();
  return lines.filter(({ record }) => {
    const { size } = known;
    return known.add(formatRecordId(originalRecordId(record))).size > size;
  });
}
