import { isJsonObject } from '../../schemas/files.ts';
import { CODES } from '../../services/kernel/codes.ts';
import { exampleFault, type ExampleAnswer, type ExampleFault } from './example-faults.ts';
import type { JsonObject } from '../../schemas/files.ts';

/** RFC 6749 names for the statuses of the token endpoint. */
const TOKEN_ERRORS: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'invalid_client',
  429: 'temporarily_unavailable',
  500: 'server_error',
};

/** Codes of the authorization endpoints that are no fault of a field. */
const DENIALS: Readonly<Record<number, string>> = { 401: 'unauthorized', 403: 'forbidden' };

/** A value that follows an inlined schema, put together from the examples of its fields. */
export function exampleOf(schema: JsonObject): unknown {
  const { examples, const: fixed, oneOf, allOf, items, properties } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (fixed !== undefined) return fixed;
  if (Array.isArray(oneOf) && isJsonObject(oneOf[0])) return exampleOf(oneOf[0]);
  const [first] = Array.isArray(allOf) ? allOf.filter(isJsonObject) : [];
  if (isJsonObject(first?.['then'])) return exampleOf(first['then']);
  if (isJsonObject(items)) return [exampleOf(items)];
  if (!isJsonObject(properties)) return undefined;
  const fields = Object.entries(properties)
    .map(([name, field]) => [name, isJsonObject(field) ? exampleOf(field) : undefined] as const)
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(fields);
}

/**
 * An example of one answer. Of an error it is what the gateways answer to one faulty call, but for
 * the ids; `test/contract/gateways/examples.test.ts` makes the calls.
 */
export function responseExample(answer: ExampleAnswer): unknown {
  const example = exampleOf(answer.schema);
  if (!isJsonObject(example)) return example;
  if (answer.status === 202) return begunExample(example, answer.schema);
  if (answer.status < 400) return example;
  return errorExample(example, answer.status, exampleFault(answer));
}

/** What has only begun is answered without what comes later. */
function begunExample(example: JsonObject, { required }: JsonObject): JsonObject {
  const names = Array.isArray(required) ? required as string[] : [];
  const begun = Object.fromEntries(Object.entries(example)
    .filter(([name]) => names.includes(name)));
  return { ...begun, ...('state' in begun && { state: 'queued', tries: 0 }) };
}

function errorExample(
  example: JsonObject, status: number, { code, detail, errors, field }: ExampleFault,
): JsonObject {
  if ('status_message' in example) {
    const isOurs = status >= 500;
    const error_code = DENIALS[status] ?? `invalid_shipment_information.${field}`;
    return {
      ...example, ...(!isOurs && { error_code }), status_message: detail,
    };
  }
  if (!('code' in example)) {
    return { ...example, status: status < 500 ? 'FAILED' : 'ERROR', message: detail };
  }
  const problem = {
    ...example, type: `/problems/${code}`, title: CODES[code].meaning, status, detail,
    message: detail, code, errors,
  };
  if (!('error' in example)) return problem;
  return { ...problem, error: TOKEN_ERRORS[status], error_description: detail };
}
