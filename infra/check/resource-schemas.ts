import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import parsers from '@stoplight/spectral-parsers';

interface Definition {
  readonly kind: string;
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly {
      readonly name: string;
      readonly schema?: { readonly openAPIV3Schema?: Schema };
    }[];
  };
}

type Schema = { readonly [key: string]: unknown };

/**
 * Writes the schema of each version of a CustomResourceDefinition as
 * `<group>/<kind>_<version>.json`, closed as the API server closes it: a field that it would drop
 * without a word is a fault here.
 */
export function writeSchemas(text: string, folder: string): void {
  for (const document of text.split(/^---$/m).filter((each) => each.trim() !== '')) {
    const definition = parsers.Yaml.parse(document).data as Definition | null;
    if (definition?.kind !== 'CustomResourceDefinition') continue;
    const { group, names, versions } = definition.spec;
    mkdirSync(join(folder, group), { recursive: true });
    for (const { name, schema } of versions) {
      const file = join(folder, group, `${names.kind.toLowerCase()}_${name}.json`);
      writeFileSync(file, JSON.stringify(closed(schema?.openAPIV3Schema ?? {})));
    }
  }
}

/**
 * Copies the schemas of Kubernetes' own resources so that they find one another in their folder:
 * in the package they refer to addresses of a server.
 */
export function copyKubernetesSchemas(from: string, to: string): void {
  for (const name of readdirSync(from)) {
    const text = readFileSync(join(from, name), 'utf8');
    const { $id: _id, ...schema } = JSON.parse(text) as Schema;
    const relative = JSON.stringify(schema)
      .replaceAll(/"\$ref":"\/(?:api\/)?_definitions\.json#/g, '"$ref":"_definitions.json#');
    writeFileSync(join(to, name), relative);
  }
}

function closed(schema: Schema): Schema {
  const { properties, items, additionalProperties } = schema as {
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly items?: Schema;
    readonly additionalProperties?: Schema | boolean;
  };
  if (schema['x-kubernetes-int-or-string'] === true) {
    const { type: _type, ...rest } = schema;
    return { ...rest, anyOf: [{ type: 'integer' }, { type: 'string' }] };
  }
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  return {
    ...schema,
    ...(items === undefined ? {} : { items: closed(items) }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: closed(additionalProperties) }
      : {}),
    ...(properties === undefined ? {} : {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, each]) => [key, closed(each)]),
      ),
      ...(isOpen || additionalProperties !== undefined ? {} : { additionalProperties: false }),
    }),
  };
}
