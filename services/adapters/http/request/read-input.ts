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

/** The input, or a function that says what is wrong with it, or that the caller hung up. */
export type InputReading =
  | { readonly kind: 'input'; readonly input: Input }
  | { readonly kind: 'faulty'; readonly explain: () => Refusal }
  | { readonly kind: 'gone' };

/** An operation with its schema, and the query with which it was asked. */
export interface AskedFor {
  readonly operation: Operation;
  readonly check: SchemaCheck | undefined;
  readonly query: QueryReading;
}

const NOTHING = new Uint8Array(0);

/**
 * Judges the query and reads the body of a call in this order, up to the first that is faulty. What
 * the body takes counts in `share`.
 */
export async function readInput(
  readJson: ReadJson, { operation, check, query: asked }: AskedFor, request: IncomingMessage,
  share: ByteShare,
): Promise<InputReading> {
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
  const scanned = operation.scan?.(reading.bytes);
  if (scanned !== undefined) {
    const { canonical } = scanned;
    return { kind: 'input', input: { query, body: undefined, canonical, scanned } };
  }
  const value = operation.bodyKind === 'json'
    ? readJson(reading.bytes)
    : { canonical: NOTHING, ...readForm(reading.bytes) };
  if (!value.ok) return faulty(value.refusal);
  const explain = check?.(value.value);
  if (explain !== undefined) {
    const refusal = (): Refusal => operation.explain?.(value.value, explain()) ?? explain();
    return { kind: 'faulty', explain: refusal };
  }
  const body = value.value;
  const canonical = operation.keepsNumbers === true ? reading.bytes : value.canonical;
  return { kind: 'input', input: { query, body, canonical } };
}

function faulty(refusal: Refusal): InputReading {
  return { kind: 'faulty', explain: () => refusal };
}
