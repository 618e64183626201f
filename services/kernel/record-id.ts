/**
 * Names one record of the log forever. A topic that is deleted and created again under its name
 * has another id, and its offsets start over. Offsets may exceed 2^53.
 */
export interface RecordId {
  readonly topicId: string;
  readonly partition: number;
  readonly offset: bigint;
}

/** Header of a replayed record: the id of the record that was replayed. */
export const REPLAYED_FROM = 'replayed-from';

/** Header of a notification that was kept apart and is sent again: its record id then. */
export const REAPPLIES = 'reapplies';

const RECORD_ID = /^(.+):(\d{1,9}):(\d{1,18})$/;

/**
 * The id that a record had before any replay. A replayed record has a new offset but is still the
 * same record: whatever is stored under its original id is found again, and nothing is doubled.
 */
export function originalRecordId(
  record: RecordId & { readonly headers: Readonly<Record<string, string>> },
): RecordId {
  return parseRecordId(record.headers[REPLAYED_FROM]) ?? record;
}

/** `topic id:partition:offset`, as in the header and in the names of dead letters. */
export function formatRecordId({ topicId, partition, offset }: RecordId): string {
  return `${topicId}:${partition}:${offset}`;
}

/** Reads what {@link formatRecordId} wrote; undefined for any other text. */
export function parseRecordId(text: string | undefined): RecordId | undefined {
  const [, topicId, partition, offset] = RECORD_ID.exec(text ?? '') ?? [];
  if (topicId === undefined || partition === undefined || offset === undefined) return undefined;
  return { topicId, partition: Number(partition), offset: BigInt(offset) };
}
