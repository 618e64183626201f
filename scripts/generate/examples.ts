import { STATUS_CODES } from 'node:http';
import { isJsonObject } from '../../schemas/files.ts';
import type { CatalogResponse } from './catalog-shape.ts';
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

/** An example of one answer: that of its schema, with what its status and codes say. */
export function responseExample(
  schema: JsonObject,
  status: number,
  response: CatalogResponse,
): unknown {
  const example = exampleOf(schema);
  if (status < 400 || !isJsonObject(example)) return example;
  const message = response.description;
  if ('status_message' in example) return authorizationExample(example, status, message);
  if (!('code' in example)) {
    return { ...example, status: status < 500 ? 'FAILED' : 'ERROR', message };
  }
  const [code] = response.codes;
  const title = STATUS_CODES[status];
  const problem = { ...example, title, status, detail: message, message, code };
  const withErrors = code === 'validation_failed' ? problem : { ...problem, errors: [] };
  if (!('error' in example)) return withErrors;
  return { ...withErrors, error: TOKEN_ERRORS[status], error_description: message };
}

function authorizationExample(
  example: JsonObject, status: number, status_message: string,
): JsonObject {
  const denial = DENIALS[status];
  return { ...example, status_message, ...(denial !== undefined && { error_code: denial }) };
}
