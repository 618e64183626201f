import type { IncomingMessage } from 'node:http';
import type { ScannedBody } from '../../../kernel/body-scanner.ts';
import type { Operation, Refusal } from '../../../kernel/http.ts';
import type { SchemaCheck } from '../../../kernel/schemas.ts';
import type { ReadJson } from '../json/read-json.ts';
import type { ByteShare } from './budget.ts';
import { mediaTypeFault } from './media-type.ts';
import { readBody } from './read-body.ts';
import { readForm } from './read-form.ts';
import type { QueryReading } from './read-query.ts';

/** What a call brings, read and judged by its schema. */
export interface Input {
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly canonical: Uint8Array;
  /** There instead of a parsed body when the operation's scanner took it. */
  readonly scanned?: ScannedBody;
}

/** The input, or a function that says what is wrong with it. */
export type InputReading =
  | { readonly kind: 'input'; readonly input: Input }
  | { readonly kind: 'faulty'; readonly explain: () => Refusal };

/** What came of a call: a body to be made out, or what is known without one. */
export type Received =
  | InputReading
  | {
    readonly kind: 'bytes';
    readonly bytes: Buffer;
    readonly query: Readonly<Record<string, string>>;
  };

/** An operation with its schema, and the query with which it was asked. */
export interface AskedFor {
  readonly operation: Operation;
  readonly check: SchemaCheck | undefined;
  readonly query: QueryReading;
}

const NOTHING = new Uint8Array(0);

/**
 * Judges the query and takes the body of a call off its line, in this order, up to the first that
 * is faulty. What the body takes counts in `share`.
 */
export async function receiveInput(
  { operation, query: asked }: AskedFor, request: IncomingMessage, share: ByteShare,
): Promise<Received | { readonly kind: 'gone' }> {
  if (!asked.ok) return faulty(asked.refusal);
  const { query } = asked;
  if (operation.bodyKind === 'none') {
    return { kind: 'input', input: { query, body: undefined, canonical: NOTHING } };
  }
  const wrongType = mediaTypeFault(request, operation.bodyKind);
  if (wrongType !== undefined) return faulty(wrongType);
  const reading = await readBody(request, operation.bodyBytesMax, share);
  if (reading.kind === 'gone') return reading;
  if (reading.kind === 'refused') return faulty(reading.refusal);
  return { kind: 'bytes', bytes: reading.bytes, query };
}

/** Makes out what was received: scans it, or reads it exactly and judges it by the schema. */
export function understandInput(
  readJson: ReadJson, { operation, check }: AskedFor, received: Received,
): InputReading {
  if (received.kind !== 'bytes') return received;
  const { bytes, query } = received;
  const scanned = operation.scan?.(bytes);
  if (scanned !== undefined) {
    const { canonical } = scanned;
    return { kind: 'input', input: { query, body: undefined, canonical, scanned } };
  }
  const value = operation.bodyKind === 'json'
    ? readJson(bytes)
    : { canonical: NOTHING, ...readForm(bytes) };
  if (!value.ok) return faulty(value.refusal);
  const explain = check?.(value.value);
  if (explain !== undefined) {
    const refusal = (): Refusal => operation.explain?.(value.value, explain()) ?? explain();
    return { kind: 'faulty', explain: refusal };
  }
  const body = value.value;
  const canonical = operation.keepsNumbers === true ? bytes : value.canonical;
  return { kind: 'input', input: { query, body, canonical } };
}

function faulty(refusal: Refusal): InputReading {
  return { kind: 'faulty', explain: () => refusal };
}
