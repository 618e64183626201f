import type { IncomingMessage } from 'node:http';
import type { ScannedBody } from '../../../kernel/body-scanner.ts';
import type { Operation, Refusal } from '../../../kernel/http.ts';
import type { SchemaCheck } from '../../../kernel/schemas.ts';
import type { ReadJson } from '../json/read-json.ts';
import type { ByteBudget } from './budget.ts';
import { mediaTypeFault } from './media-type.ts';
import { readBody } from './read-body.ts';
import { readForm } from './read-form.ts';
import { readQuery } from './read-query.ts';

/** What a call brings, read and judged by its schema. */
export interface Input {
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly canonical: Uint8Array;
  /** There instead of a parsed body when the operation's scanner took it. */
  readonly scanned?: ScannedBody;
}

/**
 * The input, or a function that says what is wrong with it, or that the caller hung up. `release`
 * gives back the memory counted for the body, after the answer.
 */
export type InputReading =
  | { readonly kind: 'input'; readonly input: Input; readonly release: () => void }
  | { readonly kind: 'faulty'; readonly explain: () => Refusal; readonly release: () => void }
  | { readonly kind: 'gone'; readonly release: () => void };

/** What reading input needs besides the call. */
export interface InputPorts {
  readonly countries: ReadonlySet<string>;
  readonly readJson: ReadJson;
  readonly budget: ByteBudget;
}

const NOTHING = new Uint8Array(0);
const keepNothing = (): void => undefined;

/** Reads query and body of a call in this order, up to the first that is faulty. */
export async function readInput(
  ports: InputPorts, operation: Operation, check: SchemaCheck | undefined,
  request: IncomingMessage, url: string,
): Promise<InputReading> {
  const query = readQuery(url, operation.needsCountry ? ports.countries : undefined);
  if (!query.ok) return faulty(query.refusal, keepNothing);
  if (operation.bodyKind === 'none') {
    const input = { query: query.query, body: undefined, canonical: NOTHING };
    return { kind: 'input', input, release: keepNothing };
  }
  const wrongType = mediaTypeFault(request, operation.bodyKind);
  if (wrongType !== undefined) return faulty(wrongType, keepNothing);
  const reading = await readBody(request, operation.bodyBytesMax, ports.budget);
  const { release } = reading;
  if (reading.kind === 'gone') return { kind: 'gone', release };
  if (reading.kind === 'refused') return faulty(reading.refusal, release);
  const scanned = operation.scan?.(reading.bytes);
  if (scanned !== undefined) {
    const { canonical } = scanned;
    return {
      kind: 'input', input: { query: query.query, body: undefined, canonical, scanned }, release,
    };
  }
  const value = operation.bodyKind === 'json'
    ? ports.readJson(reading.bytes)
    : { canonical: NOTHING, ...readForm(reading.bytes) };
  if (!value.ok) return faulty(value.refusal, release);
  const explain = check?.(value.value);
  if (explain !== undefined) {
    const refusal = (): Refusal => operation.explain?.(value.value, explain()) ?? explain();
    return { kind: 'faulty', explain: refusal, release };
  }
  const body = value.value;
  const canonical = operation.keepsNumbers === true ? reading.bytes : value.canonical;
  return { kind: 'input', input: { query: query.query, body, canonical }, release };
}

function faulty(refusal: Refusal, release: () => void): InputReading {
  return { kind: 'faulty', explain: () => refusal, release };
}
