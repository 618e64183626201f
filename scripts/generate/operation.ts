import { fileTitled, reference } from './components.ts';
import { exampleOf, responseExample } from './examples.ts';
import { inlined, referring } from '../../schemas/inline.ts';
import type { CatalogOperation, CatalogRequest } from './catalog-shape.ts';
import type { JsonObject } from '../../schemas/files.ts';
import type { Source } from './source.ts';

/** One operation of the catalog as an OpenAPI 3.1 operation; `nameOf` names what is sent. */
export function operationObject(
  source: Source, operation: CatalogOperation, nameOf: (title: string) => string,
): JsonObject {
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: describe(operation),
    tags: [operation.tag],
    security: securityOf(operation),
    ...(operation.audience !== null && { 'x-audience': operation.audience }),
    ...(operation.params.length > 0 && {
      parameters: operation.params.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    }),
    ...(operation.request !== null && {
      requestBody: requestBody(source, operation.request, nameOf),
    }),
    responses: responses(source, operation),
  };
}

/** The parameters that operations share. */
export function parameterObjects(source: Source): JsonObject {
  const entries = Object.entries(source.catalog.parameters).map(([name, parameter]) => {
    const { schema, ...rest } = parameter;
    const file = source.files.find((each) => each.path.endsWith(schema));
    if (file === undefined) throw new Error(`parameter ${name}: no schema at ${schema}`);
    const rule = referring(source, file, { prefix: '#/components/schemas/', keepSiblings: true });
    const named = file.title === undefined ? rule : reference(file.title);
    return [name, { name, ...rest, schema: named }];
  });
  return Object.fromEntries(entries) as JsonObject;
}

/** The headers that answers share. */
export function headerObjects(source: Source): JsonObject {
  const entries = Object.entries(source.catalog.response_headers).map(([name, header]) => {
    const { description, type, example } = header;
    const least = type === 'integer' ? { minimum: 0 } : {};
    return [name, { description, schema: { type, ...least }, example }];
  });
  return Object.fromEntries(entries) as JsonObject;
}

function securityOf(operation: CatalogOperation): JsonObject[] {
  const { authentication, scope, platform_scope: platformScope } = operation;
  if (authentication === 'none') return [];
  return [
    { [authentication]: scope === null ? [] : [scope] },
    ...(platformScope === undefined ? [] : [{ [authentication]: [platformScope] }]),
  ];
}

function describe(operation: CatalogOperation): string {
  const { endpoint, audience, scope, appends, platform_scope: platformScope } = operation;
  const sentences = [
    endpoint === null ? 'Beyond the interface.' : `Endpoint ${endpoint} of the interface.`,
  ];
  if (audience !== null) sentences.push(`Audience \`${audience}\`.`);
  if (scope !== null) sentences.push(`Scope \`${scope}\`.`);
  if (platformScope !== undefined) {
    sentences.push(`Also audience \`platform\` with scope \`${platformScope}\`.`);
  }
  if (appends !== null) {
    sentences.push(`Appends ${appends.facts.join(', ')} to \`${appends.topic}\`.`);
  }
  return sentences.join(' ');
}

function requestBody(
  source: Source, request: CatalogRequest, nameOf: (title: string) => string,
): JsonObject {
  const schema = inlined(source, fileTitled(source, request.schema), []);
  const sentences = [`At most ${request.bytes_max} bytes, counted after decompression (gzip).`];
  if (request.items !== undefined) {
    sentences.push(`At most ${request.items.max} items at \`${request.items.pointer}\`.`);
  }
  const content = { schema: reference(nameOf(request.schema)), example: exampleOf(schema) };
  return {
    required: true,
    description: sentences.join(' '),
    content: {
      [request.content_type]: content,
      ...(request.also_form === true && { 'application/x-www-form-urlencoded': content }),
    },
  };
}

function responses(source: Source, operation: CatalogOperation): JsonObject {
  const entries = Object.entries(operation.responses).map(([status, response]) => {
    const schema = inlined(source, fileTitled(source, response.schema), []);
    const codes = response.codes.map((code) => `\`${code}\``).join(', ');
    const headers = response.headers
      .map((name) => [name, { $ref: `#/components/headers/${name}` }]);
    return [status, {
      description: codes === '' ? response.description : `${response.description} Codes: ${codes}.`,
      ...(headers.length > 0 && { headers: Object.fromEntries(headers) as JsonObject }),
      content: {
        [response.content_type]: {
          schema: reference(response.schema),
          example: responseExample(schema, Number(status), response),
        },
      },
    }];
  });
  return Object.fromEntries(entries) as JsonObject;
}
