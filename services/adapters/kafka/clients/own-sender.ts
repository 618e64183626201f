import { Producer } from '@platformatic/kafka';
import type { ConnectionLimits } from '../config.ts';
import { needsNewProducer, refusalOf } from '../errors.ts';
import type { FramedRecord } from '../frame.ts';
import { BatchRefused, type PartitionSender } from '../append/sender.ts';
import { platformaticSecurity } from '../security.ts';
import { openLine, type PartitionLine } from './partition-line.ts';

const DIRECTORY_RETRIES_MAX = 2;
const DIRECTORY_RETRY_MS = 50;

/**
 * Sends batches that are encoded here, over connections of @platformatic/kafka, which also says who
 * leads a partition and gives producer ids. A partition keeps its sequence number through every
 * fault, so that a batch which goes again is in the log once even after a rejection.
 */
export function ownSender(
  limits: ConnectionLimits, compressBytesMin: number,
): PartitionSender {
  const lines = new Map<string, PartitionLine>();
  const directory = new Producer({
    clientId: limits.clientId,
    bootstrapBrokers: [...limits.brokers],
    ...platformaticSecurity(limits),
    connectTimeout: limits.connectMsMax,
    requestTimeout: limits.requestMsMax,
    timeout: limits.requestMsMax,
    idempotent: true,
    retries: DIRECTORY_RETRIES_MAX,
    retryDelay: DIRECTORY_RETRY_MS,
    autocreateTopics: false,
    strict: false,
  });

  function lineOf(topic: string, partition: number): PartitionLine {
    const name = `${topic}:${partition}`;
    const line = lines.get(name) ?? openLine(topic, partition, directory, limits);
    lines.set(name, line);
    return line;
  }

  async function send(
    topic: string, partition: number, records: readonly FramedRecord[],
  ): Promise<void> {
    const line = lineOf(topic, partition);
    const bytes = records.reduce((sum, record) => sum + record.bytes, 0);
    try {
      await line.send(records, bytes >= compressBytesMin);
    } catch (error) {
      const refused = refusalOf(error);
      // A batch that is given up leaves its numbers behind: others must not be taken for it.
      if (refused !== undefined || needsNewProducer(error)) line.renew();
      if (refused !== undefined) throw new BatchRefused(refused, error);
      throw error;
    }
  }

  async function close(): Promise<void> {
    await Promise.allSettled([...lines.values()].map((line) => line.close()));
    await directory.close();
  }

  return { send, close };
}
