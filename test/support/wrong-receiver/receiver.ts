import { randomUUID } from 'node:crypto';

/** As whom the kit comes to the wrong receiver. */
export const KNOWN = {
  clientId: '100000000000042',
  clientSecret: 'a-secret-that-only-this-test-knows',
  provider: 'kit',
  country: 'UY',
  commandToken: 'a-token-for-commands-0123456789abcdef',
  finalCode: 'EX-DELIVERED',
} as const;

/** A device as it is answered. */
export interface HeldDevice {
  readonly id: string;
  tracking: 'registered' | 'started' | 'stopped';
  readonly resource: Record<string, unknown> & { status: string };
}

/** An authorized order: its number, and how often it was cancelled. */
export interface HeldOrder {
  readonly shipment: string;
  number: string | undefined;
  epoch: number;
}

/** Everything the receiver remembers. New for each examination. */
export interface ReceiverMemory {
  readonly tokens: Map<string, { readonly audience: string; revoked: boolean }>;
  readonly devices: Map<string, HeldDevice>;
  readonly newest: Map<string, HeldDevice>;
  readonly asked: Map<string, { readonly commandId: string; readonly transport: number }>;
  readonly orders: Map<string, HeldOrder>;
  readonly journeys: Map<string, unknown[]>;
}

/** A receiver that remembers nothing yet. */
export function newReceiverMemory(): ReceiverMemory {
  return {
    tokens: new Map(), devices: new Map(), newest: new Map(), asked: new Map(),
    orders: new Map(), journeys: new Map(),
  };
}

/** A request as it came. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Buffer;
}

/** An answer before it is written. */
export interface ReceiverAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How an endpoint words its refusals. */
export type Form = 'problem' | 'token' | 'revoke' | 'authorization';

/** What a route is given: the body is valid. */
export interface RouteCall {
  readonly params: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  readonly headers: ReceivedRequest['headers'];
  readonly body: Readonly<Record<string, unknown>>;
  readonly memory: ReceiverMemory;
}

/** One operation of the receiver. Its pattern matches `METHOD /path`. */
export interface ReceiverRoute {
  readonly pattern: RegExp;
  readonly form: Form;
  /** Audience of the token; none for the token endpoint; `command` for that of a provider. */
  readonly audience?: string;
  /** Status without a good token, and with one of another audience. */
  readonly denials: readonly [number, number];
  readonly needsCountry?: boolean;
  readonly provider?: boolean;
  readonly schema?: string;
  readonly itemsMax?: Readonly<Record<string, number>>;
  readonly handle: (call: RouteCall) => ReceiverAnswer;
}

/** An accepted data call. */
export function accepted(body: object = { status: 202, message: 'Accepted' }): ReceiverAnswer {
  return { status: 202, body, headers: { 'ingest-id': randomUUID() } };
}

interface Fault {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
}

/** A refusal in the form of its endpoint. */
export function refuse(
  form: Form, status: number, code: string, errors: readonly Fault[] = [], errorCode = code,
): ReceiverAnswer {
  const detail = `${code} ${errors[0]?.pointer ?? ''}`.trim();
  if (form === 'authorization') {
    return { status, body: { error_code: errorCode, status_message: detail, status: 'FAILED' } };
  }
  if (form === 'revoke') return { status, body: { status: 'FAILED', message: detail } };
  const tokenPart = form === 'token' ? { error: 'invalid_request', error_description: detail } : {};
  const challenge = status === 401 || status === 403
    ? { 'www-authenticate': 'Bearer error="invalid_token"' } : {};
  return {
    status,
    headers: { 'content-type': 'application/problem+json', ...challenge },
    body: {
      type: 'about:blank', title: code, status, detail, instance: 'urn:x', message: detail, code,
      errors, request_id: randomUUID(), ...tokenPart,
    },
  };
}
