import type { Problem } from './types.ts';

/** A batch with its final answer. */
export interface AcceptedBatch {
  /** `locations`, `events` or `delivery-locations`. */
  readonly call: string;
  /** The device, or the driver and what is carried. */
  readonly key: string;
  readonly items: number;
  /** Names the batch for `receipt`. */
  readonly ingestId: string;
}

/** A batch that the gateway refused for good; it is forgotten once `onRefused` is done. */
export interface RefusedBatch {
  readonly call: string;
  readonly key: string;
  readonly status: number;
  readonly problem: Problem;
  readonly items: readonly unknown[];
  /** The whole body, as it was sent. */
  readonly body: string;
}

/** How fast a client sends at most; below its limits, or everything waits five minutes. */
export interface SendRates {
  readonly callsPerSecond: number;
  readonly itemsPerSecond: number;
  readonly bytesPerSecond: number;
  readonly deviceCallsPerSecond: number;
}

/** Where a spool is, and how large it may become. */
export interface SpoolOptions {
  readonly dir: string;
  readonly bytesMax?: number;
  readonly segmentBytes?: number;
}

/** What the outside world gives; tests give their own. */
export interface Ports {
  readonly fetch: typeof fetch;
  /** A clock that only rises, for waits and lifetimes: devices correct their time. */
  readonly nowMs: () => number;
  /** The time of day. */
  readonly wallMs: () => number;
  /** Ends early, without an error, when it is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0 to 1; spreads the repeats of many clients. */
  readonly random: () => number;
}

/** Settings of a client; what is optional has the default of `DEFAULTS`. */
export interface ClientOptions {
  /** Address of the gateway, with the path that a proxy in front of it may have. */
  readonly url: string;
  /** Name of the provider in paths. */
  readonly provider: string;
  readonly countryId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly audience?: string;
  /** Decides about a batch that was refused; waited for before the batch is forgotten. */
  readonly onRefused: (batch: RefusedBatch) => void | Promise<void>;
  readonly onAccepted?: (batch: AcceptedBatch) => void | Promise<void>;
  readonly spool?: SpoolOptions;
  /** Without a spool: what may wait in memory before `send` waits. */
  readonly bufferBytes?: number;
  /** How long an item waits for others of its device. */
  readonly lingerMs?: number;
  /** Calls at a time, each of another device. */
  readonly callsMax?: number;
  readonly callMs?: number;
  readonly rates?: Partial<SendRates>;
  readonly ports?: Partial<Ports>;
}

/** A call of another operation, with the same token and the same repeats. */
export interface OtherCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A good answer. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** A body is at most so large (docs/reference/limits.md of the platform). */
export const BODY_BYTES_MAX = 1_048_576;

/** What holds where an option is left out. */
export const DEFAULTS = {
  audience: 'rtt',
  bufferBytes: 16_777_216,
  spoolBytes: 268_435_456,
  segmentBytes: 8_388_608,
  lingerMs: 200,
  callsMax: 8,
  callMs: 30_000,
  /** Nine tenths of the limits that a client has by default. */
  rates: {
    callsPerSecond: 180, itemsPerSecond: 18_000, bytesPerSecond: 18_874_368,
    deviceCallsPerSecond: 18,
  },
} as const;
