import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { DeadLetter } from '../../../schemas/generated/types.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Code } from '../../kernel/codes.ts';
import type { Stage } from '../../kernel/unavailable.ts';
import { isDecoded, type LogRecord, type RecordLog } from '../../kernel/record-log.ts';
import type { Signals } from '../../kernel/signals.ts';
import type { ConsumedRecord } from './outcomes.ts';

/** Settings of the dead letters. */
export interface DeadLettersConfig {
  /** Name of the worker that gives up; others may read the same record and apply it. */
  readonly worker: string;
  /** Version of the code that gives up, so that a repair knows what to send again. */
  readonly codeVersion: string;
  /** How long one append may take before the batch is repeated, in milliseconds. */
  readonly appendMsMax: number;
}

/** Where records go that can never be processed. Resolves when the dead letter is durable. */
export interface DeadLetters {
  write(record: ConsumedRecord, stage: Stage, code: Code, detail: string): Promise<void>;
}

const DETAIL_CHARACTERS_MAX = 2_000;

/**
 * Keeps the raw bytes of what cannot be processed, with its origin and the reason. One that
 * cannot be written rejects with the log's Unavailable: then the batch is not committed either.
 */
export function createDeadLetters(
  config: DeadLettersConfig,
  ports: { readonly log: RecordLog; readonly clock: Clock; readonly signals: Signals },
): DeadLetters {
  const { log, clock, signals } = ports;
  return {
    async write(record, stage, code, detail) {
      const atMs = clock.nowMs();
      const deadLetter: DeadLetter = {
        origin: {
          topic: record.topic,
          ...(record.topicId === '' ? {} : { topic_id: record.topicId }),
          partition: record.partition,
          offset: Number(record.offset),
          key: rawKeyOf(record)?.toString('base64') ?? null,
        },
        worker: config.worker,
        stage,
        code,
        detail: detail.slice(0, DETAIL_CHARACTERS_MAX),
        headers: { ...record.headers },
        value: keptValueOf(record)?.toString('base64') ?? null,
        code_version: config.codeVersion,
        at_ms: atMs,
      };
      await log.append({
        topic: TOPICS.deadLetters.name,
        key: rawKeyOf(record)?.toString('utf8') ?? '',
        value: Buffer.from(JSON.stringify(deadLetter)),
        headers: carriedOn(record),
      }, atMs + config.appendMsMax);
      signals.deadLetterWritten({
        topic: record.topic, partition: record.partition, offset: String(record.offset),
        stage, code,
      });
    },
  };
}

function carriedOn(record: ConsumedRecord): Record<string, string> {
  const names = TOPICS.deadLetters.headers_optional;
  return Object.fromEntries(names.flatMap((name) => {
    const value = record.headers[name];
    return value === undefined ? [] : [[name, value]];
  }));
}

function rawKeyOf(record: ConsumedRecord): Buffer | undefined {
  return isDecoded(record) ? Buffer.from(record.key) : record.rawKey;
}

/** A dead letter about a dead letter would grow by a third; the log has the first anyway. */
function keptValueOf(record: ConsumedRecord): Buffer | undefined {
  return record.topic === TOPICS.deadLetters.name ? undefined : rawValueOf(record);
}

/** The bytes as they lie in the log: a decoded record gets its frame back. */
function rawValueOf(record: ConsumedRecord): Buffer | undefined {
  return isDecoded(record) ? framedValueOf(record) : record.rawValue;
}

/** The bytes of a decoded record as they lie in the log, in the frame that it was taken out of. */
export function framedValueOf({ schemaId, value }: LogRecord): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(schemaId, 1);
  return Buffer.concat([head, value]);
}
