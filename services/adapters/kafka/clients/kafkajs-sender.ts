import kafkajs, { type IHeaders, type Kafka, type Message, type Producer } from 'kafkajs';
import type { ConnectionLimits } from '../config.ts';
import { needsNewProducer, refusalOf } from '../errors.ts';
import { framedValue, type FramedRecord } from '../frame.ts';
import { BatchRefused, type PartitionSender } from '../append/sender.ts';

interface Generation {
  readonly producer: Producer;
  readonly connected: Promise<void>;
  sends: number;
  retired: boolean;
}

/**
 * Sends with kafkajs. Its producer takes sequence numbers back after a failed send, so it is safe
 * only because the append path sends the very same batch again before anything else. `retry` of
 * the producer stays unset, which means unlimited; a limited one rejects sooner and rolls back.
 */
export function kafkajsSender(
  kafka: Kafka,
  connection: Pick<ConnectionLimits, 'sendRetriesMax'>,
  compressBytesMin: number,
): PartitionSender {
  const { sendRetriesMax } = connection;
  let current: Generation | undefined;
  const leaving = new Set<Promise<void>>();

  function open(): Generation {
    const producer = kafka.producer({
      idempotent: true,
      maxInFlightRequests: 5,
      allowAutoTopicCreation: false,
      createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
      ...(sendRetriesMax === undefined ? {} : { retry: { retries: sendRetriesMax } }),
    });
    return { producer, connected: producer.connect(), sends: 0, retired: false };
  }

  /** The other partitions finish what they send; what follows goes through a new producer. */
  function retire(generation: Generation): void {
    if (current === generation) current = undefined;
    generation.retired = true;
    disconnectIfDone(generation);
  }

  function disconnectIfDone(generation: Generation): void {
    if (!generation.retired || generation.sends > 0) return;
    const leave = generation.producer.disconnect().catch(() => undefined)
      .finally(() => leaving.delete(leave));
    leaving.add(leave);
  }

  async function connected(generation: Generation): Promise<void> {
    try {
      await generation.connected;
    } catch (error) {
      // A producer that did not connect never will; the next attempt starts with a new one.
      retire(generation);
      throw error;
    }
  }

  async function send(
    topic: string,
    partition: number,
    records: readonly FramedRecord[],
  ): Promise<void> {
    current ??= open();
    const generation = current;
    generation.sends += 1;
    try {
      await connected(generation);
      await generation.producer.send({
        topic,
        acks: -1,
        compression: bytesOf(records) >= compressBytesMin
          ? kafkajs.CompressionTypes.ZSTD : kafkajs.CompressionTypes.None,
        messages: records.map((record) => toMessage(partition, record)),
      });
    } catch (error) {
      const refused = refusalOf(error);
      if (refused !== undefined) throw new BatchRefused(refused, error);
      if (needsNewProducer(error)) retire(generation);
      throw error;
    } finally {
      generation.sends -= 1;
      disconnectIfDone(generation);
    }
  }

  async function close(): Promise<void> {
    if (current !== undefined) retire(current);
    await Promise.allSettled(leaving);
  }

  return { send, close };
}

function toMessage(partition: number, record: FramedRecord): Message {
  const headers: IHeaders = {};
  for (const [name, value] of Object.entries(record.headers)) headers[name] = Buffer.from(value);
  const value = framedValue(record);
  return { partition, key: record.key, value, headers, timestamp: String(record.timestampMs) };
}

function bytesOf(records: readonly FramedRecord[]): number {
  return records.reduce((sum, record) => sum + record.bytes, 0);
}
