/**
 * What a finished run leaves in its directory for the checker. The stack and the processes of the
 * product still run while the checker reads; `run.json` holds a {@link RunRecord}.
 *
 *   run.json                  this record
 *   history.jsonl             HistoryLine of test/faults/history.ts, in order of t_return_ns
 *   provider.jsonl            ProviderRequest: what the called provider and carrier saw
 *   webhooks.jsonl            WebhookPost: what the receivers of webhooks saw
 *   views.jsonl               ViewLine: what the viewers of live feeds saw
 *   receipts.jsonl            CallReceipt: how accepted calls ended, as the gateways say
 *   faults.jsonl              FaultLine: when which fault began and ended
 *   samples.jsonl             Sample: once a second
 *   NAME/output.log           what each process wrote, all its lives; NAME as in `processes`
 *   NAME/ends.jsonl           ProcessEnd: when each process ended of its own accord
 *   NAME/held                 bytes that a process held when it last collected its rubbish
 *   metrics/NAME.txt          last scrape of each process
 */
export const RUN_FILES = {
  record: 'run.json',
  history: 'history.jsonl',
  provider: 'provider.jsonl',
  webhooks: 'webhooks.jsonl',
  views: 'views.jsonl',
  receipts: 'receipts.jsonl',
  faults: 'faults.jsonl',
  samples: 'samples.jsonl',
  ends: 'ends.jsonl',
  held: 'held',
  metrics: 'metrics',
} as const;

/** What the checker must know of a run. */
export interface RunRecord {
  readonly scenario: string;
  readonly seed: number;
  /** Monotonic nanoseconds (decimal text) and UTC milliseconds of one moment. */
  readonly epoch: { readonly t_ns: string; readonly at_ms: number };
  /** When the last fault was healed, and when the last client call returned. */
  readonly healed_ns: string;
  readonly quiet_ns: string;
  /** Milliseconds from the last heal until all lag was 0; null when 60 s were not enough (I16). */
  readonly quiet_after_ms: number | null;
  /** Lag by group when the waiting ended. */
  readonly lag: Readonly<Record<string, number>>;
  readonly stack: StackAddresses;
  /** The processes of the product that ran, with the ports of their metrics. */
  readonly processes: readonly ProcessRecord[];
  /** Texts that must be in no log, metric, error body or dead-letter header (I15). */
  readonly canaries: readonly string[];
  /** Invariants that the scenario aims at; the checker checks all of them all the same. */
  readonly aims: readonly string[];
  /** True when the clients send, as the scenario wants, bad input or forbidden calls (I14). */
  readonly allows: readonly Allowance[];
  /**
   * A defect of ours is seeded: processes end so often at a record, and then it is a dead letter.
   * Without it none is right, and no more than one end at a record.
   */
  readonly ends_at_record_max?: number;
  /** Who followed the live feeds, and until when what they saw is written down. */
  readonly live?: { readonly viewers: readonly ViewerRecord[]; readonly seen_until_ns: string };
  /** Client ids and providers of others who called meanwhile: what they sent is in no history. */
  readonly guests?: readonly string[];
}

/** What a scenario permits that would be a violation without it; each must be written down. */
export type Allowance =
  /** Records may be gone from Kafka: retention or recreation is the fault. */
  | 'log-lost'
  /** A process may refuse to work on until an operator acts; then lag need not end. */
  | 'stands-still';

/** Direct addresses (no proxy) with administrator rights, while the stack still runs. */
export interface StackAddresses {
  readonly brokers: readonly string[];
  /** Every server of the state store. */
  readonly state_urls: readonly string[];
  readonly clickhouse_url: string;
  readonly clickhouse_user: string;
  readonly clickhouse_password: string;
  readonly clickhouse_database: string;
  readonly registry_url: string;
  /** Base URLs of the gateways. */
  readonly gateways: readonly string[];
}

/** One process of the product. */
export interface ProcessRecord {
  readonly name: string;
  readonly kind: 'gateway' | 'worker';
  readonly metrics_url: string;
  /** How often it was started. */
  readonly lives: number;
}

/** An end of a process that no signal made; the process writes it as the last thing. */
export interface ProcessEnd {
  /** True UTC milliseconds, also in a process that sees a wrong time. */
  readonly at_ms: number;
  readonly code: number;
  /** First line of what it was that the process could not go on after. */
  readonly reason: string;
}

/** One request that the called party got, one JSON line, written when it was answered. */
export interface ProviderRequest {
  readonly t_ns: string;
  /** `provider` or `carrier`. */
  readonly party: string;
  readonly method: string;
  readonly path: string;
  /** The body as JSON; the command in it is found by `transport.id` or `transport_id` or `id`. */
  readonly body: unknown;
  /** What it was answered; null when the connection was broken or left without an answer. */
  readonly status: number | null;
}

/** What a gateway says of an accepted call, one JSON line. */
export interface CallReceipt {
  readonly ingest_id: string;
  readonly status: number;
  /** The body: counts of items by outcome. */
  readonly receipt: Readonly<Record<string, unknown>>;
}

/** One post to a receiver of a webhook, one JSON line, written when it was answered. */
export interface WebhookPost {
  readonly t_ns: string;
  readonly webhook_id: string;
  /** Header `webhook-id`: topic id, partition and offset of the fact. */
  readonly id: string;
  /** `type` of the body. */
  readonly kind: string;
  readonly is_signed: boolean;
  /** What it was answered; null when the connection was broken or left without an answer. */
  readonly status: number | null;
}

/** A viewer of a live feed. */
export interface ViewerRecord {
  readonly name: string;
  readonly feed: 'fixes' | 'facts';
  /** Whose things it sees; null for the platform, which sees all. */
  readonly owner: { readonly client_id: string; readonly provider: string } | null;
}

/** What a viewer of a live feed got, one JSON line, in the order in which it came. */
export interface ViewLine {
  readonly t_ns: string;
  readonly viewer: string;
  /** Name of the gateway that it followed. */
  readonly gateway: string;
  /** `answer` to its call, `end` of the call, or the name of an event. */
  readonly event: string;
  /** Of an answer. */
  readonly status?: number;
  /** An answer to a call without the id of an event: what it saw before is not continued. */
  readonly begins?: true;
  /** Data of an event. */
  readonly data?: unknown;
}

/** Begin or end of one fault. */
export interface FaultLine {
  readonly t_ns: string;
  readonly phase: 'begin' | 'end';
  readonly fault: string;
  /** What was hit: a process, a proxy, a part of the stack. */
  readonly target: string;
}

/** State of one process at one moment. */
export interface Sample {
  readonly t_ns: string;
  readonly process: string;
  readonly pid?: number;
  readonly rss_bytes: number;
  /** Heap and buffers in use after the last collection; none in the first seconds of a life. */
  readonly held_bytes?: number;
  readonly sockets: number;
  /** Records between the committed and the end offsets, on the lines of process `lag` only. */
  readonly lag?: Readonly<Record<string, number>>;
}
