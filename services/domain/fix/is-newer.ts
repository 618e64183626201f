import type { RecordId } from '../../kernel/record-id.ts';

/** What decides which of two fixes is the last one. */
export interface PlacedFix {
  /** The fix's own time, in seconds. */
  readonly timestamp: number;
  readonly recordId: RecordId;
}

/**
 * Which of two fixes is the last one: by its own time, then by its place in the log. The script
 * `newer.lua` says the same, held to this by a property test.
 */
export function isNewer(offer: PlacedFix, kept: PlacedFix | undefined): boolean {
  if (kept === undefined) return true;
  if (offer.timestamp !== kept.timestamp) return offer.timestamp > kept.timestamp;
  const [mine, theirs] = [offer.recordId, kept.recordId];
  return mine.topicId === theirs.topicId
    ? mine.offset > theirs.offset
    : mine.topicId > theirs.topicId;
}
