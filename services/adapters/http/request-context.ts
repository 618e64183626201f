import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AdmissionFacts } from '../../kernel/admission.ts';
import type { Answer, Operation, Refusal, SentBody } from '../../kernel/http.ts';
import type { SchemaCheck } from '../../kernel/schemas.ts';
import type { BadTokens } from './bad-tokens.ts';
import type { Slot, TakeSlot } from './client-concurrency.ts';
import type { AskedReading, JsonSteps } from './json/read-json.ts';
import type { LargeBodies, FinishLargeBody } from './large-bodies.ts';
import type { KnownTokens } from './known-tokens.ts';
import type { WithOverdue } from './overdue.ts';
import type { HttpConfig, HttpPorts } from './ports.ts';
import type { Bearer, BearerOf } from './request/bearer.ts';
import type { ByteReservation } from './request/budget.ts';
import type { QueryReading } from './request/read-query.ts';
import type { TenantMeter } from './tenant-meter.ts';

/** A stage of a request; `stages.ts` has them in order, with what each does. */
export type StageName =
  | 'headers' | 'token' | 'head' | 'query' | 'body' | 'slot' | 'json' | 'schema' | 'admission'
  | 'authorization' | 'freshness' | 'operation';

/** An operation with what was made of it at boot. */
export interface Mounted {
  readonly operation: Operation;
  readonly check: SchemaCheck | undefined;
}

/** A request as the router hands it over: its path parameters are decoded. */
export interface RoutedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryReading;
}

/** What every call is answered with. */
export interface CallTools {
  readonly config: HttpConfig;
  readonly ports: HttpPorts;
  /** Reads a body exactly, in steps. */
  readonly readInSteps: (bytes: Buffer, asked: AskedReading) => JsonSteps;
  readonly bearerOf: BearerOf;
  /** The caller's address behind the proxies that are trusted. */
  readonly callerAddressOf: (request: IncomingMessage) => string;
  readonly withOverdue: WithOverdue;
  readonly takeSlot: TakeSlot;
  readonly knownTokens: KnownTokens;
  readonly badTokens: BadTokens;
  readonly tenants: TenantMeter;
  readonly largeBodies: LargeBodies;
}

/** How a stage ends a call: with an answer, or `gone` because the caller hung up. */
export type StageEnding = Answer | 'gone';

/** One call; its stages fill it step by step, and it is read when the call is reported. */
export interface RequestContext {
  readonly mounted: Mounted;
  readonly routed: RoutedRequest;
  readonly requestId: string;
  readonly receivedAtMs: number;
  /** The stage that the call is in; at the end, the one that ended it. */
  stage: StageName;
  /** Why the input is refused, once that is known; answered only to a caller who is let in. */
  refused: { readonly stage: StageName; readonly explain: () => Refusal } | undefined;
  bearer: Bearer | undefined;
  query: Readonly<Record<string, string>>;
  /** The body as it was received, then as it was read, then as the operation is handed it. */
  bytes: Buffer | undefined;
  /** A large body that is not unpacked yet. */
  packed: Buffer | undefined;
  value: unknown;
  body: unknown;
  canonical: Uint8Array;
  /** The body as it was sent, where its operation keeps numbers. */
  sent: SentBody;
  /** True when a scanner took the body, which is then good by its schema. */
  isScanned: boolean;
  /** Memory counted for the body. */
  readonly reservation: ByteReservation;
  /** That of a call with a token, from when its body was there until it is answered. */
  slot: Slot | undefined;
  /** Whose token it is, as far as it was let in before its body is read. */
  clientId: string | undefined;
  /** Ends the turn of a large body. */
  finishLargeBody: FinishLargeBody | undefined;
  deviceId: string | undefined;
  /** Items of the body by which admission charged the call. */
  readonly items: { locations: number; notifications: number };
  /** From when the deadline counts. */
  beganMs: number | undefined;
  facts: AdmissionFacts | undefined;
  /** The request must be answered by then. */
  deadlineMs: number;
}
