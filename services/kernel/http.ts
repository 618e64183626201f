import type { ScanBody, ScannedBody } from './body-scanner.ts';
import type { Code } from './codes.ts';
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

/** A call as an operation sees it: read, checked for form, and admitted. */
export interface Call {
  readonly requestId: string;
  readonly receivedAtMs: number;
  /** The request must be answered by then; work that would end later is not begun. */
  readonly deadlineMs: number;
  readonly address: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly header: (name: string) => string | undefined;
  /** The validated body; `undefined` where the operation takes none, or where it was scanned. */
  readonly body: unknown;
  /** What a scanner told of a body that nobody parsed; only where the operation has one. */
  readonly scanned?: ScannedBody | undefined;
  /** Bytes of the canonical body, ready for the log. */
  readonly canonical: Uint8Array;
  readonly caller: AdmittedCaller | undefined;
  readonly device: AdmittedDevice | undefined;
  readonly quota: QuotaFacts | undefined;
}

/** A refusal on its way out; `errors` lists every faulty place, at most 50. */
export interface Refusal {
  readonly code: Code;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  readonly retryAfterSeconds?: number;
  /** Row of an endpoint's own table of error codes, where it has one (interface, 1). */
  readonly errorCode?: string;
}

/** What an operation answers: a status with a JSON body, a ready text, or a refusal. */
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
  | ({ readonly kind: 'refusal' } & Refusal);

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
 * One operation of the interface as data. A route cannot be mounted without saying how its caller
 * is authenticated, and with `bearer` for which audience and scope.
 */
export interface Operation {
  readonly id: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly authentication: Authentication;
  readonly audience?: string;
  readonly scope?: string;
  /** Content type of the body, or `none`. */
  readonly bodyKind: 'json' | 'form' | 'none';
  /** Title of the body's schema in the generated bundles. */
  readonly bodySchema?: string;
  readonly bodyBytesMax: number;
  /** True for RTT calls: the query must name a known `country_id`. */
  readonly needsCountry: boolean;
  /** Reads the device id and the item count that admission needs, after validation. */
  readonly admissionOf?: (call: { params: Call['params']; body: unknown }) => {
    readonly deviceId?: string;
    readonly locations: number;
  };
  /**
   * Judges a body without parsing it; what it does not take goes the exact way. The operation must
   * then do with what a scanner tells, and admission asks for just that.
   */
  readonly scan?: ScanBody | undefined;
  /** True where the interface knows no 429: the caller's quota is not held against the call. */
  readonly isUnmetered?: boolean;
  /** Adds what only the endpoint knows to the faults that its schema found in a body. */
  readonly explain?: (body: unknown, refusal: Refusal) => Refusal;
  /**
   * True where numbers must stay as they were written: `canonical` is then the body as sent, which
   * the strict reader has judged.
   */
  readonly keepsNumbers?: boolean;
  readonly errors: ErrorForm;
  readonly handle: (call: Call) => Promise<Answer>;
}

/** What a call says about itself; `deviceId` only where it speaks for a device. */
export interface AskedCall {
  readonly params: Call['params'];
  readonly clientIdHeader: string | undefined;
  readonly deviceId: string | undefined;
}

/** Decides about letting a call in, from facts alone: a refusal, or `undefined` for "admitted". */
export type Judge = (
  operation: Operation, facts: AdmissionFacts, asked: AskedCall,
) => Refusal | undefined;
