import type { IHeaders, KafkaMessage } from 'kafkajs';
import type { RecordHeaders } from '../../../kernel/record-log.ts';
import type { RawRecord } from '../frame.ts';

/** A message of kafkajs in the shape that all clients share. */
export function toRaw(
  topicPartition: { readonly topic: string; readonly partition: number },
  topicId: string,
  message: KafkaMessage,
): RawRecord {
  return {
    topic: topicPartition.topic,
    topicId,
    partition: topicPartition.partition,
    offset: BigInt(message.offset),
    key: message.key ?? undefined,
    value: message.value ?? undefined,
    headers: readHeaders(message.headers),
    timestampMs: Number(message.timestamp),
  };
}

function readHeaders(entries: IHeaders | undefined): RecordHeaders {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(entries ?? {})) {
    const last = Array.isArray(value) ? value.at(-1) : value;
    headers[name] = last?.toString() ?? '';
  }
  return headers;
}
