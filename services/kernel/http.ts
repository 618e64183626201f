import type { ScannedBody } from './body-scanner.ts';
import type { Code } from './codes.ts';
import type { IdParams } from './ids.ts';
import type { LongTexts } from './long-text.ts';
import type { BeginStream } from './stream-line.ts';
import type {
  AdmissionFacts, AdmittedCaller, AdmittedDevice, QuotaFacts,
} from './admission.ts';

/** One fault in a body or parameter: RFC 6901 pointer, code, and a sentence for people. */
export interface FieldError {
  readonly pointer: string;
  readonly code: Code;
  readonly message: string;
}

/** How a caller proves who it is at an operation. */
export type Authentication = 'basic' | 'bearer' | 'none';

/**
 * A call as an operation sees it: read, checked for form, and admitted. `Param` names what its
 * route guarantees: the parameters of the path, and `country_id` where the query must name it.
 */
export interface Call<
  Auth extends Authentication = Authentication, Body = unknown, Param extends string = string,
> {
  readonly requestId: string;
  readonly receivedAtMs: number;
  /** The request must be answered by then; work that would end later is not begun. */
  readonly deadlineMs: number;
  readonly address: string;
  readonly params: {
    readonly [Name in Exclude<Param, 'country_id'>]:
      Name extends keyof IdParams ? IdParams[Name] : string;
  };
  readonly query: Readonly<Record<Extract<Param, 'country_id'>, string> & Record<string, string>>;
  readonly header: (name: string) => string | undefined;
  /** The validated body, or its summary; `undefined` where the operation takes none. */
  readonly body: Body;
  /** Bytes of the canonical body, ready for the log. */
  readonly canonical: Uint8Array;
  /** Of an operation that keeps numbers, its body as it was sent. */
  readonly sent: SentBody;
  /** Who calls; always there where a token is needed, and never elsewhere. */
  readonly caller: Auth extends 'bearer' ? AdmittedCaller : undefined;
  readonly device: AdmittedDevice | undefined;
  readonly quota: QuotaFacts | undefined;
}

/** A body as it was sent, without members that are null, and with numbers as they were written. */
export interface SentBody {
  readonly value: unknown;
  /** Long texts whose stand-ins are in the value. */
  readonly texts: LongTexts;
}

/** A refusal as it is answered; `errors` lists every faulty member, at most 50. */
export interface Refusal {
  readonly code: Code;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  readonly retryAfterSeconds?: number;
  /** Methods that the path has, where the one of the call is none of them. */
  readonly allow?: readonly string[];
  /** Row of an endpoint's own table of error codes, where it has one (interface, 1). */
  readonly errorCode?: string;
}

/** What an operation answers: a status with a JSON body, a ready text, a stream, or a refusal. */
export type Answer =
  | {
    readonly kind: 'answer';
    readonly status: number;
    readonly body: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  }
  | {
    readonly kind: 'text';
    readonly status: number;
    readonly contentType: string;
    readonly text: string;
    readonly headers?: Readonly<Record<string, string>>;
  }
  | {
    readonly kind: 'stream';
    readonly status: number;
    readonly contentType: string;
    readonly begin: BeginStream;
  }
  /** `isOrdered` where a magic id of a sandbox asked for it: in truth nothing was refused. */
  | ({ readonly kind: 'refusal'; readonly isOrdered?: true } & Refusal);

/** How an endpoint family writes a refusal or a fault: status, content type and body. */
export interface ErrorForm {
  readonly write: (refusal: Refusal, requestId: string, path: string) => {
    readonly status: number;
    readonly contentType: string;
    readonly body: unknown;
    readonly headers: Readonly<Record<string, string>>;
  };
}

/**
 * The rights that an operation asks for: a token of one audience with one scope, or, where
 * `platformScope` names one, a token of the platform with that scope.
 */
type Rights<Auth extends Authentication> = Auth extends 'bearer'
  ? {
    readonly authentication: Auth; readonly audience: string; readonly scope: string;
    readonly platformScope?: string | undefined;
  }
  : {
    readonly authentication: Auth; readonly audience?: never; readonly scope?: never;
    readonly platformScope?: never;
  };

/** What admission is asked about a call. */
export interface AdmissionCharge {
  /** Device that the call speaks for. */
  readonly deviceId?: string;
  readonly locations?: number;
  readonly notifications?: number;
}

/**
 * Where an operation needs only a summary of its body, the body need not be parsed. Both ways give
 * the same summary.
 */
export interface BodySummary<Summary> {
  /** Reads a body without parsing it; what it does not take is parsed and summarized. */
  readonly scan: ((bytes: Uint8Array) => (Summary & ScannedBody) | undefined) | undefined;
  summarize(body: unknown): Summary;
}

interface OperationParts<Auth extends Authentication, Body, Param extends string> {
  readonly id: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Content type of the body, or `none`. */
  readonly bodyKind: 'json' | 'form' | 'json-or-form' | 'none';
  /** Title of the body's schema. */
  readonly bodySchema?: string;
  readonly bodyBytesMax: number;
  /** True for RTT calls: the query must name a known `country_id`. */
  readonly needsCountry: boolean;
  /** There where `Body` is a summary of what was sent. */
  readonly summary?: BodySummary<Body>;
  /** Reads the device id and the item count that admission needs, after validation. */
  admissionOf?(body: Body): AdmissionCharge;
  /** Adds what only the endpoint knows to the faults that its schema found in a body. */
  readonly explain?: (body: unknown, refusal: Refusal) => Refusal;
  /**
   * True where numbers must stay as they were written: `canonical` is then the body as sent, which
   * the strict reader has validated.
   */
  readonly keepsNumbers?: boolean;
  /**
   * True where long texts of the body have stand-ins, in `body` and in `sent` (kernel/long-texts).
   */
  readonly cutsLongTexts?: boolean;
  /** True where a call does all but store: it counts as none that was accepted (ADR 0093). */
  readonly isDryRun?: boolean;
  /** True where a dry run of the same call is at an address of its own. */
  readonly hasDryRun?: boolean;
  readonly errors: ErrorForm;
  handle(call: Call<Auth, Body, Param>): Promise<Answer>;
}

/**
 * One operation of the interface as data. It does not compile without saying how its caller is
 * authenticated, and with `bearer` for which audience and scope. Methods, not function properties,
 * take its call: so operations of all kinds fit into one list, and only the HTTP adapter, which
 * gives each operation the call that it declares, calls them from there.
 */
export type Operation<
  Auth extends Authentication = Authentication, Body = unknown, Param extends string = string,
> = Rights<Auth> & OperationParts<Auth, Body, Param>;

/** What a call says about itself; `deviceId` only where it speaks for a device. */
export interface AskedCall {
  readonly params: Readonly<Record<string, string>>;
  readonly clientIdHeader: string | undefined;
  readonly deviceId: string | undefined;
}

/** Decides whether a call is let in, from facts alone: a refusal, or `undefined` for "admitted". */
export type AuthorizeCaller = (
  operation: Operation<'bearer'>, facts: AdmissionFacts, asked: AskedCall,
) => Refusal | undefined;
