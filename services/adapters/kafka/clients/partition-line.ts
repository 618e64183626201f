import { Connection, produceV9, Writer, type Producer } from '@platformatic/kafka';
import type { ConnectionLimits } from '../config.ts';
import type { FramedRecord } from '../frame.ts';
import { platformaticSecurity } from '../security.ts';
import { encodeBatch, type BatchPlace } from './record-batch.ts';

/** The way of one partition's batches to its leader; at most one of them is under way. */
export interface PartitionLine {
  /**
   * Resolves when every in-sync replica has the records. After a rejection the same records must
   * come again before others: only then does their sequence number tell the broker that it may have
   * them already.
   */
  send(records: readonly FramedRecord[], isPacked: boolean): Promise<void>;
  /** Makes the next batch the first one of a new writer. */
  renew(): void;
  close(): Promise<void>;
}

const PRODUCE = 0;
const VERSION = 9;
const ALL_REPLICAS = -1;
const SEQUENCES = 2 ** 31;

/** Opens the line of a partition; connects when it is first needed, and anew after each fault. */
export function openLine(
  topic: string, partition: number, directory: Producer, limits: ConnectionLimits,
): PartitionLine {
  let place: BatchPlace | undefined;
  let connection: Connection | undefined;
  let isStale = false;

  async function placeOfNext(): Promise<BatchPlace> {
    if (place !== undefined) return place;
    const { producerId, producerEpoch } = await directory.initIdempotentProducer({});
    return { producerId, producerEpoch, sequence: 0 };
  }

  async function toLeader(): Promise<Connection> {
    if (connection?.isConnected() === true) return connection;
    const metadata = await directory.metadata({
      topics: [topic], autocreateTopics: false, forceUpdate: isStale,
    });
    const leader = metadata.topics.get(topic)?.partitions[partition]?.leader;
    const broker = leader === undefined ? undefined : metadata.brokers.get(leader);
    if (broker === undefined) throw new LeaderUnknown(`${topic}:${partition} has no leader`);
    const fresh = new Connection(limits.clientId, {
      ...platformaticSecurity(limits),
      connectTimeout: limits.connectMsMax, requestTimeout: limits.requestMsMax, maxInflights: 1,
    });
    // What breaks is told by the request under way; without a listener it would end the process.
    fresh.on('error', () => undefined);
    await fresh.connect(broker.host, broker.port);
    return fresh;
  }

  async function drop(): Promise<void> {
    const dropped = connection;
    connection = undefined;
    isStale = true;
    await dropped?.close().catch(() => undefined);
  }

  async function send(records: readonly FramedRecord[], isPacked: boolean): Promise<void> {
    try {
      place = await placeOfNext();
      connection = await toLeader();
      const batch = encodeBatch(records, place, isPacked);
      await produce(connection, requestOf(topic, partition, batch, limits.requestMsMax));
    } catch (error) {
      void drop();
      throw error;
    }
    isStale = false;
    place = { ...place, sequence: (place.sequence + records.length) % SEQUENCES };
  }

  return { send, renew: () => { place = undefined; }, close: drop };
}

/** No broker leads the partition just now, as far as the cluster says. */
class LeaderUnknown extends Error {
  readonly code = 'LEADER_NOT_AVAILABLE';
}

/** A request to append one batch to one partition (Produce, version 9). */
function requestOf(
  topic: string, partition: number, batch: Buffer, timeoutMs: number,
): Writer {
  return Writer.create()
    .appendString(null)
    .appendInt16(ALL_REPLICAS)
    .appendInt32(timeoutMs)
    .appendArray([topic], (topics, name) => {
      topics.appendString(name).appendArray([batch], (partitions, bytes) => {
        partitions.appendInt32(partition).appendBytes(bytes);
      });
    })
    .appendTaggedFields();
}

function produce(connection: Connection, request: Writer): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.send(
      PRODUCE, VERSION, () => request, produceV9.parseResponse, true, true,
      (error) => {
        if (error === null) resolve();
        else reject(error);
      },
    );
  });
}
