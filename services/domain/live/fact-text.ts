import { formatRecordId, originalRecordId, type RecordId } from '../../kernel/record-id.ts';
import { saidTo, type FactContents } from './facts.ts';
import type { Viewer } from './scope.ts';

/** The place of a record, and when it came there. */
export interface FactPlace extends RecordId {
  readonly headers: Readonly<Record<string, string>>;
  readonly timestampMs: number;
}

/** The id of a fact, which it keeps when its record is replayed. */
export function factId(place: RecordId & Pick<FactPlace, 'headers'>): string {
  return formatRecordId(originalRecordId(place));
}

/** A fact as JSON, as those who may follow it read it: in a feed or by a webhook the same. */
export function factText(
  place: FactPlace, contents: FactContents, viewer: Viewer['kind'],
): string {
  return `{"kind":${JSON.stringify(contents.kind)},"record_id":${JSON.stringify(factId(place))}`
    + `,"recorded_at_ms":${place.timestampMs},"fact":${JSON.stringify(saidTo(viewer, contents))}}`;
}
