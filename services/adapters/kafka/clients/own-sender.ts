import type { Connection, Producer } from '@platformatic/kafka';
import { BatchRefused, type PartitionSender } from '../append/sender.ts';
import type { AppendLimits, ConnectionLimits } from '../config.ts';
import { needsNewProducer, refusalOf } from '../errors.ts';
import type { FramedRecord } from '../frame.ts';
import { platformaticSecurity } from '../security.ts';
import { openBrokerConnection, type BrokerConnection } from './broker-connection.ts';
import { platformaticLibrary } from './platformatic-library.ts';
import { encodeBatch, type ProducerSequence } from './record-batch.ts';

/** What is known of one partition; all of it is forgotten and asked for again as needed. */
interface Partition {
  /** Of the next batch; unknown before the first one of a writer. */
  producerSequence: ProducerSequence | undefined;
  /** To the broker that led it last. */
  broker: BrokerConnection | undefined;
  /** True when the cluster must be asked again who leads it. */
  isStale: boolean;
}

const DIRECTORY_RETRIES_MAX = 2;
const DIRECTORY_RETRY_MS = 50;
const SEQUENCES = 2 ** 31;

/**
 * Sends batches that are encoded here, over connections of @platformatic/kafka, which also says who
 * leads a partition and gives producer ids. A partition keeps its sequence number through every
 * fault, so that a batch which goes again is in the log once even after a rejection. Partitions of
 * one broker share its requests and nothing else.
 */
export function ownSender(
  connection: ConnectionLimits,
  { compressBytesMin, gatherMsMax }: Pick<AppendLimits, 'compressBytesMin' | 'gatherMsMax'>,
): PartitionSender {
  const { requestMsMax } = connection;
  const partitions = new Map<string, Partition>();
  const brokers = new Map<string, BrokerConnection>();
  const directory = openDirectory(connection);

  function partitionOf(topic: string, number: number): Partition {
    const name = `${topic}:${number}`;
    const known = partitions.get(name);
    if (known !== undefined) return known;
    const partition: Partition = { producerSequence: undefined, broker: undefined, isStale: false };
    partitions.set(name, partition);
    return partition;
  }

  async function newProducerSequence(): Promise<ProducerSequence> {
    const { producerId, producerEpoch } = await directory.initIdempotentProducer({});
    return { producerId, producerEpoch, sequence: 0 };
  }

  async function brokerOfLeader(
    topic: string, number: number, { isStale }: Partition,
  ): Promise<BrokerConnection> {
    const metadata = await directory.metadata({
      topics: [topic], autocreateTopics: false, forceUpdate: isStale,
    });
    const leader = metadata.topics.get(topic)?.partitions[number]?.leader;
    const node = leader === undefined ? undefined : metadata.brokers.get(leader);
    if (node === undefined) throw new LeaderUnknown(`${topic}:${number} has no leader`);
    const address = `${node.host}:${node.port}`;
    const broker = brokers.get(address) ?? openBrokerConnection(
      () => connectTo(node, connection), { requestMsMax, gatherMsMax },
    );
    brokers.set(address, broker);
    return broker;
  }

  async function send(
    topic: string, number: number, records: readonly FramedRecord[],
  ): Promise<void> {
    const partition = partitionOf(topic, number);
    const isPacked = packableBytesOf(records) >= compressBytesMin;
    try {
      const producerSequence = partition.producerSequence ??= await newProducerSequence();
      const broker = partition.broker ??= await brokerOfLeader(topic, number, partition);
      const encoded = encodeBatch(records, producerSequence, isPacked);
      const batch = Buffer.isBuffer(encoded) ? encoded : await encoded;
      await broker.send({ topic, partition: number, batch });
      partition.isStale = false;
      const sequence = (producerSequence.sequence + records.length) % SEQUENCES;
      partition.producerSequence = { ...producerSequence, sequence };
    } catch (error) {
      partition.broker = undefined;
      partition.isStale = true;
      const refused = refusalOf(error);
      // A batch that is given up leaves its numbers behind: others must not be taken for it.
      if (refused !== undefined || needsNewProducer(error)) partition.producerSequence = undefined;
      if (refused !== undefined) throw new BatchRefused(refused, error);
      throw error;
    }
  }

  async function close(): Promise<void> {
    await Promise.all([...brokers.values()].map((broker) => broker.close()));
    await directory.close();
  }

  return {
    send, close,
    room: (topic, number) => partitionOf(topic, number).broker?.room(),
  };
}

/** Asks the cluster; writes nothing on its own. */
function openDirectory(limits: ConnectionLimits): Producer {
  const { Producer: Directory } = platformaticLibrary();
  return new Directory({
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
}

async function connectTo(
  { host, port }: { readonly host: string; readonly port: number }, limits: ConnectionLimits,
): Promise<Connection> {
  const { Connection: Way } = platformaticLibrary();
  const connection = new Way(limits.clientId, {
    ...platformaticSecurity(limits),
    connectTimeout: limits.connectMsMax, requestTimeout: limits.requestMsMax, maxInflights: 1,
  });
  // What breaks is reported by the request in progress; without a listener it would end the
  // process.
  connection.on('error', () => undefined);
  await connection.connect(host, port);
  return connection;
}

/** No broker leads the partition at the moment, as far as the cluster says. */
class LeaderUnknown extends Error {
  readonly code = 'LEADER_NOT_AVAILABLE';
}

function packableBytesOf(records: readonly FramedRecord[]): number {
  return records.reduce((sum, { bytes, isDense }) => sum + (isDense ? 0 : bytes), 0);
}
