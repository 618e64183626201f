import { formatRecordId, originalRecordId, REPLAYED_FROM } from '../../kernel/record-id.ts';
import type { ConsumedRecord } from '../common/outcomes.ts';

/**
 * Leaves the first of records that are one by their original id. A copy comes when an append to the
 * overflow topic had no answer and was repeated, or a dead letter was replayed twice. Rows of both
 * are the same, but what an insert writes of a record is counted (`ingest_stored`): two of one
 * record in one insert would count twice.
 */
export function withoutCopies(records: readonly ConsumedRecord[]): readonly ConsumedRecord[] {
  // All others are one by their place in the log.
  if (!records.some(({ headers }) => headers[REPLAYED_FROM] !== undefined)) return records;
  const known = new Set<string>();
  return records.filter((record) => {
    const { size } = known;
    return known.add(formatRecordId(originalRecordId(record))).size > size;
  });
}
