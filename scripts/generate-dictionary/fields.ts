import { isJsonObject, type JsonObject, type SchemaFile } from '../../schemas/files.ts';
import { type Source } from '../generate/source.ts';

/** A field of a record, flattened: `locations[].telemetry.speed`. */
export interface Field {
  readonly path: string;
  readonly type: string;
  readonly description: string;
}

const DEPTH_MAX = 12;

/** Every field below a schema, shapes behind references included, each path once. */
export function fieldsOf(source: Source, file: SchemaFile): readonly Field[] {
  const fields = new Map<string, Field>();
  const walk = (node: JsonObject, from: SchemaFile, path: string, depth: number): void => {
    if (depth > DEPTH_MAX) return;
    const { schema, at } = resolved(source, node, from);
    if (path !== '' && !fields.has(path)) {
      fields.set(path, {
        path, type: typeOf(schema), description: textOf(node) || textOf(schema),
      });
    }
    for (const word of ['allOf', 'oneOf', 'anyOf'] as const) {
      for (const part of partsOf(schema[word])) walk(part, at, path, depth + 1);
    }
    for (const [name, property] of Object.entries(objectOf(schema['properties']))) {
      if (isJsonObject(property)) {
        walk(property, at, path === '' ? name : `${path}.${name}`, depth + 1);
      }
    }
    if (isJsonObject(schema['items'])) walk(schema['items'], at, `${path}[]`, depth + 1);
  };
  walk(file.schema, file, '', 0);
  return [...fields.values()].filter(({ path }) => !path.endsWith('[]'));
}

/** Follows references to the end. */
function resolved(
  source: Source, node: JsonObject, from: SchemaFile,
): { readonly schema: JsonObject; readonly at: SchemaFile } {
  let [schema, at] = [node, from];
  for (let hops = 0; typeof schema['$ref'] === 'string' && hops < DEPTH_MAX; hops += 1) {
    at = source.fileAt(schema['$ref'], at.path);
    schema = at.schema;
  }
  return { schema, at };
}

function typeOf(schema: JsonObject): string {
  if (typeof schema['const'] === 'string') return `"${schema['const']}"`;
  const { type, minimum, maximum } = schema;
  const name = typeof type === 'string' ? type : '';
  if (typeof minimum !== 'number' && typeof maximum !== 'number') return name;
  const least = typeof minimum === 'number' ? ` from ${minimum}` : '';
  const most = typeof maximum === 'number' ? ` to ${maximum}` : '';
  return `${name}${least}${most}`;
}

function textOf(schema: JsonObject): string {
  return typeof schema['description'] === 'string' ? schema['description'] : '';
}

function partsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
