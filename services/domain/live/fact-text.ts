import { formatRecordId, originalRecordId, type RecordId } from '../../kernel/record-id.ts';
import { saidTo, type FactContents } from './facts.ts';
import type { Viewer } from './scope.ts';

/** The record of a fact: its id, and when it came into the log. */
export interface FactRecord extends RecordId {
  readonly headers: Readonly<Record<string, string>>;
  readonly timestampMs: number;
}

/** The id of a fact, which it keeps when its record is replayed. */
export function factId(record: RecordId & Pick<FactRecord, 'headers'>): string {
  return formatRecordId(originalRecordId(record));
}

/** A fact as JSON, as those who may follow it read it: in a feed or by a webhook the same. */
export function factText(
  record: FactRecord, contents: FactContents, viewer: Viewer['kind'],
): string {
  return `{"kind":${JSON.stringify(contents.kind)},"record_id":${JSON.stringify(factId(record))}`
    + `,"recorded_at_ms":${record.timestampMs},"fact":${JSON.stringify(saidTo(viewer, contents))}}`;
}
