/** The two client libraries that can stand behind the ports; both are held to one suite. */
export const KAFKA_CLIENTS = ['platformatic', 'kafkajs'] as const;

/** The name of a client library, as in `RASTRO_KAFKA_CLIENT`. */
export type KafkaClient = (typeof KAFKA_CLIENTS)[number];

/** The client that a setting names; @platformatic/kafka where it names none. */
export function kafkaClientNamed(setting: string | undefined): KafkaClient {
  return KAFKA_CLIENTS.find((name) => name === setting) ?? 'platformatic';
}

/** One topic as the catalog describes it; rows of `TOPICS` in the generated catalog fit. */
export interface TopicSpec {
  readonly name: string;
  /** Never changes for a keyed topic; a new version of the topic is made instead. */
  readonly partitions: number;
  /** Kafka's `cleanup.policy`: `delete`, `compact` or `compact,delete`. */
  readonly cleanup: string;
  /** How long records are kept; -1 means forever. */
  readonly retention_ms: number;
  /** Largest batch in bytes that the broker takes, and so also the largest record. */
  readonly message_bytes_max: number;
}

/** Ways to prove a user to the brokers; PLAIN only inside TLS or on one machine. */
export const SASL_MECHANISMS = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const;

/** How a process proves who it is and whom it trusts. Nothing of it: an open listener. */
export interface KafkaSecurity {
  readonly sasl?: {
    readonly mechanism: (typeof SASL_MECHANISMS)[number];
    readonly username: string;
    readonly password: string;
  };
  /** TLS to the brokers; `ca` is a certificate in PEM, the system's own ones without it. */
  readonly tls?: { readonly ca?: string };
}

/** How to reach the brokers, and how long to wait for them. */
export interface ConnectionLimits extends KafkaSecurity {
  readonly brokers: readonly string[];
  readonly clientId: string;
  readonly connectMsMax: number;
  /** How long one request may take before it counts as lost. */
  readonly requestMsMax: number;
  /**
   * How often the client sends a batch again on its own before it rejects. platformatic forgets its
   * sequence numbers then, so that the same batch may be in the log twice: 100 times by default.
   * Below 2 it would take the number for "without limit".
   * kafkajs has no limit by default and must have none; only a test of rejections sets one.
   */
  readonly sendRetriesMax?: number;
}

/** Limits of the append path. See README.md for how they work together. */
export interface AppendLimits {
  /** Longest time that a record lingers when load is high; 0 when load is low. */
  readonly lingerMsMax: number;
  /**
   * Longest time that records wait for a request to the same broker to be answered, so that one
   * request takes those of all partitions; only own batches know it.
   */
  readonly gatherMsMax: number;
  /** A queue with this many bytes is sent at once. */
  readonly batchBytesFull: number;
  /** Bytes of one batch; a single record may be larger, up to its topic's limit. */
  readonly batchBytesMax: number;
  readonly batchRecordsMax: number;
  /** Bytes that all queues of the process hold together, sent or not. */
  readonly waitingBytesMax: number;
  /** While a batch is in flight for longer than this, its queue takes no new records. */
  readonly failFastMs: number;
  readonly backoffMsMin: number;
  readonly backoffMsMax: number;
  /** How often deadlines of records are looked at. */
  readonly sweepMs: number;
  /** Batches below this size are sent as they are: compression would cost more than it gains. */
  readonly compressBytesMin: number;
}

/** Defaults from the measurements that README.md cites. */
export const APPEND_LIMITS: AppendLimits = {
  lingerMsMax: 3,
  gatherMsMax: 20,
  batchBytesFull: 262_144,
  batchBytesMax: 900_000,
  batchRecordsMax: 2_000,
  waitingBytesMax: 67_108_864,
  failFastMs: 3_000,
  backoffMsMin: 50,
  backoffMsMax: 2_000,
  sweepMs: 50,
  compressBytesMin: 65_536,
};

/** What a member of a consumer group reads, and how much at a time. */
export interface ConsumerOptions {
  readonly group: string;
  readonly topics: readonly string[];
  /** Static membership: a restart under the same id takes its partitions over at once. One
   *  process per id; kafkajs has no static membership and ignores it. */
  readonly instanceId?: string;
  readonly batchRecordsMax: number;
  readonly batchBytesMax: number;
  /** How old the oldest record of an incomplete batch gets while it waits for more. */
  readonly lingerMs: number;
  /** Fetching stops while this many bytes wait for the handler. */
  readonly prefetchBytesMax: number;
  readonly sessionTimeoutMs: number;
  /** How late a member learns at most that the others wait for it: they stand still meanwhile. */
  readonly heartbeatMs: number;
  /** Longest time that a rebalance waits for the batch in progress. */
  readonly rebalanceTimeoutMs: number;
  readonly fetchWaitMs: number;
  /** Shortest time from one fetch from a broker to the next; kafkajs knows no such thing. */
  readonly fetchGapMs: number;
  readonly fetchBytesMax: number;
  readonly backoffMsMin: number;
  readonly backoffMsMax: number;
}

/** Defaults of a consumer; `group` and `topics` have none. */
export const CONSUMER_LIMITS: Omit<ConsumerOptions, 'group' | 'topics'> = {
  batchRecordsMax: 500,
  batchBytesMax: 8_388_608,
  lingerMs: 5,
  prefetchBytesMax: 16_777_216,
  sessionTimeoutMs: 10_000,
  heartbeatMs: 500,
  rebalanceTimeoutMs: 60_000,
  fetchWaitMs: 500,
  fetchGapMs: 20,
  fetchBytesMax: 8_388_608,
  backoffMsMin: 100,
  backoffMsMax: 5_000,
};

/** Bytes and waits of a read outside of any group. */
export interface ReaderLimits {
  readonly fetchWaitMs: number;
  readonly fetchBytesMax: number;
  readonly batchRecordsMax: number;
  readonly backoffMsMin: number;
  readonly backoffMsMax: number;
}

/** Defaults of a read to the end. */
export const READER_LIMITS: ReaderLimits = {
  fetchWaitMs: 200,
  fetchBytesMax: 8_388_608,
  batchRecordsMax: 1_000,
  backoffMsMin: 50,
  backoffMsMax: 1_000,
};
