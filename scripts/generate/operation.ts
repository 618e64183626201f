import { fileTitled, nameOf as nameOfFile, reference } from './components.ts';
import { exampleOf, responseExample } from './examples.ts';
import { STREAM, feedBody } from './live-feeds.ts';
import { inlined, referring } from '../../schemas/inline.ts';
import { securityOf } from './security.ts';
import { PREFIX } from './shapes/names.ts';
import type { CatalogOperation, CatalogRequest, CatalogResponse } from './catalog-shape.ts';
import type { JsonObject } from '../../schemas/files.ts';
import type { Source } from './source.ts';

/** One operation of the catalog as an OpenAPI 3.1 operation; `nameOf` names what is sent. */
export function operationObject(
  source: Source, operation: CatalogOperation, nameOf: (title: string) => string,
): JsonObject {
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: describe(source, operation),
    tags: [operation.tag],
    security: securityOf(operation),
    ...(operation.endpoint !== null && { 'x-endpoint': operation.endpoint }),
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
    const title = nameOfFile(file);
    const named = title === undefined
      ? referring(source, file, { prefix: PREFIX, keepSiblings: true, nameOf: nameOfFile })
      : reference(title);
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

function describe({ catalog }: Source, operation: CatalogOperation): string {
  const { audience, scope, guide, platform_scope: platformScope, server } = operation;
  const sentences = guide === undefined ? [] : [guide];
  if (server === 'provider_url') return [...sentences, catalog.servers[server].description].join(' ');
  const opens = scope === null ? '' : ` and the scope \`${scope}\``;
  if (audience !== null) sentences.push(`Needs a token of the audience \`${audience}\`${opens}.`);
  if (platformScope !== undefined) {
    sentences.push(`One of the audience \`platform\` with the scope \`${platformScope}\` will do too.`);
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
  // Of two content types generators of clients make one call that sends both.
  if (request.also_form === true) {
    sentences.push('The same fields may come as `application/x-www-form-urlencoded`.');
  }
  return {
    required: true,
    description: sentences.join(' '),
    content: {
      [request.content_type]: {
        schema: reference(nameOf(request.schema)), example: exampleOf(schema),
      },
    },
  };
}

/** The form in bytes, behind the other: generators of clients take the first that they can read. */
function bytesOf({ also_bytes: bytes }: CatalogResponse): JsonObject {
  if (bytes === undefined) return {};
  const { content_type: type, description, example } = bytes;
  return {
    [type]: {
      schema: {
        type: 'string', format: 'binary', description: `${description} The example is in Base64.`,
      },
      example,
    },
  };
}

function responses(source: Source, operation: CatalogOperation): JsonObject {
  const request = operation.request === null
    ? undefined
    : inlined(source, fileTitled(source, operation.request.schema), []);
  const entries = Object.entries(operation.responses).map(([status, response]) => {
    const schema = inlined(source, fileTitled(source, response.schema), []);
    const codes = response.codes.map((code) => `\`${code}\``).join(', ');
    const headers = response.headers
      .map((name) => [name, { $ref: `#/components/headers/${name}` }]);
    return [status, {
      description: codes === '' ? response.description : `${response.description} Codes: ${codes}.`,
      ...(headers.length > 0 && { headers: Object.fromEntries(headers) as JsonObject }),
      content: {
        [response.content_type]: response.content_type === STREAM
          ? feedBody(response.schema, exampleOf(schema))
          : {
              schema: reference(response.schema),
              example: responseExample(
                { operation, status: Number(status), response, schema, request },
              ),
            },
        ...bytesOf(response),
      },
    }];
  });
  return Object.fromEntries(entries) as JsonObject;
}
