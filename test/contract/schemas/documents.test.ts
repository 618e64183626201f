import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../schemas/generated/catalog.ts';
import { asyncapiFile } from '../../../scripts/generate/asyncapi.ts';
import { readSource } from '../../../scripts/generate/source.ts';
import { SCHEMAS, readSchemas, strictAjv } from './validators.ts';
import type { Json } from './validators.ts';

const openapi = readSchemas('generated/openapi.json');
const asyncapi = JSON.parse(asyncapiFile(readSource(SCHEMAS.pathname))) as Json;
const catalog = readSchemas('catalog.json');
const META = 'https://json-schema.org/draft/2020-12/schema';

/** What `#/a/b` points to in a document; undefined when there is nothing. */
function at(document: Json, pointer: string): unknown {
  const names = pointer.slice(2).split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.reduce<unknown>((node, name) => (node as Json | undefined)?.[name], document);
}

function everyReference(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(everyReference);
  if (typeof node !== 'object' || node === null) return [];
  const { $ref: own, ...rest } = node as Json;
  const deeper = Object.values(rest).flatMap(everyReference);
  return typeof own === 'string' ? [own, ...deeper] : deeper;
}

/** A validator of one part of a document, its references read within the document. */
function faultsOf(document: Json, schema: Json): (value: unknown) => unknown {
  const ajv = strictAjv();
  ajv.addKeyword('components').addKeyword('discriminator');
  const validate = ajv.compile({ ...schema, components: document['components'] });
  return (value) => (validate(value) ? null : validate.errors);
}

interface Media { schema: Json; example: unknown }
interface Operation extends Json {
  operationId: string;
  parameters?: { $ref: string }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; content: Record<string, Media> }>;
  security: Record<string, string[]>[];
}
type PathItem = { servers?: { url: string }[]; get?: Operation; post?: Operation };
const paths = Object.entries(openapi['paths'] as Record<string, PathItem>)
  .flatMap(([path, { get, post }]) => [get, post]
    .filter((operation) => operation !== undefined)
    .map((operation) => [path, operation] as const));

describe('the OpenAPI document', () => {
  it('names its version and covers every operation of the catalog', () => {
    expect(openapi).toMatchObject({ openapi: '3.1.0', jsonSchemaDialect: META });
    const found = paths.map(([path, { operationId }]) => [operationId, path]);
    const operations = Object.values(OPERATIONS);
    expect(found).toEqual(operations.map(({ id, path }) => [id, path]));
  });

  it('refers to nothing that is not there, and holds nothing unused', () => {
    const references = everyReference(openapi);
    expect(references.length).toBeGreaterThan(50);
    for (const reference of references) expect(at(openapi, reference), reference).toBeDefined();
    const { schemas, parameters, headers } = openapi['components'] as Record<string, Json>;
    for (const [kind, parts] of Object.entries({ schemas, parameters, headers })) {
      for (const name of Object.keys(parts ?? {})) {
        expect(references).toContain(`#/components/${kind}/${name}`);
      }
    }
  });

  it('has only schemas that follow their meta-schema', () => {
    const ajv = strictAjv();
    const schemas = at(openapi, '#/components/schemas') as Record<string, Json>;
    for (const [name, schema] of Object.entries(schemas)) {
      expect(ajv.validate(META, schema), name).toBe(true);
    }
  });

  it.each(paths)('gives %s examples that follow their schemas', (_path, operation) => {
    const answers = Object.values(operation.responses).map(({ content }) => content);
    const media = [operation.requestBody?.content ?? {}, ...answers].flatMap(Object.values<Media>);
    expect(media.length).toBeGreaterThanOrEqual(answers.length);
    for (const { schema, example } of media) {
      expect(faultsOf(openapi, schema)(example), JSON.stringify(example)).toBeNull();
    }
  });

  it.each(paths)('gives %s every part that a caller needs', (path, operation) => {
    const { security, responses, parameters = [] } = operation;
    const schemes = at(openapi, '#/components/securitySchemes') as Json;
    expect(security.flatMap(Object.keys).every((name) => name in schemes)).toBe(true);
    const declared = parameters.map(({ $ref }) => at(openapi, $ref) as Json);
    for (const [, name] of path.matchAll(/\{(\w+)\}/g)) {
      const parameter = { name, in: 'path', required: true };
      expect(declared).toContainEqual(expect.objectContaining(parameter));
    }
    for (const [status, { description, content }] of Object.entries(responses)) {
      expect(description.length).toBeGreaterThan(10);
      for (const { example } of Object.values(content)) {
        const own = (example as Json)['status'];
        // Events are answered 202 with a body that says 200, as the interface shows it.
        const said = status === '202' && (example as Json)['message'] === 'success' ? 200 : Number(status);
        if (typeof own === 'number' && status !== '201') expect(own).toBe(said);
      }
    }
  });
});

interface Message { headers: Json; payload: Json; examples: { headers: Json; payload: Json }[] }

describe('the AsyncAPI document', () => {
  const topics = catalog['topics'] as { name: string }[];
  // A fleet of the past is asked for, and not followed.
  const feeds = (catalog['operations'] as { id: string; path: string; tag: string }[])
    .filter(({ id, tag }) => tag === 'live' && id.startsWith('follow-')).map(({ path }) => path);

  it('names its version and has a channel for every topic, then for every live feed', () => {
    expect(asyncapi).toMatchObject({ asyncapi: '3.0.0' });
    const addresses = Object.values(asyncapi['channels'] as Record<string, { address: string }>);
    expect(feeds.length).toBeGreaterThan(0);
    expect(addresses.map(({ address }) => address))
      .toEqual([...topics.map(({ name }) => name), ...feeds]);
  });

  it('refers to nothing that is not there', () => {
    const references = everyReference(asyncapi);
    expect(references.length).toBeGreaterThan(20);
    for (const reference of references) expect(at(asyncapi, reference), reference).toBeDefined();
  });

  it('has both sides of every topic as an operation, and sending to every live feed', () => {
    const operations = Object.values(asyncapi['operations'] as Record<string, Json>);
    const channels = Object.keys(asyncapi['channels'] as Json).map((name) => `#/channels/${name}`);
    const sideOf = (action: string): readonly unknown[] => operations
      .filter((operation) => operation['action'] === action)
      .map(({ channel }) => (channel as Json)['$ref']);
    expect(sideOf('send')).toEqual(channels);
    expect(sideOf('receive')).toEqual(channels.slice(0, topics.length));
  });

  const messages = Object.entries(at(asyncapi, '#/components/messages') as Record<string, Message>);
  it.each(messages)('gives %s examples that follow its headers and payload', (_name, message) => {
    expect(message.examples.length).toBeGreaterThan(0);
    for (const { headers, payload } of message.examples) {
      expect(faultsOf(asyncapi, message.headers)(headers)).toBeNull();
      expect(faultsOf(asyncapi, message.payload)(payload)).toBeNull();
    }
  });
});
