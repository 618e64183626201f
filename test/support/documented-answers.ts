import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { readEvents } from './live-lines.ts';
import openapi from '../../schemas/generated/openapi.json' with { type: 'json' };

interface Parameter { readonly name: string; readonly in: string; readonly example: unknown }
interface Reference { readonly $ref: string }
interface Media {
  readonly schema: Reference | { readonly contentSchema: Reference };
  readonly example: unknown;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly description: string;
  readonly parameters?: readonly { readonly $ref: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, {
    readonly description: string;
    readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
    readonly content: Readonly<Record<string, Media>>;
  }>>;
}

/** One status that the document promises for an operation. */
export interface DocumentedAnswer {
  readonly id: string;
  readonly status: number;
}

/** A call of a client that knows only the document; the wishes win over it. */
export interface ExampleCall {
  readonly method: string;
  readonly path: string;
  readonly contentType: string | undefined;
  readonly body: unknown;
}

/** What a call has other than the examples of the document; `null` leaves a parameter out. */
export interface ExampleWishes {
  readonly params?: Readonly<Record<string, string | number | null>>;
  readonly body?: unknown;
}

const documented = Object.entries(openapi.paths).flatMap(([path, item]) =>
  Object.entries(item).filter(([method]) => method === 'get' || method === 'post').map(
    ([method, operation]) => ({ path, method, operation: operation as DocumentedOperation }),
  ));

/** Every operation of the document with every status that it promises. */
export const DOCUMENTED: readonly DocumentedAnswer[] = documented.flatMap(({ operation }) =>
  Object.keys(operation.responses)
    .map((status) => ({ id: operation.operationId, status: Number(status) })));

/** True when the document promises this status for the operation. */
export function promises(id: string, status: number): boolean {
  return DOCUMENTED.some((each) => each.id === id && each.status === status);
}

function find(id: string): (typeof documented)[number] {
  const found = documented.find(({ operation }) => operation.operationId === id);
  if (found === undefined) throw new Error(`The document has no operation ${id}.`);
  return found;
}

/** The call of an operation made of the examples in the document. */
export function exampleCall(id: string, { params = {}, body }: ExampleWishes = {}): ExampleCall {
  const { path, method, operation } = find(id);
  const query = new URLSearchParams();
  let filled = path;
  for (const { $ref } of operation.parameters ?? []) {
    const { name, in: place, example } = parameterAt($ref);
    const value = name in params ? params[name] : example as string | number;
    if (value === null || value === undefined) continue;
    const text = String(value);
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(text));
    if (place === 'query' && (name in params || name !== 'cursor')) query.set(name, text);
  }
  const [contentType, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  return {
    method: method.toUpperCase(), path: `${filled}?${query.toString()}`, contentType,
    body: body ?? media?.example,
  };
}

/** The example of one answer. */
export function exampleOfAnswer(id: string, status: number): unknown {
  const content = find(id).operation.responses[String(status)]?.content ?? {};
  return Object.values(content)[0]?.example;
}

function parameterAt(reference: string): Parameter {
  const name = reference.slice('#/components/parameters/'.length);
  return (openapi.components.parameters as unknown as Record<string, Parameter>)[name] as Parameter;
}

// Strict, and with every schema of the document under one address, so that each compiles once.
const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
addFormats.default(ajv);
ajv.addKeyword('components');
ajv.addSchema({ $id: 'https://document.invalid/', components: openapi.components });

/** Only in answers to sandbox clients. */
const OF_SANDBOX = 'Sandbox';

// Not every 403 is about the token, and a refusal before admission knows no quota.
const MAY_LACK = /^(www-authenticate|ratelimit.*)$/;

/**
 * What is wrong with an answer by the document: its content type, its body, its code, and headers
 * that it lacks or that are no numbers. Empty when it keeps every promise.
 */
export async function faultsOfAnswer(id: string, response: Response): Promise<readonly string[]> {
  const promised = find(id).operation.responses[String(response.status)];
  if (promised === undefined) return [`the document knows no ${response.status}`];
  const [type, media] = Object.entries(promised.content)[0] ?? ['nothing', undefined];
  const text = await response.text();
  const faults: string[] = [];
  const answeredType = response.headers.get('content-type') ?? '';
  if (answeredType.split(';')[0] !== type) faults.push(`content type ${answeredType}, not ${type}`);
  const body = bodyOf(type, text);
  const validate = ajv.compile({ $ref: `https://document.invalid/${shapeOf(media)}` });
  if (!validate(body)) {
    faults.push(...(validate.errors ?? []).map(({ instancePath, message }) =>
      `body${instancePath} ${message ?? ''}`));
  }
  const code = (body as { code?: unknown }).code;
  if (response.status >= 400 && typeof code === 'string'
    && !promised.description.includes(`\`${code}\``)) faults.push(`undocumented code ${code}`);
  for (const [name, { $ref }] of Object.entries(promised.headers ?? {})) {
    faults.push(...headerFaults(name, $ref, response));
  }
  return faults;
}

/** Where the document describes a body, or the data of each event of a stream. */
function shapeOf(media: Media | undefined): string {
  if (media === undefined) return '';
  return 'contentSchema' in media.schema ? media.schema.contentSchema.$ref : media.schema.$ref;
}

/** What a schema describes: the JSON, the data of the first event of a stream, or the text. */
function bodyOf(type: string, text: string): unknown {
  if (type.endsWith('json')) return JSON.parse(text);
  return type === 'text/event-stream' ? readEvents(text)[0]?.data : text;
}

function headerFaults(name: string, reference: string, response: Response): readonly string[] {
  const value = response.headers.get(name);
  const { headers } = openapi.components;
  const key = reference.slice('#/components/headers/'.length) as keyof typeof headers;
  if (value === null && name === OF_SANDBOX) return [];
  if (value === null) {
    const isBound = response.status < 300 || response.status === 401
      || !MAY_LACK.test(name.toLowerCase());
    return isBound ? [`header ${name} is missing`] : [];
  }
  const isInteger = headers[key].schema.type === 'integer';
  return isInteger && !/^\d+$/.test(value) ? [`header ${name} is ${value}`] : [];
}
