import type { ClusterMetadata, Consumer } from '@platformatic/kafka';
import type { RecordHeaders } from '../../../kernel/record-log.ts';
import { platformaticLibrary } from '../clients/platformatic-library.ts';
import type { ConnectionLimits } from '../config.ts';
import type { RawRecord } from '../frame.ts';
import { platformaticSecurity } from '../security.ts';

/** How far one partition has been fetched. `next` moves with every answer. */
export interface FetchOffset {
  readonly topic: string;
  readonly topicId: string;
  readonly partition: number;
  next: bigint;
  /** Bytes to ask for; without it as many as a whole fetch. The first batch comes whole. */
  readonly bytesMax?: number;
}

/** Fetches from the leaders of partitions at positions that the caller keeps. */
export interface Fetcher {
  /** The partitions by the broker that leads them now. */
  byLeader(offsets: readonly FetchOffset[]): Promise<Map<number, FetchOffset[]>>;
  /** One fetch from one broker; moves the positions past what it returns. */
  fetch(node: number, offsets: readonly FetchOffset[]): Promise<readonly RawRecord[]>;
  /** Forgets who leads what; to be called after a failed fetch. */
  forgetLeaders(): void;
  close(): Promise<void>;
}

/** Limits of one fetch. */
export interface FetchLimits {
  readonly fetchWaitMs: number;
  readonly fetchBytesMax: number;
}

const LOG_APPEND_TIME = 0b1000;
const CONTROL_BATCH = 0b100000;

type BytesConsumer = Consumer;
type Fetched = Awaited<ReturnType<BytesConsumer['fetch']>>;
type FetchTopic = Parameters<BytesConsumer['fetch']>[0]['topics'][number];
type Batch = NonNullable<Fetched['responses'][number]['partitions'][number]['records']>[number];

/**
 * Reads with the fetch request of @platformatic/kafka instead of its stream: the stream moves a
 * position that retention has passed silently to the start of the log, and knows no limit in bytes.
 * Has connections of its own, because a fetch blocks its connection for heartbeats and commits.
 */
export function createFetcher(
  connection: ConnectionLimits,
  topics: readonly string[],
  limits: FetchLimits,
): Fetcher {
  const { Consumer: BytesClient, FetchIsolationLevels } = platformaticLibrary();
  const client = new BytesClient({
    clientId: `${connection.clientId}-fetch`,
    groupId: 'never-joined',
    bootstrapBrokers: [...connection.brokers],
    ...platformaticSecurity(connection),
    connectTimeout: connection.connectMsMax,
    requestTimeout: connection.requestMsMax + limits.fetchWaitMs,
    timeout: connection.requestMsMax,
    retries: 0,
    metadataMaxAge: 5_000,
    autocreateTopics: false,
    strict: false,
  });
  for (const topic of topics) client.topics.track(topic);

  async function byLeader(
    offsets: readonly FetchOffset[],
  ): Promise<Map<number, FetchOffset[]>> {
    const metadata: ClusterMetadata = await client.metadata({ topics: [...topics] });
    const leaders = new Map<number, FetchOffset[]>();
    for (const fetchOffset of offsets) {
      const partitions = metadata.topics.get(fetchOffset.topic)?.partitions;
      const leader = partitions?.[fetchOffset.partition]?.leader ?? -1;
      // No leader at the moment: the caller asks again after the next round.
      if (leader < 0) continue;
      const known = leaders.get(leader);
      if (known === undefined) leaders.set(leader, [fetchOffset]);
      else known.push(fetchOffset);
    }
    return leaders;
  }

  async function fetch(
    node: number,
    offsets: readonly FetchOffset[],
  ): Promise<readonly RawRecord[]> {
    const answer = await client.fetch({
      node,
      topics: toRequest(offsets, limits.fetchBytesMax),
      minBytes: 1,
      maxBytes: limits.fetchBytesMax,
      maxWaitTime: limits.fetchWaitMs,
      isolationLevel: FetchIsolationLevels.READ_UNCOMMITTED,
    });
    const byPartition = new Map(offsets.map((fetchOffset) => (
      [`${fetchOffset.topicId}:${fetchOffset.partition}`, fetchOffset]
    )));
    const records: RawRecord[] = [];
    for (const { topicId, partitions } of answer.responses) {
      for (const { partitionIndex, records: batches } of partitions) {
        const fetchOffset = byPartition.get(`${topicId}:${partitionIndex}`);
        if (fetchOffset === undefined) continue;
        for (const batch of batches ?? []) readBatch(fetchOffset, batch, records);
      }
    }
    return records;
  }

  return {
    byLeader,
    fetch,
    forgetLeaders: () => client.clearMetadata(),
    close: () => client.close(true),
  };
}

function toRequest(
  offsets: readonly FetchOffset[],
  partitionMaxBytes: number,
): FetchTopic[] {
  const byTopic = new Map<string, FetchTopic>();
  for (const { topicId, partition, next, bytesMax } of offsets) {
    const topic = byTopic.get(topicId) ?? { topicId, partitions: [] };
    byTopic.set(topicId, topic);
    topic.partitions.push({
      partition, fetchOffset: next, partitionMaxBytes: bytesMax ?? partitionMaxBytes,
      currentLeaderEpoch: -1, lastFetchedEpoch: -1,
    });
  }
  return [...byTopic.values()];
}

/** A batch may begin before the position, and its last offsets may be gone by compaction. */
function readBatch(fetchOffset: FetchOffset, batch: Batch, records: RawRecord[]): void {
  const end = batch.firstOffset + BigInt(batch.lastOffsetDelta) + 1n;
  const { topic, topicId, partition } = fetchOffset;
  const appended = (batch.attributes & LOG_APPEND_TIME) !== 0;
  const isControl = (batch.attributes & CONTROL_BATCH) !== 0;
  for (const record of isControl ? [] : batch.records) {
    const offset = batch.firstOffset + BigInt(record.offsetDelta);
    if (offset < fetchOffset.next) continue;
    records.push({
      topic,
      topicId,
      partition,
      offset,
      key: record.key ?? undefined,
      value: record.value ?? undefined,
      headers: readHeaders(record.headers),
      timestampMs: Number(
        appended ? batch.maxTimestamp : batch.firstTimestamp + record.timestampDelta,
      ),
    });
  }
  if (end > fetchOffset.next) fetchOffset.next = end;
}

function readHeaders(
  entries: readonly (readonly [Buffer | null | undefined, Buffer | null | undefined])[],
): RecordHeaders {
  const headers: Record<string, string> = {};
  for (const [name, value] of entries) {
    headers[name?.toString('utf8') ?? ''] = value?.toString('utf8') ?? '';
  }
  return headers;
}
