import { isJsonObject } from '../../schemas/files.ts';
import { shapeOf } from '../../services/adapters/schema/explain/shape.ts';
import type { Code } from '../../services/kernel/codes.ts';
import type { CatalogOperation, CatalogResponse } from './catalog-shape.ts';
import type { JsonObject } from '../../schemas/files.ts';

/** One answer whose example is wanted, with the inlined schemas of its body and of the request. */
export interface ExampleAnswer {
  readonly operation: CatalogOperation;
  readonly status: number;
  readonly response: CatalogResponse;
  readonly schema: JsonObject;
  readonly request: JsonObject | undefined;
}

/** What is wrong with the call of an example, as its answer says it. */
export interface ExampleFault {
  readonly code: Code;
  readonly detail: string;
  readonly errors: readonly JsonObject[];
  /** The member of the body that lacks, if one does. */
  readonly field: string;
}

/** The codes of examples, the first of those that an answer has, with what the gateways say. */
const SAID: readonly (readonly [Code, string])[] = [
  ['invalid_client', 'Authorization is not Basic; send Authorization: Basic and client id:secret in Base64.'],
  ['invalid_token', 'The header Authorization is missing; send Authorization: Bearer and an access token of'
    + ' audience {audience}, which POST /oauth/token gives.'],
  ['wrong_audience', 'The access token was issued for the audience rtt, another than {audience}, which is'
    + ' needed here.'],
  ['authorization_not_found', 'No such authorization was asked for.'],
  ['command_not_found', 'This provider has no such command.'],
  ['device_not_found', 'The caller has no such device.'],
  ['provider_not_found', 'No client with a device has this provider.'],
  ['ingest_not_found', 'Nothing is known of such a call.'],
  ['party_not_found', 'No active party is registered for this provider.'],
  ['shipment_not_found', 'The caller has no such shipment.'],
  ['position_not_found', 'No position of it is known.'],
  ['route_not_found', 'There is no such error code.'],
  ['state_unavailable', 'The state store does not answer.'],
  ['rate_limited', 'The limit of calls of the client is reached; wait five minutes.'],
];

/**
 * The fault of an example. With 400 it is one that the call itself shows: the first mandatory
 * member or parameter lacks, else the body ends too early, or a parameter stands twice.
 */
export function exampleFault(
  { operation, status, response, request }: ExampleAnswer,
): ExampleFault {
  if (status === 400) {
    return request === undefined ? ofParameter(operation.params) : ofBody(request);
  }
  const [code, usual] = SAID.find(([each]) => response.codes.includes(each)) ?? [];
  if (code === undefined || usual === undefined) {
    throw new Error(`${operation.id} ${status} has no code with an example.`);
  }
  const detail = (response.says ?? usual).replace('{audience}', operation.audience ?? '');
  return { code, detail, errors: [], field: '' };
}

function ofBody(request: JsonObject): ExampleFault {
  const { oneOf } = request;
  const [one] = Array.isArray(oneOf) ? oneOf.filter(isJsonObject) : [];
  const { required } = one ?? request;
  const [field] = Array.isArray(required) ? required as string[] : [];
  if (field === undefined) {
    return single('malformed_json', '/half', 'malformed_json', 'The text ends too early (byte 9).');
  }
  const shape = shapeOf(one ?? request, field);
  const message = `is mandatory${shape === '' ? '' : `: ${shape}`}.`;
  const detail = `/${field} ${message}`;
  return { ...single('validation_failed', `/${field}`, 'required', detail, message), field };
}

function ofParameter(params: readonly string[]): ExampleFault {
  if (params.includes('country_id')) {
    return single('missing_parameter', '/query/country_id', 'missing_parameter', 'The parameter country_id is mandatory, such as ?country_id=BR.');
  }
  return single('invalid_parameter', '/query/twice', 'invalid_parameter', 'The parameter twice stands twice.');
}

function single(
  code: Code, pointer: string, fault: string, detail: string, message = detail,
): ExampleFault {
  return { code, detail, errors: [{ pointer, code: fault, message }], field: '' };
}
