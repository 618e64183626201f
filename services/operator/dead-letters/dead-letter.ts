import type { DeadLetter } from '../../../schemas/generated/types.ts';
import type { Digest } from '../../kernel/digest.ts';
import {
  formatRecordId, parseRecordId, REPLAYED_FROM, type RecordId,
} from '../../kernel/record-id.ts';

/** Which worker could not process a record, and why. */
export interface Reason {
  readonly worker: string;
  readonly stage: string;
  readonly code: string;
  readonly detail: string;
  /** Same topic, stage, code and kind of detail: 16 hex digits, as in the table `dead_letters`. */
  readonly signature: string;
  readonly code_version: string;
  readonly at_ms: number;
}

/** Whether a dead letter still waits, and how it was closed. */
export type DeadLetterState = 'open' | 'replayed' | 'discarded';

/** Everything that workers recorded about one record, without its value. */
export interface DeadLetterSummary {
  /** `topic id:partition:offset` of the record. */
  readonly id: string;
  readonly topic: string;
  readonly recordId: RecordId;
  /** The first record id; it differs from `recordId` only after a replay. */
  readonly first: RecordId;
  readonly key: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly valueBytes: number;
  /** False for bytes in no frame, which no worker can read. */
  readonly isFramed: boolean;
  /** One of each worker, stage and code, oldest first; never empty. */
  readonly reasons: readonly [Reason, ...Reason[]];
  readonly state: DeadLetterState;
  readonly closed_at_ms: number | undefined;
}

/** What the log says about dead letters now. */
export interface DeadLetterLog {
  /** By id, in the order of the log. */
  readonly deadLetters: ReadonlyMap<string, DeadLetterSummary>;
  /** First record ids whose parked key was resumed, with the newest time of that. */
  readonly resumed: ReadonlyMap<string, number>;
}

const FRAME_BYTES = 5;
const WORD_WITH_DIGIT = /[0-9A-Za-z_-]*[0-9][0-9A-Za-z_-]*/g;
const SIGNATURE_CHARACTERS = 16;

/** Adds one more dead letter to what is known of the same record. */
export function withDeadLetter(
  known: DeadLetterSummary | undefined, record: DeadLetter, digest: Digest,
): DeadLetterSummary {
  const { origin, stage, code, detail, headers, value } = record;
  const { topic, partition } = origin;
  const recordId = { topicId: origin.topic_id ?? topic, partition, offset: BigInt(origin.offset) };
  const reason: Reason = {
    worker: record.worker ?? '', stage, code, detail,
    signature: signatureOf(digest, topic, stage, code, detail),
    code_version: record.code_version, at_ms: record.at_ms,
  };
  const others = (known?.reasons ?? []).filter((each) => (
    each.worker !== reason.worker || each.stage !== stage || each.code !== code
  ));
  const [oldest, ...rest] = others;
  const bytes = value === null ? undefined : Buffer.from(value, 'base64');
  return {
    id: formatRecordId(recordId), topic, recordId,
    first: parseRecordId(headers[REPLAYED_FROM]) ?? recordId,
    key: origin.key === null ? undefined : Buffer.from(origin.key, 'base64').toString('utf8'),
    headers,
    valueBytes: bytes?.length ?? 0,
    isFramed: bytes !== undefined && bytes.length > FRAME_BYTES && bytes[0] === 0,
    reasons: oldest === undefined ? [reason] : [oldest, ...rest, reason],
    state: 'open',
    closed_at_ms: undefined,
  };
}

/** The newest reason, which explains best why it is still open. */
export function newestReason({ reasons }: DeadLetterSummary): Reason {
  return reasons.at(-1) ?? reasons[0];
}

/** What a framed value holds: its JSON, and the id of the schema that wrote it. */
export function unframed(value: Buffer): { readonly value: Buffer; readonly schemaId: number } {
  return { value: value.subarray(FRAME_BYTES), schemaId: value.readInt32BE(1) };
}

/** Every word that has a digit becomes #, so that dead letters of one cause get one signature. */
function signatureOf(
  digest: Digest, topic: string, stage: string, code: string, detail: string,
): string {
  const text = [topic, stage, code, detail.replaceAll(WORD_WITH_DIGIT, '#')].join('\n');
  return digest(text).slice(0, SIGNATURE_CHARACTERS);
}
