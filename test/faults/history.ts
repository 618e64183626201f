/** What a client may call; `reading` are the operations that change nothing. */
export const OPS = [
  'issue-token', 'revoke-token', 'register', 'start', 'stop', 'send-locations', 'send-events',
  'send-deferred-events', 'send-deliveries', 'push-notifications', 'authorize', 'cancel', 'command',
] as const;

/** The name of one operation. */
export type Op = (typeof OPS)[number];

/** What an item is, and by it in which view it must be found. */
export type ItemKind = 'location' | 'event' | 'deferred-event' | 'delivery' | 'notification';

/**
 * One thing that a call hands over. `mark` is unique in a run and is stored with the item: value of
 * the pair `mark` in `metadata` (location, event, deferred-event, delivery), or `carrier_code`
 * (notification). The same mark again is the same item sent again, byte for byte.
 */
export interface Item {
  readonly kind: ItemKind;
  readonly mark: string;
  /**
   * What orders it: device id, `transport_id`, `type|id` of the traceable, tracking number as sent.
   */
  readonly key: string;
  /** The item as it was sent. */
  readonly content: Readonly<Record<string, unknown>>;
}

/**
 * One try of one call, one JSON line. A client repeats a try with the same `call` and the same body
 * until it is `ok` or `fail`. A line is written when the try returns; a run leaves no try open.
 */
export interface HistoryLine {
  readonly op: Op;
  /** Unique name of the call; its tries share it. */
  readonly call: string;
  /** Counts the tries of the call from 1. */
  readonly attempt: number;
  /** Name of the client in the run (`provider-1`, `carrier-1`, `platform`). */
  readonly client: string;
  /** Name of the gateway that the try went to (`gateway-1`). */
  readonly gateway: string;
  /** What the call is about; see {@link CallArgs}. */
  readonly args: CallArgs;
  readonly items: readonly Item[];
  /** Monotonic nanoseconds of the harness, as decimal text: one clock for all lines of a run. */
  readonly t_invoke_ns: string;
  readonly t_return_ns: string;
  /** `ok`: 2xx; `fail`: 4xx but 429, surely without effect; `info`: 429, 5xx or no answer. */
  readonly outcome: 'ok' | 'fail' | 'info';
  /** HTTP status; null when no whole answer came. */
  readonly status: number | null;
  /** Body of the answer, JSON where it is; the name of the error when no answer came. */
  readonly body: unknown;
  /** Header `Ingest-Id` of the answer. */
  readonly ingest_id: string | null;
}

/** What a call is about; which fields are there follows from `op`. */
export interface CallArgs {
  /** SHA-256 hex of the bearer token that the call used; every op but issue-token. */
  readonly token_sha256?: string;
  /** revoke-token: the token in the body. issue-token: the one in the answer, when there is one. */
  readonly subject_token_sha256?: string;
  readonly audience?: string;
  readonly provider?: string;
  /** register: the pair that makes the device; a generation begins after each stop. */
  readonly entity_type?: string;
  readonly entity_id?: string;
  /** register, command: the transport. */
  readonly transport_id?: number;
  /** start, stop, send-locations, send-events. */
  readonly device_id?: string;
  /** send-deferred-events: the `id` of the command that it answers. */
  readonly request_id?: string;
  /** authorize, cancel. */
  readonly shipment_id?: string;
  readonly transport_order_id?: string;
  /** cancel, push-notifications. */
  readonly tracking_number?: string;
  /** command: `start_tracking`, `stop_tracking`, …; its id is `body.command_id` of the answer. */
  readonly command?: string;
  /** command: unique in the run, `transport.license_plate` of the body and of what is sent on. */
  readonly command_mark?: string;
  /**
   * True when the call is meant to be refused: revoked token, device not started or stopped, a
   * device of another client. Data that is in flight while its device is stopped has no such mark,
   * and a refusal of it is right when a stop was invoked before it returned.
   */
  readonly meant_to_fail?: boolean;
}
