import { components, referredTitles } from './components.ts';
import { withIntegers, withLongLimits } from './integers.ts';
import { reachable, withNulls, type Directions, type SentSchemas } from './nulls.ts';
import { headerObjects, operationObject, parameterObjects } from './operation.ts';
import { securitySchemes } from './security.ts';
import { withChoices } from './shapes/choices.ts';
import { withNames } from './shapes/names.ts';
import { withPlainWords } from './shapes/plain.ts';
import { withRefusals } from './shapes/refusals.ts';
import type { Catalog } from './catalog-shape.ts';
import type { JsonObject } from '../../schemas/files.ts';
import type { Source } from './source.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

const ABOUT = `How carriers and tracking providers speak with the platform.

Get a token from \`POST /oauth/token\` for the audience that an operation names, and send it as a
bearer token. A body is JSON in UTF-8, at most 1 MiB, and may be compressed with gzip. Members that are
null count as absent, and members that are not described here are accepted.

A 202 carries \`Ingest-Id\`, by which \`GET /shipping/rtt/ingest/{ingest_id}\` says the outcome of each
item. Repeat after a 500 with the same body; after a 429 wait as long as \`Retry-After\` says; correct
the request after another 4xx. An error says its code, and \`/problems/{code}\` explains it.`;

/** The OpenAPI 3.1 document of every operation in the catalog. */
export function openapiFile(source: Source): string {
  const { catalog } = source;
  const parameters = parameterObjects(source);
  const { sent, answered } = titlesOf(catalog, parameters);
  const { schemas, nameOf } = documentSchemas(source, { sent, answered });
  const paths = pathObjects(source, nameOf);
  const used = reachable(schemas, referredTitles({ paths, parameters }));
  const document = {
    openapi: '3.1.0',
    jsonSchemaDialect: DIALECT,
    info: {
      title: catalog.title,
      version: catalog.version,
      description: ABOUT,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // Where this document comes from; a variable here is left as it is by some generators.
    servers: [{
      'url': '/', 'x-internal': false,
      'description': 'The gateway that served this document, local or in production.',
    }],
    tags: [...new Set(catalog.operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: securitySchemes(source),
      parameters,
      headers: headerObjects(source),
      schemas: Object.fromEntries(Object.entries(schemas).filter(([title]) => used.has(title))),
    },
  };
  return `${withLongLimits(JSON.stringify(withIntegers(document), null, 2))}\n`;
}

/**
 * The schemas of the document, in the form that generators of clients take (ADR 0090). They accept
 * and refuse what those of `schemas/` do.
 */
function documentSchemas(source: Source, directions: Directions): SentSchemas {
  const written = components(source, [...directions.sent, ...directions.answered]);
  const asChoices = withNames(withRefusals(withChoices(written)) as JsonObject);
  const { schemas, nameOf } = withNulls(asChoices, directions);
  return { schemas: withPlainWords(withIntegers(schemas)) as JsonObject, nameOf };
}

function pathObjects(source: Source, nameOf: (title: string) => string): JsonObject {
  const { catalog } = source;
  const paths: Record<string, JsonObject> = {};
  for (const operation of catalog.operations) {
    const item = paths[operation.path] ?? {};
    item[operation.method.toLowerCase()] = operationObject(source, operation, nameOf);
    paths[operation.path] = item;
  }
  return paths;
}

function titlesOf(catalog: Catalog, parameters: JsonObject): Directions {
  const inParameters = [...JSON.stringify(parameters).matchAll(/#\/components\/schemas\/(\w+)/g)];
  return {
    sent: catalog.operations.flatMap(({ request }) => request === null ? [] : [request.schema]),
    answered: [
      ...catalog.operations.flatMap(({ responses }) => (
        Object.values(responses).map(({ schema }) => schema)
      )),
      ...inParameters.map(([, title]) => String(title)),
    ],
  };
}
