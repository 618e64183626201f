import type { LogRecord, UndecodableRecord } from './record-log.ts';

/** The place of a record for ever. A topic that is made anew under its old name has another id. */
export interface RecordPlace {
  readonly topicId: string;
  readonly partition: number;
  readonly offset: bigint;
}

/** Header of a record that was put back into its topic: the place that it had first. */
export const REDRIVEN_FROM = 'redriven-from';

const PLACE = /^(.+):(\d{1,9}):(\d{1,18})$/;

/**
 * The place that a record had first. One that was put back after repair lies at a new offset but
 * stays the record that it was: what knew it by its place knows it again, and nothing is doubled.
 */
export function firstPlaceOf(record: LogRecord | UndecodableRecord): RecordPlace {
  return readPlace(record.headers[REDRIVEN_FROM]) ?? record;
}

/** `topic id:partition:offset`, as in the header and in the names of dead letters. */
export function placeName({ topicId, partition, offset }: RecordPlace): string {
  return `${topicId}:${partition}:${offset}`;
}

/** The place that a text names, or undefined. */
export function readPlace(text: string | undefined): RecordPlace | undefined {
  const [, topicId, partition, offset] = PLACE.exec(text ?? '') ?? [];
  if (topicId === undefined || partition === undefined || offset === undefined) return undefined;
  return { topicId, partition: Number(partition), offset: BigInt(offset) };
}
