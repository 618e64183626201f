import type { Producer } from '@platformatic/kafka';
import type { ConnectionLimits } from '../config.ts';
import { needsNewProducer, refusalOf } from '../errors.ts';
import { framedValue, type FramedRecord } from '../frame.ts';
import { BatchRefused, type PartitionSender } from '../append/sender.ts';
import { platformaticSecurity } from '../security.ts';
import { platformaticLibrary } from './platformatic-library.ts';

// Together some 50 s. A rejection makes the client forget its sequence numbers, so that the batch
// may be in the log twice; a broker that is killed and started again may need 10 s.
const SEND_RETRIES_MAX = 100;
const RETRY_WAIT_MS_STEP = 100;
const RETRY_WAIT_MS_MAX = 500;

type BytesProducer = Producer;

/**
 * Sends with @platformatic/kafka, one producer per partition. They share nothing on purpose. A
 * rejection clears the sequence numbers of all partitions of its producer. A send of another
 * partition that waits for metadata at that moment then goes out with the old producer id and
 * sequence 0. The broker may take it for a duplicate: acknowledged and lost (README.md, Traps).
 */
export function platformaticSender(
  connection: ConnectionLimits,
  compressBytesMin: number,
): PartitionSender {
  const library = platformaticLibrary();
  const producers = new Map<string, BytesProducer>();
  const toMessage = createToMessage();
  const retries = connection.sendRetriesMax ?? SEND_RETRIES_MAX;
  // The client stops long before; this only guards against a send that never ends.
  const sendMsMax = (retries + 1) * (connection.requestMsMax + connection.connectMsMax
    + RETRY_WAIT_MS_MAX);

  function open(): BytesProducer {
    return new library.Producer({
      clientId: connection.clientId,
      bootstrapBrokers: [...connection.brokers],
      ...platformaticSecurity(connection),
      connectTimeout: connection.connectMsMax,
      requestTimeout: connection.requestMsMax,
      timeout: connection.requestMsMax,
      idempotent: true,
      maxInflights: 1,
      retries,
      retryDelay: (_client, _operation, attempt) => (
        Math.min(RETRY_WAIT_MS_MAX, RETRY_WAIT_MS_STEP * attempt)
      ),
      autocreateTopics: false,
      repeatOnStaleMetadata: true,
      strict: false,
    });
  }

  async function retire(name: string): Promise<void> {
    const producer = producers.get(name);
    producers.delete(name);
    await producer?.close();
  }

  async function send(
    topic: string,
    partition: number,
    records: readonly FramedRecord[],
  ): Promise<void> {
    const name = `${topic}:${partition}`;
    const producer = producers.get(name) ?? open();
    producers.set(name, producer);
    try {
      await completes(producer.send({
        acks: library.ProduceAcks.ALL,
        idempotent: true,
        compression: bytesOf(records) >= compressBytesMin ? 'zstd' : 'none',
        messages: records.map((record) => toMessage(topic, partition, record)),
      }), sendMsMax);
    } catch (error) {
      const refused = refusalOf(error);
      if (refused !== undefined) throw new BatchRefused(refused, error);
      if (error instanceof SendNeverCompleted || needsNewProducer(error)) await retire(name);
      throw error;
    }
  }

  async function close(): Promise<void> {
    await Promise.allSettled([...producers.keys()].map(retire));
  }

  return { send, close };
}

interface Message {
  topic: string; partition: number; key: Buffer; value: Buffer; headers: Map<Buffer, Buffer>;
  timestamp: bigint;
}

/** Makes messages of records; names of headers are few, and made into bytes once. */
function createToMessage(): (topic: string, partition: number, record: FramedRecord) => Message {
  const names = new Map<string, Buffer>();
  function nameOf(name: string): Buffer {
    const bytes = names.get(name) ?? Buffer.from(name);
    names.set(name, bytes);
    return bytes;
  }
  return (topic, partition, record) => {
    const { key, timestampMs } = record;
    // Strings, or headers as an object, make send() hang forever.
    const headers = new Map<Buffer, Buffer>();
    for (const name in record.headers) {
      headers.set(nameOf(name), Buffer.from(record.headers[name] ?? ''));
    }
    return {
      topic, partition, key, value: framedValue(record), headers, timestamp: BigInt(timestampMs),
    };
  };
}

class SendNeverCompleted extends Error {
  readonly code = 'SEND_NEVER_COMPLETED';
}

async function completes<T>(sending: Promise<T>, msMax: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SendNeverCompleted(`no outcome after ${msMax} ms`)), msMax);
  });
  try {
    return await Promise.race([sending, late]);
  } finally {
    clearTimeout(timer);
  }
}

function bytesOf(records: readonly FramedRecord[]): number {
  return records.reduce((sum, record) => sum + record.bytes, 0);
}
