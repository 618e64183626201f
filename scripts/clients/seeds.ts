import { isJsonObject, type JsonObject } from '../../schemas/files.ts';

/** A fault put into the document, and who must fail at which step. */
export interface Seed {
  readonly what: string;
  readonly client: string;
  readonly step: 'generate' | 'compile' | 'story';
  /** Changes the document in place; throws when what it breaks is not there. */
  spoil(document: JsonObject): void;
}

const SCHEMAS = ['components', 'schemas'];

/** One of each kind that made a client useless before. */
export const SEEDS: readonly Seed[] = [
  {
    what: 'a choice by if and then', client: 'typescript', step: 'compile',
    spoil(document) {
      const schemas = at(document, ...SCHEMAS);
      const { mapping } = at(schemas, 'ProviderCommandBody', 'discriminator') as { mapping: object };
      schemas['ProviderCommandBody'] = {
        type: 'object', required: ['command'],
        properties: { command: { type: 'string', enum: Object.keys(mapping) } },
        allOf: Object.keys(mapping).map((command) => ({
          if: { properties: { command: { enum: [command] } } }, then: { required: ['transport'] },
        })),
      };
      for (const reference of Object.values(mapping)) delete schemas[String(reference).split('/').at(-1) ?? ''];
    },
  },
  {
    what: 'a boolean schema', client: 'python', step: 'generate',
    spoil(document) { at(document, ...SCHEMAS, 'LocationsBody', 'not', 'properties')['m'] = true; },
  },
  {
    what: 'two types at one place', client: 'go', step: 'generate',
    spoil(document) {
      at(document, ...SCHEMAS)['LongId'] = { type: ['integer', 'string'], description: 'An id.' };
    },
  },
  {
    what: 'numbers without a width', client: 'go', step: 'compile',
    spoil(document) { delete at(document, ...SCHEMAS, 'LocationFix', 'properties', 'latitude')['format']; },
  },
  {
    what: 'a body with two content types', client: 'python', step: 'compile',
    spoil(document) {
      const content = at(document, 'paths', '/oauth/token', 'post', 'requestBody', 'content');
      content['application/x-www-form-urlencoded'] = content['application/json'];
    },
  },
  {
    what: 'a variable as the whole address', client: 'java', step: 'story',
    spoil(document) {
      at(document, 'paths', '/shipping/rtt/devices')['servers'] = [{
        url: '{rtt_url}', variables: { rtt_url: { default: 'http://localhost:8080' } },
      }];
    },
  },
  {
    what: 'an address that is none', client: 'python-urllib', step: 'story',
    spoil(document) { rename(at(document, 'paths'), '/shipping/rtt/devices', '/shipping/rtt/vehicles'); },
  },
  {
    what: 'an address that is none', client: 'bruno', step: 'story',
    spoil(document) { rename(at(document, 'paths'), '/shipping/rtt/limits', '/shipping/rtt/quotas'); },
  },
  {
    what: 'a call that the collection lacks', client: 'bruno', step: 'generate',
    spoil(document) {
      const limits = at(document, 'paths', '/shipping/rtt/limits', 'get');
      at(document, 'paths')['/shipping/rtt/quotas'] = { get: { ...limits, operationId: 'show-quotas' } };
    },
  },
];

function at(node: JsonObject, ...names: readonly string[]): JsonObject {
  return names.reduce<JsonObject>((here, name) => {
    const next = here[name];
    if (!isJsonObject(next)) throw new Error(`The document has no ${names.join(' › ')}.`);
    return next;
  }, node);
}

function rename(holder: JsonObject, from: string, to: string): void {
  const value = at(holder, from);
  delete holder[from];
  holder[to] = value;
}
