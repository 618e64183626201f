import { isJsonObject, type JsonObject } from '../../schemas/files.ts';

/** A parameter of a call, as the OpenAPI document has it. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly example: string | number;
}

/** One call of the document, with all that a request of it needs. */
export interface DocumentCall {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** Audience of its token; undefined where it takes none. */
  readonly audience: string | undefined;
  readonly security: string | undefined;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly type: string; readonly example: JsonObject } | undefined;
  readonly success: Success;
}

/** The first documented success of a call. */
export interface Success {
  readonly status: number;
  readonly type: string;
  readonly headers: readonly string[];
  readonly example: unknown;
  /** Members that the answer always has. */
  readonly required: readonly string[];
}

/** Reads the calls of an OpenAPI document, in its order. */
export function operationsOf(document: JsonObject): readonly DocumentCall[] {
  const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;
  return Object.entries(paths).flatMap(([path, item]) => (
    Object.entries(item).map(([method, raw]) => operationOf(document, { path, method, raw }))
  ));
}

interface Call {
  readonly path: string;
  readonly method: string;
  readonly raw: JsonObject;
}

function operationOf(document: JsonObject, { path, method, raw }: Call): DocumentCall {
  const [security] = raw['security'] as readonly JsonObject[];
  const parameters = (raw['parameters'] ?? []) as readonly { readonly $ref: string }[];
  return {
    id: String(raw['operationId']), method, path,
    tag: String((raw['tags'] as readonly string[])[0]),
    summary: String(raw['summary']), description: String(raw['description']),
    audience: raw['x-audience'] as string | undefined,
    security: security === undefined ? undefined : Object.keys(security)[0],
    parameters: parameters.map(({ $ref }) => at(document, $ref) as unknown as Parameter),
    body: bodyOf(raw['requestBody'] as JsonObject | undefined),
    success: successOf(document, raw['responses'] as Readonly<Record<string, JsonObject>>),
  };
}

function bodyOf(body: JsonObject | undefined): DocumentCall['body'] {
  if (body === undefined) return undefined;
  const [[type, media] = ['', {}]] = Object.entries(body['content'] as Record<string, JsonObject>);
  return { type, example: media['example'] as JsonObject };
}

function successOf(
  document: JsonObject, responses: Readonly<Record<string, JsonObject>>,
): Success {
  const [status, answer] = Object.entries(responses).find(([code]) => Number(code) < 300) ?? [];
  if (answer === undefined) throw new Error('A call has no documented success.');
  const [[type, media] = ['', {}]] = Object.entries(answer['content'] as Record<string, JsonObject>);
  const schema = (media['schema'] ?? {}) as JsonObject;
  const shape = typeof schema['$ref'] === 'string' ? at(document, schema['$ref']) : schema;
  return {
    status: Number(status), type, headers: Object.keys(answer['headers'] ?? {}),
    example: media['example'], required: (shape['required'] ?? []) as readonly string[],
  };
}

function at(document: JsonObject, reference: string): JsonObject {
  return reference.slice('#/'.length).split('/').reduce<JsonObject>((node, name) => {
    const next = node[name];
    if (!isJsonObject(next)) throw new Error(`The document has no ${reference}.`);
    return next;
  }, document);
}
