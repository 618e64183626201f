import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../schemas/generated/catalog.ts';
import { loadSchemas } from '../../../services/adapters/schema/load-schemas.ts';
import { isDateTime } from '../../../services/kernel/date-time.ts';
import { withoutNulls } from '../../../services/kernel/exact-json.ts';
import { aRequest } from '../../support/authorization-facts.ts';
import { exampleCall } from '../../support/documented-answers.ts';
import { isJson } from '../../support/every-body/check-body.ts';
import { membersOf, withMember } from '../../support/every-body/members.ts';
import { diceOf, mutated } from '../../support/every-body/mutate.ts';
import { aNotification, ASKING_CODES } from '../../support/notifications.ts';
import { readSchemas } from './validators.ts';

const CHANGED_PER_BODY = 150;
/** The document has all of 64 bits, which no number of JavaScript has (decisions.md, Long ids). */
const BEYOND = /[^"\w.-]-?\d{16,}|\d{16,}[^"\w.]/;

const openapi = readSchemas('generated/openapi.json');
const ajv = new Ajv2020({
  strict: true, allowUnionTypes: true, ownProperties: true, discriminator: false, logger: false,
  formats: {
    'date-time': isDateTime, 'uri-reference': true, 'int32': true, 'int64': true,
    'double': true,
  },
});
ajv.addKeyword('components').addKeyword('discriminator');
ajv.addSchema({ $id: 'https://document.invalid/', components: openapi['components'] });
const schemas = loadSchemas();

interface Verdicts { readonly product: boolean; readonly document: boolean }

/** What the product says of a body, and what the document says. */
function verdictsOf(operation: string): (text: string) => Verdicts {
  const title = OPERATIONS[operation as keyof typeof OPERATIONS].request?.schema ?? '';
  const check = schemas.checkOf(title);
  const { $ref } = requestSchema(operation);
  const follows = ajv.compile({ $ref: `https://document.invalid/${$ref}` });
  return (text) => {
    const body = JSON.parse(text) as unknown;
    return { product: check(withoutNulls(body)) === undefined, document: follows(body) };
  };
}

interface RequestOperation {
  readonly requestBody: {
    readonly content: {
      readonly 'application/json': { readonly schema: { readonly $ref: string } };
    };
  };
}

function requestSchema(operationId: string): { readonly $ref: string } {
  const { method, path } = OPERATIONS[operationId as keyof typeof OPERATIONS];
  const paths = openapi['paths'] as Record<string, Record<string, RequestOperation>>;
  const operation = paths[path]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`The document has no ${operationId}.`);
  return operation.requestBody.content['application/json'].schema;
}

const ID = 'cmVxdWVzdC0x';
const TRANSPORT = { id: 987_654, license_plate: 'ABC1D23', country_id: 'BR' };
const DATE = '2025-11-24T13:00:00-03:00';
const ROUTES = [{
  route_id: 5501, rostering_id: '7701', estimated_start_date: DATE, estimated_end_date: DATE,
  estimated_start_monitoring_date: DATE, estimated_end_monitoring_date: DATE, country_id: 'BR',
  carrier: { id: 17, name: 'Acme' }, vehicles: [], stops: [],
}];
const WITHOUT_ZIP = ['BR', 'bra', 'MX', 'CL', 'US', '']
  .map((id) => aRequest({ shipment_information: withCountry(id) } as never));

function withCountry(id: string): object {
  const { shipment_information: information } = exampleCall('authorize-shipment').body as {
    shipment_information: { receiver: { address: { zip_code?: string } } };
  };
  const copy = structuredClone(information);
  delete copy.receiver.address.zip_code;
  return { ...copy, receiver: { ...copy.receiver, address: { ...copy.receiver.address, country: { id, name: 'x' } } } };
}

/** A delivery with who carries what in one place alone: at the top, or in the location. */
function deliveries(): readonly object[] {
  const { device, traceables, locations, ...rest } = exampleCall('send-delivery-locations').body as {
    readonly device: object; readonly traceables: object; readonly locations: readonly [object];
  };
  const [{ device: _device, traceables: _traceables, ...fix }] = locations as readonly [
    Readonly<Record<string, unknown>>,
  ];
  return [
    { ...rest, device, traceables, locations: [fix] },
    { ...rest, locations: [{ ...fix, device, traceables }] },
    { ...rest, device, locations: [{ ...fix, traceables }, fix] },
  ];
}

/** Good and bad bodies of each kind that a condition of a schema distinguishes. */
const MORE: Readonly<Record<string, readonly unknown[]>> = {
  'send-command': [
    { command: 'start_tracking', transport: TRANSPORT },
    { command: 'stop_tracking', transport: TRANSPORT },
    { command: 'stop_tracking', planned_routes: ROUTES },
    { command: 'check_planned_routes', planned_routes: ROUTES },
    { command: 'cancel_planned_routes', transport: TRANSPORT },
    { command: 'process_telemetry_events', id: ID, transport: TRANSPORT,
      travel: { init_date: '2025-11-24T13:00:00Z', end_date: '2025-11-24T14:00:00Z' } },
    { command: 'process_telemetry_events', transport: TRANSPORT }, { command: 'other' }, {},
  ],
  'push-notifications': ASKING_CODES.flatMap((code) => [
    aNotification(code), [aNotification(code), aNotification()],
  ]),
  'authorize-shipment': WITHOUT_ZIP,
  'send-delivery-locations': deliveries(),
};

const bodies = Object.values(OPERATIONS)
  .filter(({ request }) => request?.content_type === 'application/json')
  .map(({ id }) => [id, [exampleCall(id).body, ...MORE[id] ?? []]] as const);

/** A body, without each of its members, and with null in the place of each. */
function* withGaps(body: unknown): Generator<string> {
  yield JSON.stringify(body);
  for (const place of membersOf(body)) {
    yield JSON.stringify(withMember(body, place, undefined));
    yield JSON.stringify(withMember(body, place, null));
  }
}

function* changed(body: unknown, seed: number): Generator<string> {
  for (let number = 0; number < CHANGED_PER_BODY; number += 1) {
    yield mutated(body, diceOf(Math.imul(seed, 0x9e3779b1) ^ number));
  }
}

describe('the schemas of the OpenAPI document', () => {
  it.each(bodies)('accept and refuse each body of %s as the product does', (id, samples) => {
    const verdicts = verdictsOf(id);
    const seen = { accepted: 0, refused: 0 };
    for (const [seed, sample] of samples.entries()) {
      for (const text of [...withGaps(sample), ...changed(sample, seed + 1)]) {
        if (!isJson(text) || BEYOND.test(text)) continue;
        const { product, document } = verdicts(text);
        expect(document, `${id} ${text.slice(0, 2_000)}`).toBe(product);
        seen[product ? 'accepted' : 'refused'] += 1;
      }
    }
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(20);
  });
});
